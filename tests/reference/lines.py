"""Problems as lines of text: OPERATION NAME=VALUE... [| SETTINGS...] => out=TENSOR, or STATUS: MESSAGE."""
import re

from arithmetic import TYPES, signed
from formula import OPERATIONS
from meaning import strides_of

TENSOR = re.compile(r"(\w+)\[([\d,]*)\](?:\{([-\d,]*)\})?(?:@(\d+))?(?:\+<?\d+)?(?::([0-9a-f.]*)|#\d+)$")


def numbers(text):
    return [int(word) for word in text.split(",") if word]


class Tensor:
    """dtype[shape]{strides}@byte_offset:HEX. What says where the memory lay (+N, #N) is passed over."""

    def __init__(self, dtype, shape, strides, offset, data):
        self.dtype, self.type = dtype, TYPES[dtype]
        self.shape = tuple(numbers(shape))
        self.strides = numbers(strides) or strides_of(self.shape)
        self.base = int(offset or 0) * 8 // self.type.bits
        if self.type.kind == "text":
            self.slots = [bytes.fromhex(word) for word in data.split(".")]
        else:
            self.slots = split(bytes.fromhex(data), self.type.bits)

    def element(self, coordinates):
        at = self.base + sum(map(int.__mul__, coordinates, self.strides))
        if at < 0:
            raise IndexError("an element before the buffer")
        return self.slots[at]

    def index(self, coordinates):
        value = self.element(coordinates)
        return signed(value, self.type.bits) if self.type.kind == "signed" else value


def split(data, bits):
    """Elements of a buffer, each as a whole number."""
    if bits == 4:
        return [half for byte in data for half in (byte & 15, byte >> 4)]
    size = bits // 8
    return [int.from_bytes(data[i : i + size], "little") for i in range(0, len(data) - size + 1, size)]


def joined(elements, dtype):
    """The text of elements that lie one after the other."""
    bits = TYPES[dtype].bits
    if TYPES[dtype].kind == "text":
        return ".".join(element.hex() for element in elements)
    if bits == 4:
        elements = elements + [0] * (len(elements) % 2)
        return bytes(a | b << 4 for a, b in zip(elements[::2], elements[1::2])).hex()
    return b"".join(element.to_bytes(bits // 8, "little") for element in elements).hex()


def parse_problem(text):
    """The operation, its tensors and its attributes."""
    operation, *words = text.split(" | ")[0].split()
    if operation not in OPERATIONS:
        raise ValueError("no operation: " + operation)
    tensors, attributes = {}, {}
    for word in words:
        name, value = word.split("=", 1)
        tensor = TENSOR.match(value)
        if name == "out":
            continue
        if tensor:
            tensors[name] = Tensor(*tensor.groups(default=""))
        elif value.startswith("["):
            attributes[name] = numbers(value[1:-1])
        else:
            attributes[name] = int(value) if value.lstrip("-").isdigit() else value
    return operation, tensors, attributes
