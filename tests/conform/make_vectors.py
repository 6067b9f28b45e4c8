#!/usr/bin/env python3
"""Makes vectors/*.txt: what TensorFlow answers on small random problems, from a fixed seed.

Needs tensorflow 2.21.0. Run without arguments: rewrites the folder `vectors` beside this file.
README.md tells the format, and what is left out because Gasket differs from TensorFlow on purpose.
"""
import math
import os
import re
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import ml_dtypes
import numpy as np
import tensorflow as tf

VERSION = "2.21.0"
SEED = 2121
FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "vectors")

REAL = {
    "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64,
    "u8": np.uint8, "u16": np.uint16, "u32": np.uint32, "u64": np.uint64,
    "f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64,
}
FLOATS = ("f16", "bf16", "f32", "f64")
COMPLEX = {"c64": np.complex64, "c128": np.complex128}
LOGICAL = {"bool": np.bool_}
FP8 = {"f8_e5m2": ml_dtypes.float8_e5m2, "f8_e4m3fn": ml_dtypes.float8_e4m3fn}
STRING = {"string": object}
NUMPY = {**REAL, **COMPLEX, **LOGICAL, **FP8, **STRING}
NAMES = {np.dtype(t): n for n, t in NUMPY.items()}
INDEX = ("i16", "i32", "i64")
COMBINES = {
    "store": ("Update", [*REAL, *COMPLEX, *LOGICAL, *STRING]),
    "add": ("Add", [*REAL, *COMPLEX]),
    "sub": ("Sub", [*REAL, *COMPLEX]),
    "min": ("Min", [*REAL]),
    "max": ("Max", [*REAL]),
}

random = np.random.default_rng(SEED)


def pick(items):
    return items[int(random.integers(len(items)))]


# ---- Values ----

def string():
    length = pick([0, 1, 1, 2, 3, 5, 20])
    return bytes(random.integers(0, 256, length, dtype=np.uint8))


def any_bits(name, shape):
    """Elements of all bit patterns: for what is only moved."""
    count = math.prod(shape)
    if name == "string":
        array = np.empty(count, object)
        array[:] = [string() for _ in range(count)]
        return array.reshape(shape)
    if name == "bool":
        return random.integers(0, 2, shape).astype(bool)
    dtype = np.dtype(NUMPY[name])
    raw = random.integers(0, 256, count * dtype.itemsize, dtype=np.uint8)
    return raw.view(dtype).reshape(shape)


def real_floats(name, shape, specials):
    """Floats of few digits with some special values among them."""
    values = (random.integers(-4096, 4097, shape) / random.choice([1, 3, 64, 1000], shape)).astype(NUMPY[name])
    if specials and values.size:
        chosen = random.random(shape) < 0.25
        values = np.where(chosen, random.choice(np.array(specials, NUMPY[name]), shape), values)
    return values.astype(NUMPY[name])


def summands(name, shape):
    """For sums. Infinities have one sign and NaNs one payload, so that every NaN in a result has known bits; subnormals
    only in f16, since TensorFlow flushes the others to zero."""
    if name in ("bool", "string") or name[0] in "iu":
        return any_bits(name, shape)
    specials = pick([[], [-0.0, 0.0], [np.nan, -0.0], [np.inf, 0.0]])
    if name == "f16":
        specials = specials + [2.0 ** -24, -3 * 2.0 ** -24]
    if name in COMPLEX:
        part = "f32" if name == "c64" else "f64"
        pairs = real_floats(part, (*shape, 2), specials)
        return np.ascontiguousarray(pairs).view(NUMPY[name]).reshape(shape)
    return real_floats(name, shape, specials)


def comparands(name, shape):
    """For min and max. TensorFlow's vector code for bf16 drops the sign of a NaN, its scalar code keeps it."""
    if name not in FLOATS:
        return any_bits(name, shape)
    specials = [np.nan, np.nan if name == "bf16" else -np.nan, 0.0, -0.0, np.inf, -np.inf, 0.0, -0.0]
    return np.where(random.random(shape) < 0.5, real_floats(name, shape, specials),
                    random.integers(-1, 2, shape).astype(NUMPY[name])).astype(NUMPY[name])


