"""The second reference: says what each problem of the given files comes to, and compares.

    reference.py FILE:LEAST...     LEAST: how many lines of the file must be checked

It is written from the documents and shares nothing with the library. A line that begins with "!" is wrong on purpose
and must be told from what is right. An expected message may end in "...": the rest of it is free."""
import sys

from lines import joined, parse_problem
from meaning import OutOfBounds, Problem

SHOWN = 10


def answer(text):
    try:
        dtype, shape, elements = Problem(*parse_problem(text)).result()
    except OutOfBounds as error:
        return "OUT_OF_BOUNDS: %s" % error
    return "out=%s[%s]:%s" % (dtype, ",".join(map(str, shape)), joined(elements, dtype))


def agrees(expected, got):
    return got.startswith(expected[:-3]) if expected.endswith("...") else got == expected


def around_difference(expected, got):
    """Both, from shortly before the first difference on."""
    same = 0
    while same < min(len(expected), len(got)) and expected[same] == got[same]:
        same += 1
    at = max(0, same - 60)
    return same, expected[at : at + 160], got[at : at + 160]


class Count:
    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def fail(self, text):
        self.failed += 1
        if self.failed <= SHOWN:
            print("FAILED " + text)

    def check(self, line):
        must_differ = line.startswith("!")
        text, arrow, expected = line.lstrip("! ").partition(" => ")
        if not arrow or (expected[:4] != "out=" and not expected.startswith("OUT_OF_BOUNDS")):
            self.skipped += 1
            return
        try:
            got = answer(text)
        except (ValueError, LookupError, TypeError) as error:
            self.fail("%s\n  the reference stopped: %r" % (line, error))
            return
        if agrees(expected, got) != must_differ:
            self.passed += 1
        else:
            self.fail("%s\n  first difference at character %d\n  expected %s\n  got      %s"
                      % ((line,) + around_difference(expected, got)))


def check_file(name, least, count):
    before = count.passed + count.failed
    with open(name, encoding="ascii") as file:
        for line in file:
            line = line.rstrip("\n")
            if line and not line.startswith("#"):
                count.check(line)
    checked = count.passed + count.failed - before
    print("%s: %d checked" % (name, checked))
    if checked < least:
        count.fail("%s: only %d of %d lines could be checked" % (name, checked, least))


def main(arguments):
    count = Count()
    for argument in arguments:
        name, _, least = argument.rpartition(":")
        check_file(name, int(least), count)
    print("%d lines skipped: neither a result nor OUT_OF_BOUNDS" % count.skipped)
    print("%d passed, %d failed" % (count.passed, count.failed))
    return count.failed > 0 or not arguments


sys.exit(main(sys.argv[1:]))
