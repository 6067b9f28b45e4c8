#!/usr/bin/env python3
"""Plants one fault and proves what comes after the find: the failure is made smaller, printed and kept as one line; the
line alone shows the fault in the faulty copy, and passes in the one without it; a corpus that has the line fails.

usage: python3 tests/faults/shrink.py NAME SCRATCH"""
import glob
import os
import shutil
import sys

from records import Broken, read_records
from scratch import FUZZ, Copy, read_text, run, say, skip_without_tools, stop

FOLDER = os.path.dirname(os.path.abspath(__file__))
LONGEST = 400  # characters of a line that a person can read
TIMEOUT = 900


class Proof:
    def __init__(self, copy):
        self.copy, self.passed, self.failed = copy, 0, 0

    def expect(self, what, holds, said=""):
        self.passed, self.failed = self.passed + bool(holds), self.failed + (not holds)
        if not holds:
            say(f"{what}\n{said[-2000:]}")

    def fuzz(self, *arguments):
        return run([os.path.join(self.copy.build_folder, FUZZ), "--jobs", "1", *arguments], TIMEOUT)

    def find(self, corpus):
        status, said = self.fuzz("--cases", "20000", "--seed", "1", "--corpus", corpus)
        self.expect("the fault was not found", status == 1, said)
        self.expect("nothing is said of the difference", "expected" in said or "crash" in said, said)
        kept = glob.glob(os.path.join(corpus, "*.txt"))
        if len(kept) != 1:
            raise Broken(f"{len(kept)} failures were kept, not one\n{said[-2000:]}")
        return read_text(kept[0]).splitlines()[-1]

    def prove(self, edits, corpus):
        shutil.rmtree(corpus, ignore_errors=True)
        os.makedirs(corpus)
        if self.copy.apply(edits) is not None:
            raise Broken("the fault does not compile")
        line = self.find(corpus)
        self.expect(f"the line has {len(line)} characters", len(line) <= LONGEST, line)
        self.expect("the line does not show the fault", self.fuzz("--replay", line)[0] == 1, line)
        self.copy.restore()
        self.expect("the line fails without the fault", self.fuzz("--replay", line)[0] == 0, line)
        status, said = self.fuzz("--cases", "1", "--corpus", corpus)
        self.expect("the corpus fails without the fault", status == 0 and "lines replayed: 1\n" in said, said)


def main():
    name, scratch = sys.argv[1:]
    skip_without_tools()
    try:
        faults = [fault for fault in read_records(os.path.join(FOLDER, "faults.txt")) if fault.name == name]
        if len(faults) != 1:
            raise Broken(f"no fault is called {name}")
        copy = Copy(os.path.join(scratch, "shrinking"), ("--index", "i8,i32", "--dtypes", "i8,f32"), "")
        copy.make()
        proof = Proof(copy)
        proof.prove(faults[0].edits, os.path.join(scratch, "corpus"))
    except Broken as error:
        stop(str(error))
    say(f"{proof.passed} passed, {proof.failed} failed")
    return 1 if proof.failed else 0


if __name__ == "__main__":
    sys.exit(main())
