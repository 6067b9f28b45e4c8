#!/usr/bin/env python3
"""Changes one operator, number, statement or condition at a time in the templates and the headers that kernels use, and
counts how many of the changes gasket-fuzz finds.

usage: python3 tests/faults/mutate.py [--sample N] [--draw N] [--file PATTERN] [--jobs N] [--resume] [--list] [--check]
                                      [--scratch DIR] [--seed N] [--timeout SECONDS]

--sample N takes N mutants at random, --draw chooses which; --resume goes on with the results in the scratch folder;
--list prints the mutants and runs nothing; --check proves that headers are used by no more strategies than scratch.py
says. Exit 1 when a mutant survived that equivalents.txt does not know."""
import argparse
import fnmatch
import glob
import os
import random
import re
import sys
import threading
import time
from collections import Counter

from mutants import mutants_of
from records import Broken, read_records
from scratch import HEADER_USERS, ROOT, Copy, read_text, run, say, share_out, stop, write_text

FOLDER = os.path.dirname(os.path.abspath(__file__))
FILES = ("templates/cpu/*.c.in", "runtime/abi/box.h", "runtime/abi/lanes.h", "runtime/abi/lookup.h",
         "runtime/abi/number.h", "runtime/abi/vector.h")
LEVEL = "-O0"  # of kernels

# Small copies: few cases, only base kernels of some types, and of a header that all include only what compiles fast.
FEWER = ("--index", "i8,i32,u64", "--dtypes", "i8,i32,f32,f16,bf16,c64,bool,string")
MOVERS = ("append", "elements", "place", "place_any", "rows", "rows_any", "stream", "stream_any", "strided")
CASES_SMALL, CASES_WHOLE = 2000, 20000

# Which kernels a file makes, as gasket-fuzz wants it.
KERNELS = {
    "append": "append_string__*_append", "append_strided": "append_string__*_append_strided",
    "combine": "combine_*__*_rows", "combine_one": "combine_*__*_one", "combine_strided": "combine_*__*_strided",
    "elements": "move_r*_elements*", "fused": "gather_b*", "place": "place_r[0-9]*_rows",
    "place_any": "place_rn_*_rows", "place_strided": "place_rn_*_strided_e*", "resolve": "resolve_*_d[0-9]_*",
    "resolve_any": "resolve_*_dn_*", "rows": "move_r[0-9]*_rows", "rows_any": "move_rn_*_rows",
    "stream": "move_r[0-9]*_nt", "stream_any": "move_rn_*_nt", "strided": "move_rn_*_strided_e*",
    "box.h": "*_strided*", "lanes.h": "combine_*_rows", "lookup.h": "resolve_*", "number.h": "combine_*",
    "vector.h": "*",
}
SAVED = "mutants.tsv"


def parse_options():
    options = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0])
    options.add_argument("--sample", type=int)
    options.add_argument("--draw", type=int, default=1)
    options.add_argument("--file", default="*")
    options.add_argument("--jobs", type=int, default=1)
    options.add_argument("--resume", action="store_true")
    options.add_argument("--list", action="store_true")
    options.add_argument("--check", action="store_true")
    options.add_argument("--scratch", default=os.path.join(ROOT, "build", "mutants"))
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--timeout", type=float, default=900)
    return options.parse_args()


# ---- Which mutants there are ----

def is_excluded(mutant, exclusions):
    return any(fnmatch.fnmatchcase(mutant.file, edit.file) and
               any(re.search(pattern, mutant.old) for pattern in edit.old.split("\n"))
               for record in exclusions for edit in record.edits)


def all_mutants():
    exclusions = read_records(os.path.join(FOLDER, "exclusions.txt"))
    paths = [path for pattern in FILES for path in sorted(glob.glob(os.path.join(ROOT, pattern)))]
    files = [os.path.relpath(path, ROOT) for path in paths]
    every = [mutant for file in files for mutant in mutants_of(file, read_text(os.path.join(ROOT, file)))]
    return [mutant for mutant in every if not is_excluded(mutant, exclusions)]


