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
from scratch import HEADER_USERS, ROOT, Copy, Outcome, read_text, run, say, share_out, stop, write_text

FOLDER = os.path.dirname(os.path.abspath(__file__))
FILES = ("templates/cpu/*.c.in", "runtime/abi/box.h", "runtime/abi/lanes.h", "runtime/abi/lookup.h",
         "runtime/abi/number.h", "runtime/abi/vector.h")
# Most mutants are found at once, in few cases and in the objects that compile fast: a fault that is found in some of
# the objects is found. One that is not gets all of them, and more cases.
ROUNDS = (2000, 20000)
FIRST, FIRST_OF_ALL = r"/base/", r"/base/(?!resolve\.|combine|fused)"

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
    """The keys of the mutants that a list explains; a record that fits none has gone stale."""
    known = set()
    keys = {text_of(mutant) for mutant in mutants}
    for record in read_records(os.path.join(FOLDER, "equivalents.txt")):
        for edit in record.edits:
            key = (edit.file, edit.old.strip(), edit.new.strip())
            if key not in keys or not record.reason:
                raise Broken(f"equivalents.txt: {record.name}: there is no such mutant, or no reason: {key}")
            known.add(key)
    return known


def text_of(mutant):
    return (mutant.file, mutant.old.rstrip("\\").strip(), mutant.new.rstrip("\\").strip())


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


def judge(copy, mutant, options):
    """killed, survived, uncompiled, same code or timeout; and more about it."""
    text = read_text(copy.path(mutant.file))
    first = FIRST_OF_ALL if mutant.file.endswith("vector.h") else FIRST
    if copy.change({mutant.file: mutated(text, mutant)}, first) is not None:
        return "uncompiled", ""
    outcome = Outcome("missed", None, "") if copy.has_same_code() else hunt(copy, mutant, ROUNDS[0], options)
    if outcome.kind == "missed":
        if copy.compile_rest() is not None:
            return "uncompiled", ""
        if copy.has_same_code():
            return "same code", ""
        outcome = hunt(copy, mutant, ROUNDS[1], options)
    verdict = {"found": "killed", "missed": "survived"}.get(outcome.kind, outcome.kind)
    return verdict, f"case {outcome.case}, {outcome.detail}" if outcome.kind == "found" else ""


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

    def add(self, mutant, verdict):
        with self.lock:
            self.verdicts[self.key(mutant)] = verdict
            with open(self.path, "a", encoding="utf-8") as file:
                file.write("\t".join((mutant.file, str(mutant.line), mutant.old, mutant.new, verdict)) + "\n")


def examine(mutants, options, results):
    total, waiting = len(mutants), [mutant for mutant in mutants if results.key(mutant) not in results.verdicts]

    def make_copy(number):
        copy = Copy(os.path.join(options.scratch, f"copy{number}"))
        copy.make()
        return copy

    def work(copy, mutant):
        began = time.time()
        verdict, more = judge(copy, mutant, options)
        copy.restore()
        results.add(mutant, verdict)
        done = total - len(waiting) + sum(1 for other in waiting if results.key(other) in results.verdicts)
        say(f"{done}/{total} {mutant.file}:{mutant.line} {mutant.kind}: {verdict}{', ' * bool(more)}{more}, "
            f"{time.time() - began:.0f} s")

    if waiting:
        share_out(min(options.jobs, len(waiting)), make_copy, waiting, work)


# ---- The account ----

def report(mutants, results, known):
    verdicts = [(mutant, results.verdicts[results.key(mutant)]) for mutant in mutants]
    counts = Counter(verdict for _, verdict in verdicts)
    missed = [mutant for mutant, verdict in verdicts if verdict in ("survived", "timeout")]
    survivors = [mutant for mutant in missed if text_of(mutant) not in known]
    for mutant in survivors:
        say(f"\n{mutant.file}:{mutant.line}\n- {mutant.old.strip()}\n+ {mutant.new.strip()}")
    for mutant, verdict in verdicts:
        if verdict == "killed" and text_of(mutant) in known:
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
        examine(mutants, options, results)
        return report(mutants, results, known)
    except Broken as error:
        stop(str(error))


if __name__ == "__main__":
    sys.exit(main())