def no_infinite_difference(tensor, updates):
    """inf - inf makes a NaN whose sign differs between machines."""
    if tensor.dtype.kind in "iubO":
        return True
    parts = [np.asarray(a).astype(np.complex128).ravel().view(np.float64) for a in (tensor, updates)]
    infinite = [part[np.isinf(part)] for part in parts]
    return not (infinite[0].size and infinite[1].size)


# ---- Shapes ----

def extents(rank, budget, empty=0.0):
    shape = []
    for _ in range(rank):
        n = min(pick([1, 1, 2, 2, 3, 3, 4, 5, 7]), max(1, budget))
        budget //= n
        shape.append(n)
    shape = [int(n) for n in random.permutation(shape)] if rank else []
    if rank and random.random() < empty:
        shape[int(random.integers(rank))] = 0
    return shape


def budget_of(name):
    width = 8 if name == "string" else np.dtype(NUMPY[name]).itemsize
    return max(6, min(36, 120 // width))


def below(limits, shape, dtype):
    """Indices in range, with duplicates: limits is one extent, or one for each value of a tuple."""
    return (random.random(shape) * np.asarray(limits)).astype(NUMPY[dtype])


def spoiled(indices, limits, how_many):
    """`how_many` values out of range, one in a tuple."""
    flat = indices.copy().reshape(-1, max(1, len(limits)))
    top = np.iinfo(indices.dtype)
    for row in random.permutation(len(flat))[:how_many]:
        column = int(random.integers(len(limits)))
        limit = limits[column]
        flat[row, column] = pick([limit, limit, -1, -limit - 1, limit + 5, top.min, top.max])
    return flat.reshape(indices.shape)


# ---- Text ----

def tensor_text(array, is_index=False):
    array = np.asarray(array, object if isinstance(array, bytes) else None)  # a string of rank 0 comes as bytes
    shape = ",".join(map(str, array.shape))
    name = NAMES[array.dtype]
    if is_index:
        return f"{name}[{shape}]=" + ",".join(str(int(v)) for v in array.ravel())
    if name == "string":
        body = ".".join(v.hex() for v in array.ravel())
    else:
        body = np.ascontiguousarray(array).tobytes().hex()
    return f"{name}[{shape}]:{body}"


def error_text(error):
    """OUT_OF_BOUNDS with what Gasket's message must hold (blanks removed), or INVALID_ARGUMENT."""
    found = re.search(r"indices(\[[\d,]*\])? = (\[[-\d, ]*\]|-?\d+) (is not in|does not index)", str(error))
    if not found:
        return "INVALID_ARGUMENT"
    return "OUT_OF_BOUNDS:indices" + (found[1] or "") + "=" + found[2].replace(" ", "")


class Writer:
    def __init__(self, operation):
        self.operation, self.lines = operation, []

    def add(self, run, expect, arguments, attributes, place=True):
        """Runs TensorFlow, and keeps its answer, which must be of the kind `expect`."""
        try:
            answer, kind = "out=" + tensor_text(run().numpy()), "ok"
        except (tf.errors.InvalidArgumentError, ValueError) as error:
            answer = "error=" + error_text(error)
            kind = "bounds" if "OUT_OF_BOUNDS" in answer else "invalid"
            if not place:
                answer = answer.split(":")[0]
        words = [f"{k}={tensor_text(v, k == 'indices')}" for k, v in arguments.items()]
        words += [f"{k}={v}" for k, v in attributes.items()]
        line = " ".join([*words, answer])
        if kind != expect:
            sys.exit(f"{self.operation}: expected {expect}: {line}")
        self.lines.append(line)

    def write(self):
        with open(os.path.join(FOLDER, self.operation + ".txt"), "w", encoding="ascii") as file:
            file.write(f"# {self.operation}: answers of TensorFlow {VERSION}; made by make_vectors.py\n")
            file.write("\n".join(self.lines) + "\n")
        return len(self.lines)


# ---- gather ----

def gather_line(writer, params, indices, axis, batch, expect="ok", default_axis=False):
    attributes = {}
    if not default_axis:
        attributes["axis"] = axis
    if batch:
        attributes["batch_dims"] = batch

    def run():
        if default_axis:
            return tf.gather(params, indices, batch_dims=batch)
        return tf.raw_ops.GatherV2(params=params, indices=indices, axis=axis, batch_dims=batch)

    writer.add(run, expect, {"params": params, "indices": indices}, attributes)


def gather_problem(name, index, empty=0.0):
    rank = int(random.integers(1, 8))
    axis = int(random.integers(rank))
    batch = int(random.integers(axis + 1)) if random.random() < 0.5 else 0
    budget = budget_of(name)
    shape = extents(rank, budget, empty)
    more = extents(int(random.integers(0, 3)), max(2, budget // 6), empty / 2)
    if shape[axis] == 0 and math.prod(shape[:batch] + more):
        shape[axis] = 1
    indices = below(shape[axis], shape[:batch] + more, index)
    return any_bits(name, shape), indices, axis, batch


def signed(axis, rank):
    return axis - rank if random.random() < 0.4 else axis


def gather():
    writer = Writer("gather")
    for name in NUMPY:
        for index in INDEX:
            for turn in range(7):
                params, indices, axis, batch = gather_problem(name, index, 0.12)
                rank = indices.ndim
                told = batch - rank if 0 < batch < rank and random.random() < 0.4 else batch
                gather_line(writer, params, indices, signed(axis, params.ndim), told,
                            default_axis=axis == batch and told >= 0 and turn % 2 == 0)
    for width in list(range(1, 34)) + [47, 48, 63, 64, 65, 80]:
        indices = below(4, (3,), pick(INDEX))
        gather_line(writer, any_bits("u8", (4, width)), indices, 0, 0)
    for name in ("f32", "i16", "string", "c128"):
        gather_line(writer, any_bits(name, (6,)), np.int64(3), 0, 0)
    count = 0
    while count < 70:
        params, indices, axis, batch = gather_problem(pick(list(NUMPY)), pick(INDEX))
        if indices.size and params.size:
            gather_line(writer, params, spoiled(indices, [params.shape[axis]], 1), axis, batch, "bounds")
            count += 1
    for shape, picked, axis, batch in (
            ((0, 5), (1,), 0, 0), ((2, 0), (2, 1), 1, 1), ((4, 0), (1,), 1, 0)):
        gather_line(writer, any_bits("f32", shape), np.zeros(picked, np.int32), axis, batch, "bounds")
    for shape, picked, axis, batch in (
            ((2, 3, 4), (2,), 3, 0), ((2, 3, 4), (2,), -4, 0), ((2, 3, 4), (2,), 100, 0), ((2, 3, 4), (2,), -100, 0),
            ((3, 2), (1,), 0, 10), ((5,), (3,), 0, 1), ((3, 2), (3, 2), 1, 3), ((3, 2), (3,), 1, -2),
            ((2, 3), (3, 2), 1, 1), ((2, 3, 4), (2, 4, 1), 2, 2), ((2, 3), (2, 1), 0, 1), ((2, 3), (1, 2), 1, 1),
            ((), (1,), 0, 0)):
        gather_line(writer, any_bits("i32", shape), np.zeros(picked, np.int64), axis, batch, "invalid")
    return writer.write()


# ---- gather_nd ----

def gather_nd_line(writer, params, indices, batch, expect="ok", fill=False):
    attributes = {"batch_dims": batch} if batch else {}
    if fill:
        attributes["bounds"] = "fill"
    policy = "IGNORE" if fill else ""
    writer.add(lambda: tf.gather_nd(params, indices, batch_dims=batch, bad_indices_policy=policy), expect,
               {"params": params, "indices": indices}, attributes, place=batch == 0)


def gather_nd_problem(name, index, empty=0.0):
    rank = int(random.integers(1, 8))
    batch = int(random.integers(rank)) if random.random() < 0.4 else 0
    depth = int(random.integers(0 if batch == 0 else 1, rank - batch + 1))
    budget = budget_of(name)
    shape = extents(rank, budget, empty)
    more = extents(int(random.integers(0, 3)), max(2, budget // 6), empty / 2)
    limits = shape[batch:batch + depth]
    lead = shape[:batch] + more
    if math.prod(lead) and not math.prod(shape):
        lead = lead[:batch] + [0] + lead[batch:]
    return any_bits(name, shape), below(limits, (*lead, depth), index), batch, limits


def gather_nd():
    writer = Writer("gather_nd")
    for name in NUMPY:
        for index in INDEX:
            for _ in range(5):
                params, indices, batch, limits = gather_nd_problem(name, index, 0.1)
                gather_nd_line(writer, params, indices, batch)
    for turn in range(120):
        params, indices, batch, limits = gather_nd_problem(pick(list(NUMPY)), pick(INDEX))
        if indices.size and params.size:
            fill = turn % 2 == 0
            wrong = spoiled(indices, limits, int(random.integers(1, 4)) if fill else 1)
            gather_nd_line(writer, params, wrong, batch, "ok" if fill else "bounds", fill)
    for width in (1, 2, 3, 4, 5, 8, 12, 16, 17, 32, 33):
        gather_nd_line(writer, any_bits("u8", (2, 3, width)), below((2, 3), (4, 2), pick(INDEX)), 0)
    for shape, picked, batch in (
            ((2, 3), (1, 3), 0), ((8,), (2, 2), 0), ((), (1, 1), 0), ((2, 3), (), 0), ((2, 3), (2, 1), 2),
            ((2, 3), (2, 1), -1), ((2, 3, 2), (3, 1, 1), 1), ((2, 3), (2, 2), 1)):
        gather_nd_line(writer, any_bits("f32", shape), np.zeros(picked, np.int32), batch, "invalid")
    return writer.write()


# ---- scatter_nd, tensor_scatter ----

def scatter_problem(name, index, empty=0.0):
    rank = int(random.integers(1, 8))
    depth = int(random.integers(1, min(rank, 5) + 1))
    shape = extents(rank, budget_of(name), empty)
    lead = extents(int(random.integers(1, 3)), max(3, budget_of(name) // max(1, math.prod(shape[depth:]))), empty / 2)
    if math.prod(lead) and not math.prod(shape):
        lead[0] = 0
    return shape, below(shape[:depth], (*lead, depth), index), [*lead, *shape[depth:]]


def scatter_nd_line(writer, shape, indices, updates, expect="ok", drop=False):
    attributes = {"shape": ",".join(map(str, shape))}
    if drop:
        attributes["bounds"] = "drop"
    policy = "IGNORE" if drop else ""
    writer.add(lambda: tf.raw_ops.ScatterNd(indices=indices, updates=updates, shape=np.array(shape, indices.dtype),
                                            bad_indices_policy=policy), expect,
               {"indices": indices, "updates": updates}, attributes)


def tensor_scatter_line(writer, combine, tensor, indices, updates, expect="ok", drop=False):
    attributes = {"combine": combine}
    if drop:
        attributes["bounds"] = "drop"
    run = getattr(tf.raw_ops, "TensorScatter" + COMBINES[combine][0])
    policy = "IGNORE" if drop else ""
    writer.add(lambda: run(tensor=tensor, indices=indices, updates=updates, bad_indices_policy=policy), expect,
               {"tensor": tensor, "indices": indices, "updates": updates}, attributes)


def operands(combine, name, shape, updates_shape):
    make = {"store": any_bits, "add": summands, "sub": summands, "min": comparands, "max": comparands}[combine]
    while True:
        tensor, updates = make(name, shape), make(name, updates_shape)
        if combine not in ("add", "sub") or no_infinite_difference(tensor, updates):
            return tensor, updates


def scatter_nd():
    writer = Writer("scatter_nd")
    names = [*REAL, *COMPLEX, *LOGICAL, *STRING]
    for name in names:
        for index in ("i32", "i64"):
            for _ in range(9):
                shape, indices, updates_shape = scatter_problem(name, index, 0.1)
                scatter_nd_line(writer, shape, indices, summands(name, updates_shape))
    for turn in range(80):
        name = pick(names)
        shape, indices, updates_shape = scatter_problem(name, pick(("i32", "i64")))
        drop = turn % 2 == 0
        wrong = spoiled(indices, shape[:indices.shape[-1]], int(random.integers(1, 4)) if drop else 1)
        scatter_nd_line(writer, shape, wrong, summands(name, updates_shape), "ok" if drop else "bounds", drop)
    for shape, picked, given in (
            ((4,), (2, 1), (3,)), ((4, 3), (2, 1), (2, 2)), ((4, 3), (2, 1), (2,)), ((4, 3), (2, 3), (2,)),
            ((4, 3), (2, 2), (2, 3)), ((4, 3), (2, 3, 1), (3, 2, 3)), ((-4,), (1, 1), (1,)),
            ((4,), (3, 1), (1,)), ((4, 4), (2, 1), (2, 1)), ((1, 10, 4), (1, 1, 1), (1, 10, 4))):
        scatter_nd_line(writer, shape, np.zeros(picked, np.int32), any_bits("i32", given), "invalid")
    return writer.write()


def tensor_scatter():
    writer = Writer("tensor_scatter")
    for combine, (_, names) in COMBINES.items():
        for name in names:
            for index in ("i32", "i64"):
                for _ in range(3):
                    shape, indices, updates_shape = scatter_problem(name, index, 0.05)
                    tensor, updates = operands(combine, name, shape, updates_shape)
                    tensor_scatter_line(writer, combine, tensor, indices, updates)
            width = pick([5, 8, 9, 12, 15, 16, 17])
            tensor, updates = operands(combine, name, (2, width), (3, width))
            tensor_scatter_line(writer, combine, tensor, below([2], (3, 1), "i32"), updates)
            one, many = operands(combine, name, (2,), (20,))
            tensor_scatter_line(writer, combine, one, below([2], (20, 1), "i64"), many)
    for turn in range(80):
        combine = pick(list(COMBINES))
        name = pick(COMBINES[combine][1])
        shape, indices, updates_shape = scatter_problem(name, pick(("i32", "i64")))
        tensor, updates = operands(combine, name, shape, updates_shape)
        drop = turn % 2 == 0
        wrong = spoiled(indices, shape[:indices.shape[-1]], int(random.integers(1, 4)) if drop else 1)
        tensor_scatter_line(writer, combine, tensor, wrong, updates, "ok" if drop else "bounds", drop)
    for combine in COMBINES:
        for shape, picked, given in (
                ((4,), (2, 1), (3,)), ((4, 3), (2, 1), (2, 2)), ((4, 3), (2, 3), (2,)),
                ((1, 10, 4), (1, 1, 1), (1, 10, 4))):
            tensor_scatter_line(writer, combine, any_bits("i32", shape), np.zeros(picked, np.int64),
                                any_bits("i32", given), "invalid")
    return writer.write()


def main():
    if tf.__version__ != VERSION:
        sys.exit(f"this is TensorFlow {tf.__version__}, not {VERSION}")
    tf.config.threading.set_inter_op_parallelism_threads(1)
    tf.config.threading.set_intra_op_parallelism_threads(1)
    os.makedirs(FOLDER, exist_ok=True)
    for make in (gather, gather_nd, scatter_nd, tensor_scatter):
        print(make.__name__, make(), "vectors")


if __name__ == "__main__":
    main()