def known_equivalents(mutants):
    """The mutants that a list explains. A record that fits none, or more than one, proves nothing."""
    known = set()
    for record in read_records(os.path.join(FOLDER, "equivalents.txt")):
        for edit in record.edits:
            fitting = [mutant for mutant in mutants if mutant.file == edit.file and fits(edit, mutant)]
            if len(fitting) != 1 or not record.reason:
                raise Broken(f"equivalents.txt: {record.name}: {len(fitting)} mutants, not 1, or no reason: {edit}")
            known.add(fitting[0])
    return known


def fits(edit, mutant):
    """The text that goes may begin with lines that stand above, where a line is there twice."""
    *above, old = [line.strip() for line in edit.old.split("\n")]
    if (bare(mutant.old), bare(mutant.new)) != (old, edit.new.strip()):
        return False
    lines = read_text(os.path.join(ROOT, mutant.file)).split("\n")[:mutant.line - 1]
    return above == [bare(line) for line in lines[len(lines) - len(above):]]


def bare(line):
    return line.rstrip("\\").strip()


def chosen(mutants, options):
    mutants = [mutant for mutant in mutants if fnmatch.fnmatchcase(mutant.file, options.file)
               or fnmatch.fnmatchcase(os.path.basename(mutant.file), options.file)]
    if options.sample is not None and options.sample < len(mutants):
        mutants = sorted(random.Random(options.draw).sample(mutants, options.sample))
    return mutants


# ---- One mutant ----

def kernels_of(file):
    name = os.path.basename(file)
    return KERNELS[name[:-len(".c.in")] if name.endswith(".c.in") else name]


def mutated(text, mutant):
    lines = text.split("\n")
    if lines[mutant.line - 1] != mutant.old:
        raise Broken(f"{mutant.file}:{mutant.line} has changed")
    lines[mutant.line - 1] = mutant.new
    return "\n".join(lines)


def make_small(folder):
    copy = Copy(folder, FEWER, "", LEVEL)
    copy.users["runtime/abi/vector.h"] = MOVERS
    return copy


def make_whole(folder):
    return Copy(folder, level=LEVEL)


def examine_small(copy, mutant, options):
    """In few cases and few kernels, which compile fast: most mutants are found there at once. Else "open"."""
    if change(copy, mutant) is not None:
        return "open", ""
    return found_or("open", hunt(copy, mutant, CASES_SMALL, options))


def examine_whole(copy, mutant, options):
    if change(copy, mutant) is not None:
        return "uncompiled", ""
    if copy.has_same_code():
        return "same code", ""
    return found_or("survived", hunt(copy, mutant, CASES_WHOLE, options))


def change(copy, mutant):
    return copy.change({mutant.file: mutated(read_text(copy.path(mutant.file)), mutant)})


def found_or(otherwise, outcome):
    """killed, timeout, or otherwise; and more about it."""
    more = f"case {outcome.case}, {outcome.detail}" if outcome.kind == "found" else ""
    return {"found": "killed", "missed": otherwise}.get(outcome.kind, outcome.kind), more


def hunt(copy, mutant, cases, options):
    arguments = ["--cases", str(cases), "--seed", str(options.seed), "--variant", kernels_of(mutant.file)]
    outcome = copy.fuzz(arguments, options.timeout)
    if outcome.kind == "broken":
        raise Broken(f"{mutant.file}:{mutant.line} {mutant.new.strip()}: {outcome.detail}")
    return outcome


class Results:
    """Verdicts by mutant, kept in a file of the scratch folder as they come."""

    def __init__(self, options):
        self.path, self.lock = os.path.join(options.scratch, SAVED), threading.Lock()
        self.verdicts = {}
        os.makedirs(options.scratch, exist_ok=True)
        if options.resume and os.path.exists(self.path):
            for line in read_text(self.path).splitlines():
                file, number, old, new, verdict = line.split("\t")
                self.verdicts[(file, int(number), old, new)] = verdict
        else:
            write_text(self.path, "")

    @staticmethod
    def key(mutant):
        return (mutant.file, mutant.line, mutant.old, mutant.new)

    def of(self, mutant):
        return self.verdicts.get(self.key(mutant))

    def add(self, mutant, verdict):
        with self.lock:
            self.verdicts[self.key(mutant)] = verdict
            with open(self.path, "a", encoding="utf-8") as file:
                file.write("\t".join((mutant.file, str(mutant.line), mutant.old, mutant.new, verdict)) + "\n")


