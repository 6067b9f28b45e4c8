"""What a formula does, element by element, from coordinates."""
from collections import namedtuple
from itertools import product

from arithmetic import TYPES, combine, narrowed, widened
from formula import COMBINES, OPERATIONS, accesses_of, bind, dimensions, groups_of, has_tuples, is_lookup


# A subscript that looks up: the tensor that it addresses, its shape, where it looks, and the extents it must keep to.
Target = namedtuple("Target", "name shape lookup extents")


class OutOfBounds(Exception):
    pass


class Bounds:
    """What becomes of an index value."""

    def __init__(self, mode, has_fill):
        self.mode = mode
        self.reports = mode in ("error", "unchecked") or (mode == "from_end" and not has_fill)

    def wraps(self, value):
        return self.mode == "from_end" and value < 0

    def coordinate(self, value, plus, extent):
        """None where there is no such place."""
        at = value + plus + (extent if self.wraps(value) else 0)
        if self.mode == "clip":
            at = min(max(at, 0), extent - 1)
        return at if 0 <= at < extent else None

    def fail(self, target, position, values, plus):
        if self.mode == "unchecked":
            raise ValueError("unchecked, with an index out of bounds: nothing is said of the result")
        where = target.lookup.name + ("[%s]" % listed(position) if position else "")
        value, extent = values[0], target.extents[0]
        if has_tuples(target.lookup):
            text = "%s = [%s] does not index into %s of shape [%s]"
            raise OutOfBounds(text % (where, listed(values), target.name, listed(target.shape)))
        if plus is None:
            low = -extent if self.mode == "from_end" else 0
            raise OutOfBounds("%s = %d is not in [%d, %d)" % (where, value, low, extent))
        steps = [value, plus] + [extent] * self.wraps(value)
        sums = " + ".join(map(str, steps))
        raise OutOfBounds("%s = %d: %s = %d is not in [0, %d)" % (where, value, sums, sum(steps), extent))


def listed(values):
    return ",".join(map(str, values))


def strides_of(shape):
    strides = [1] * len(shape)
    for i in reversed(range(len(shape) - 1)):
        strides[i] = strides[i + 1] * shape[i + 1]
    return strides


def points(extents):
    return list(product(*map(range, extents)))


def followed(parts, point):
    """The coordinates of an access: its parts one after the other."""
    coordinates = ()
    for where, found in parts:
        part = point[where] if found is None else found[tuple([point[i] for i in where])]
        if part is None:
            return None
        coordinates += part
    return coordinates


class Problem:
    def __init__(self, operation, tensors, attributes):
        self.tensors = tensors
        self.shapes = {name: tensor.shape for name, tensor in tensors.items() if name != "fill"}
        self.attributes = attributes
        self.formula, self.ranks, extents = bind(OPERATIONS[operation], self.shapes, attributes)
        self.points = {group: points(extents[group]) for group in extents}
        self.groups = list(dict.fromkeys(g for access in accesses_of(self.formula) for g in groups_of(access)))
        self.bounds = Bounds(attributes.get("bounds", "error"), "fill" in tensors)

    def resolve(self, target, added):
        """For each point of the groups of a subscript that looks up: the coordinates, or None for no such place."""
        tensor, found, bounds = self.tensors[target.lookup.name], {}, self.bounds
        groups = groups_of(target.lookup)
        for point in product(*(self.points[group] for group in groups + added)):
            position = sum(point[: len(groups)], ())
            plus = sum(sum(point[len(groups) :], ())) if added else None
            values = [tensor.index(at) for at in self.places(target.lookup, position)]
            coordinates = [bounds.coordinate(v, plus or 0, extent) for v, extent in zip(values, target.extents)]
            is_outside = None in coordinates
            if is_outside and bounds.reports:
                bounds.fail(target, position, values, plus)
            found[point] = None if is_outside else tuple(coordinates)
        return [self.groups.index(group) for group in groups + added], found

    def places(self, lookup, position):
        if not has_tuples(lookup):
            return [position]
        return [position + (i,) for i in range(self.shapes[lookup.name][-1])]

    def locate(self, access):
        """Where an access points: a function of a point of all groups. None: nowhere."""
        parts, at, shape = [], 0, self.shapes[access.name]
        for terms in access.subscripts:
            count = dimensions(terms, self.ranks, self.shapes)
            added = [term for term in terms if not is_lookup(term)]
            if added == terms:
                parts.append((self.groups.index(terms[0]), None))
            else:
                lookup = next(filter(is_lookup, terms))
                target = Target(access.name, shape, lookup, shape[at : at + count])
                parts.append(self.resolve(target, added))
            at += count

        return lambda point: followed(parts, point)

    def elements(self, name):
        tensor = self.tensors[name]
        return [tensor.element(at) for at in points(tensor.shape)]

    def start(self, dtype):
        size = len(points(self.shapes["out"]))
        if self.formula.start in (None, "zeros"):
            return [nothing(dtype)] * size
        return self.elements(self.formula.start)

    def result(self):
        """The type, the shape and the elements of the output. All indices are looked at before the first store."""
        left, factors = self.locate(self.formula.left), [self.locate(access) for access in self.formula.factors]
        sources = [self.tensors[access.name] for access in self.formula.factors]
        dtype = sources[0].dtype
        fill = self.tensors["fill"].element(()) if "fill" in self.tensors else nothing(dtype)
        how = COMBINES.get(self.formula.sign) or self.attributes.get("combine", "store")
        number = Number(dtype, how, self.attributes)
        out, strides = [number.enter(e) for e in self.start(dtype)], strides_of(self.shapes["out"])
        for point in product(*(self.points[group] for group in self.groups)):
            to = left(point)
            if to is None:
                continue
            places = [factor(point) for factor in factors]
            values = [number.enter(fill if at is None else source.element(at)) for source, at in zip(sources, places)]
            at = sum(map(int.__mul__, to, strides))
            out[at] = number.combined(out[at], values)
        return dtype, self.shapes["out"], [number.leave(e) for e in out]


def nothing(dtype):
    return b"" if TYPES[dtype].kind == "text" else 0


class Number:
    """A way to combine elements of a type. accumulate = f32: f16 and bf16 enter as f32 and are rounded on leaving."""

    def __init__(self, dtype, how, attributes):
        self.dtype = dtype
        self.is_wide = attributes.get("accumulate") == "f32" and dtype in ("f16", "bf16")
        self.inner = "f32" if self.is_wide else dtype
        self.how = how
        self.propagate = attributes.get("nan") == "propagate"

    def enter(self, element):
        return widened(element, self.dtype) if self.is_wide else element

    def leave(self, element):
        return narrowed(element, self.dtype) if self.is_wide else element

    def combined(self, there, values):
        value = values[0]
        for factor in values[1:]:
            value = combine(self.inner, "mul", False, value, factor)
        return combine(self.inner, self.how, self.propagate, there, value)
