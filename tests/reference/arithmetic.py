"""What two elements of a type become when they are combined. An element is the whole number that its bits are."""
import struct
from collections import namedtuple

Type = namedtuple("Type", "kind bits")
KINDS = {
    "logical": ["bool:8"],
    "signed": ["i8:8", "i16:16", "i32:32", "i64:64"],
    "unsigned": ["u8:8", "u16:16", "u32:32", "u64:64"],
    "float": ["f16:16", "bf16:16", "f32:32", "f64:64"],
    "complex": ["c64:64", "c128:128"],
    "text": ["string:128"],
    "moved": ["i4:4", "u4:4", "f4_e2m1fn:4", "f8_e3m4:8", "f8_e4m3:8", "f8_e4m3b11fnuz:8", "f8_e4m3fn:8",
              "f8_e4m3fnuz:8", "f8_e5m2:8", "f8_e5m2fnuz:8", "f8_e8m0fnu:8"],
}
TYPES = {word.split(":")[0]: Type(kind, int(word.split(":")[1])) for kind, words in KINDS.items() for word in words}

FRACTION = {"f16": 10, "bf16": 7, "f32": 23, "f64": 52}  # bits of the payload, the quiet bit among them
PACKING = {"f16": ("<H", "<e"), "f32": ("<I", "<f"), "f64": ("<Q", "<d")}
OPERATORS = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b}


def signed(value, bits):
    return value - (1 << bits) if value >> (bits - 1) else value


# ---- One float ----


def quiet_bit(name):
    return 1 << (FRACTION[name] - 1)


def infinity(name):
    width, fraction = TYPES[name].bits, FRACTION[name]
    return (1 << (width - 1)) - (1 << fraction)


def is_nan(bits, name):
    return bits & ((1 << (TYPES[name].bits - 1)) - 1) > infinity(name)


def number(bits, name):
    """The value of a float that is no NaN."""
    if name == "bf16":
        bits, name = bits << 16, "f32"
    whole, real = PACKING[name]
    return struct.unpack(real, struct.pack(whole, bits))[0]


def rounded(value, name):
    """The bits of the nearest float, ties to even; a NaN is the negative quiet one without payload."""
    if value != value:
        return 1 << (TYPES[name].bits - 1) | infinity(name) | quiet_bit(name)
    if name == "bf16":
        bits = rounded(value, "f32")
        return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16
    whole, real = PACKING[name]
    try:
        return struct.unpack(whole, struct.pack(real, value))[0]
    except OverflowError:
        return rounded(-0.0 if value < 0 else 0.0, name) | infinity(name)


def computed(name, operator, there, update):
    """The sum of two f16 or bf16, and their product, comes out the same through f32 or without."""
    if is_nan(there, name) or is_nan(update, name):
        return (there if is_nan(there, name) else update) | quiet_bit(name)
    return rounded(OPERATORS[operator](number(there, name), number(update, name)), name)


def widened(bits, name):
    """To f32; payload bits move up."""
    if not is_nan(bits, name):
        return rounded(number(bits, name), "f32")
    fraction, sign = FRACTION[name], bits >> 15 << 31
    return sign | infinity("f32") | (bits & ((1 << fraction) - 1)) << (23 - fraction)


def narrowed(bits, name):
    """From f32; a NaN keeps its upper payload bits and comes out quiet."""
    if not is_nan(bits, "f32"):
        return rounded(number(bits, "f32"), name)
    fraction, sign = FRACTION[name], bits >> 31 << 15
    return sign | infinity(name) | quiet_bit(name) | (bits & 0x7FFFFF) >> (23 - fraction)


# ---- Combining, by kind of type ----


def combine_float(name, how, propagate, there, update):
    if how in OPERATORS:
        return computed(name, how, there, update)
    if is_nan(there, name):
        return there
    if is_nan(update, name):
        return update if propagate else there
    a, b = number(there, name), number(update, name)
    return update if (b < a if how == "min" else b > a) else there


def combine_whole(name, how, propagate, there, update):
    kind, bits = TYPES[name]
    if how in OPERATORS:
        return OPERATORS[how](there, update) % (1 << bits)
    a, b = (signed(v, bits) if kind == "signed" else v for v in (there, update))
    return update if (b < a if how == "min" else b > a) else there


def combine_logical(name, how, propagate, there, update):
    return int({"add": there or update, "mul": there and update}[how] != 0)


def combine_complex(name, how, propagate, there, update):
    part, width = {"c64": ("f32", 32), "c128": ("f64", 64)}[name]
    mask = (1 << width) - 1
    a, b, c, d = there & mask, there >> width, update & mask, update >> width

    def step(operator, x, y):
        return computed(part, operator, x, y)

    if how == "mul":
        real = step("sub", step("mul", a, c), step("mul", b, d))
        return real | step("add", step("mul", a, d), step("mul", b, c)) << width
    return step(how, a, c) | step(how, b, d) << width


def combine_text(name, how, propagate, there, update):
    return {"add": there + update}[how]


COMBINE = {
    "float": combine_float,
    "signed": combine_whole,
    "unsigned": combine_whole,
    "logical": combine_logical,
    "complex": combine_complex,
    "text": combine_text,
}


def combine(name, how, propagate, there, update):
    if how == "store":
        return update
    return COMBINE[TYPES[name].kind](name, how, propagate, there, update)