def examine(mutants, known, options, results):
    """All of them in small copies, then those that are open in whole ones, first those that nobody has explained."""
    mutants = sorted(mutants, key=lambda mutant: mutant in known)
    for is_due, make, look, name in ((lambda verdict: verdict is None, make_small, examine_small, "small"),
                                     (lambda verdict: verdict == "open", make_whole, examine_whole, "whole")):
        waiting = [mutant for mutant in mutants if is_due(results.of(mutant))]
        say(f"{len(waiting)} mutants in {name} copies")
        if waiting:
            examine_in([os.path.join(options.scratch, f"{name}{number}") for number in range(options.jobs)], make, look,
                       waiting, options, results)


def examine_in(folders, make, look, waiting, options, results):
    done = Counter()

    def make_copy(number):
        copy = make(folders[number])
        copy.make()
        if number == 0:
            outcome = copy.fuzz(["--cases", str(CASES_SMALL), "--seed", str(options.seed)], options.timeout)
            if outcome.kind != "missed":
                raise Broken(f"the tree without a mutant does not pass: {outcome.kind} {outcome.detail}")
        return copy

    def work(copy, mutant):
        began = time.time()
        verdict, more = look(copy, mutant, options)
        copy.restore()
        results.add(mutant, verdict)
        done[verdict] += 1
        say(f"{sum(done.values())}/{len(waiting)} {mutant.file}:{mutant.line} {mutant.kind}: {verdict}"
            f"{', ' * bool(more)}{more}, {time.time() - began:.0f} s")

    share_out(min(len(folders), len(waiting)), make_copy, waiting, work)


# ---- The account ----

def report(mutants, results, known):
    verdicts = [(mutant, results.of(mutant)) for mutant in mutants]
    counts = Counter(verdict for _, verdict in verdicts)
    missed = [mutant for mutant, verdict in verdicts if verdict in ("survived", "timeout")]
    survivors = [mutant for mutant in missed if mutant not in known]
    for mutant in survivors:
        say(f"\n{mutant.file}:{mutant.line}\n- {mutant.old.strip()}\n+ {mutant.new.strip()}")
    for mutant, verdict in verdicts:
        if verdict == "killed" and mutant in known:
            say(f"equivalents.txt has a mutant that was found: {mutant.file}:{mutant.line} {mutant.new.strip()}")
    counted = counts["killed"] + len(survivors)
    say(f"\n{len(mutants)} mutants: {counts['uncompiled']} do not compile, {counts['same code']} leave the machine "
        f"code as it is, {len(missed) - len(survivors)} are equivalent, {counted} count")
    say(f"kill rate {100.0 * counts['killed'] / max(counted, 1):.1f} %")
    say(f"{counts['killed']} passed, {len(survivors)} failed")
    return 1 if survivors else 0


def check_users(options):
    """Without a header, everything that does not use it still compiles."""
    copy = Copy(os.path.join(options.scratch, "copy0"))
    copy.make()
    wrong = []
    for header, users in HEADER_USERS.items():
        for name in HEADER_USERS if header.endswith("number.h") else (header,):
            if name == header or name.endswith("lanes.h"):  # which needs number.h
                write_text(copy.path(name), "")
        others = set(copy.objects()) - set(copy.objects(users))
        for name in sorted(others):
            status, said = run(["sh", "-c", copy.compile_command(name) + " -fsyntax-only"])
            wrong += [] if status == 0 else [f"{name} uses {header}:\n{said[:300]}"]
        copy.touched = list(HEADER_USERS)
        copy.restore()
    for text in wrong:
        say(text)
    say(f"{len(HEADER_USERS) - len(wrong)} passed, {len(wrong)} failed")
    return 1 if wrong else 0


def main():
    options = parse_options()
    try:
        if options.check:
            return check_users(options)
        every = all_mutants()
        known, mutants = known_equivalents(every), chosen(every, options)
        if options.list:
            for mutant in mutants:
                say(f"{mutant.file}:{mutant.line} {mutant.kind}\n- {mutant.old.strip()}\n+ {mutant.new.strip()}")
            say(f"{len(mutants)} mutants")
            return 0
        results = Results(options)
        examine(mutants, known, options, results)
        return report(mutants, results, known)
    except Broken as error:
        stop(str(error))


if __name__ == "__main__":
    sys.exit(main())
