#!/usr/bin/env python3
"""Plants the faults of faults.txt in a copy of the tree, one after the other, and lets gasket-fuzz look for each.

usage: python3 tests/faults/plant.py [PATTERN ...] [--handful] [--check] [--list] [--jobs N] [--scratch DIR]
                                     [--cases N] [--seed N] [--timeout SECONDS]

PATTERNs are shell patterns of names; without one, all faults. --check only finds out whether every fault still fits the
tree. --handful takes a few faults, in a copy with less to compile. Exit 1 when a fault was not found or does not
fit."""
import argparse
import fnmatch
import os
import sys
import threading
import time

from records import Broken, apply_edit, read_records
from scratch import ROOT, Copy, read_text, say, share_out, skip_without_tools, stop

FOLDER = os.path.dirname(os.path.abspath(__file__))
HANDFUL = ("elements-tail-lost", "fold-merges-index-strides", "batch-stride-dropped", "resolve-any-accepts-extent",
           "clip-off-by-one")
CALL_TIME = ("templates/cpu/nest", "runtime/nest", "runtime/execute_nest", "runtime/abi/nest_point")
CALL_TIME_HUNTS = (["--formulas", "300"], ["--tier", "jit", "--cases", "3000"])
CUDA = ("templates/cuda", "runtime/cuda/grid", "runtime/abi/atomic")
CUDA_HUNT = ["--tier", "cuda-emulated", "--cases", "30000"]
NARROW = ("--index", "i8,i32,u64", "--dtypes", "i8,i32,f32,bf16,c64,string")


def parse_options():
    options = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0], description=None)
    options.add_argument("patterns", nargs="*")
    options.add_argument("--handful", action="store_true")
    options.add_argument("--check", action="store_true")
    options.add_argument("--list", action="store_true")
    options.add_argument("--jobs", type=int, default=1)
    options.add_argument("--scratch", default=os.path.join(ROOT, "build", "faults"))
    options.add_argument("--cases", type=int, default=20000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--timeout", type=float, default=900)
    return options.parse_args()


def chosen(faults, options):
    patterns = options.patterns or (HANDFUL if options.handful else ("*",))
    unknown = [p for p in patterns if not any(fnmatch.fnmatchcase(fault.name, p) for fault in faults)]
    if unknown:
        raise Broken(f"no fault is called {', '.join(unknown)}")
    return [fault for fault in faults if any(fnmatch.fnmatchcase(fault.name, p) for p in patterns)]


def misfit(fault):
    """What is wrong with a fault in the tree as it is, or None."""
    texts = {}
    try:
        for edit in fault.edits:
            text = texts.get(edit.file) or read_text(os.path.join(ROOT, edit.file))
            texts[edit.file] = apply_edit(text, edit)
    except (Broken, OSError) as error:
        return str(error)
    return None


def check(faults):
    names = [fault.name for fault in faults]
    problems = [f"{fault.name}: {misfit(fault)}" for fault in faults if misfit(fault)]
    problems += [f"{name}: the name is there twice" for name in sorted(set(names)) if names.count(name) > 1]
    for problem in problems:
        say(problem)
    say(f"{len(faults) - len(problems)} passed, {len(problems)} failed")
    return 1 if problems else 0


def is_of_call_time(fault):
    return fault.edits[0].file.startswith(CALL_TIME)


def hunts_of(fault, options):
    """What the tester is to run, one after the other until something is found."""
    seed = ["--seed", str(options.seed)]
    if is_of_call_time(fault):
        return [hunt + seed for hunt in CALL_TIME_HUNTS]
    if fault.edits[0].file.startswith(CUDA):
        return [CUDA_HUNT + seed]
    return [["--cases", str(options.cases)] + seed]


class Hunt:
    """What was found so far."""

    def __init__(self, options, faults):
        self.options, self.total = options, len(faults)
        self.lock, self.lines, self.failed, self.skipped = threading.Lock(), [], [], 0
        self.call_time = any(is_of_call_time(fault) for fault in faults)

    def make_copy(self, number):
        small = self.options.handful
        copy = Copy(os.path.join(self.options.scratch, f"copy{number}"), NARROW if small else (), "" if small else None,
                    call_time=self.call_time)
        copy.make()
        trials = [["--cases", "500"]] + [["--tier", "jit", "--cases", "200"], ["--formulas", "20"]] * self.call_time
        for trial in trials if number == 0 else []:
            outcome = copy.fuzz(trial + ["--seed", str(self.options.seed)], self.options.timeout)
            if outcome.kind not in ("missed", "skipped"):
                raise Broken(f"the tree without a fault does not pass: {outcome.kind} {outcome.detail}")
        return copy

    def hunt(self, copy, fault):
        for arguments in hunts_of(fault, self.options):
            outcome = copy.fuzz(arguments, self.options.timeout)
            if outcome.kind != "missed":
                break
        return outcome

    def try_fault(self, copy, fault):
        began = time.time()
        said = copy.apply(fault.edits)
        if said is None:
            outcome = self.hunt(copy, fault)
            text = f"found at case {outcome.case} ({outcome.detail})" if outcome.kind == "found" else \
                f"NOT FOUND ({outcome.kind}) {outcome.detail}".strip()
            is_found, is_skipped = outcome.kind == "found", outcome.kind == "skipped"
        else:
            text, is_found, is_skipped = "DOES NOT COMPILE\n" + said[-1500:], False, False
        copy.restore()
        with self.lock:
            self.lines.append(f"{fault.name:44} {text.splitlines()[0]}")
            self.failed += [] if is_found or is_skipped else [fault.name]
            self.skipped += is_skipped
            say(f"{len(self.lines)}/{self.total} {fault.name}: {text}, {time.time() - began:.0f} s")

    def report(self):
        say("")
        for line in sorted(self.lines):
            say(line)
        if self.skipped:
            say(f"SKIP: {self.skipped} faults of call-time kernels: this machine compiles none")
        say(f"{self.total - len(self.failed) - self.skipped} passed, {len(self.failed)} failed")
        return 1 if self.failed else 0


def main():
    options = parse_options()
    try:
        every = read_records(os.path.join(FOLDER, "faults.txt"))
        faults = chosen(every, options)
        if options.list:
            for fault in faults:
                say(f"{fault.name:44} {fault.edits[0].file}")
            return 0
        if options.check:
            return check(every)
        if any(misfit(fault) for fault in faults):
            return check(faults)
        skip_without_tools()
        hunt = Hunt(options, faults)
        share_out(min(options.jobs, len(faults)), hunt.make_copy, faults, hunt.try_fault)
        return hunt.report()
    except Broken as error:
        stop(str(error))


if __name__ == "__main__":
    sys.exit(main())
