"""Prints the answers of TensorFlow in tests/conform/vectors as lines for reference.py: vectors.py FILE..."""
import os
import re
import sys

from arithmetic import TYPES

DECIMAL = re.compile(r"(\w+)=(\w+)(\[[\d,]*\])=([-\d,]*)$")


def tensor_of_decimals(name, dtype, shape, values):
    size = TYPES[dtype].bits // 8
    data = b"".join((int(v) % (1 << 8 * size)).to_bytes(size, "little") for v in values.split(",") if v)
    return "%s=%s%s:%s" % (name, dtype, shape, data.hex())


def argument(word):
    decimal = DECIMAL.match(word)
    if decimal:
        return tensor_of_decimals(*decimal.groups())
    return re.sub(r"^shape=(.*)", r"shape=[\1]", word)


def expected(word):
    if word.startswith("out="):
        return word
    status, _, place = word[len("error=") :].partition(":")
    return "%s: %s..." % (status, place.replace("=", " = ") + " " if place else "")


for path in sys.argv[1:]:
    operation = os.path.basename(path).partition(".")[0]
    with open(path, encoding="ascii") as file:
        for line in file:
            if not line.startswith("#"):
                *words, last = line.split()
                print(" ".join([operation] + [argument(word) for word in words] + ["=>", expected(last)]))
