"""The seven formulas as text, and what a formula says of shapes."""
import re
from collections import namedtuple

# attributes: default, and what a negative value counts from. ranks: of groups that do not follow from the shapes.
# extents: of groups that an attribute gives; output: the attribute that gives the output's.
OPERATIONS = {
    "gather": {
        "formula": "out[B, O, N, S] = params[B, O, indices[B, N], S]",
        "attributes": {"batch_dims": ("0", "rank(indices)"), "axis": ("batch_dims", "rank(params)")},
        "ranks": {"B": "batch_dims", "O": "axis - batch_dims"},
    },
    "gather_nd": {
        "formula": "out[B, N, S] = params[B, indices[B, N, *], S]",
        "attributes": {"batch_dims": ("0", "0")},
        "ranks": {"B": "batch_dims"},
    },
    "scatter_nd": {
        "formula": "out[indices[N, *], S] += updates[N, S] from zeros",
        "output": "shape",
    },
    "tensor_scatter": {
        "formula": "out[indices[N, *], S] ?= updates[N, S] from tensor",
    },
    "take_along_axis": {
        "formula": "out[P, N, S] = params[P, indices[P, N, S], S]",
        "attributes": {"axis": ("-1", "rank(params)")},
        "ranks": {"P": "axis", "N": "1"},
    },
    "embedding_bag": {
        "formula": "out[G, S] += table[indices[G, L], S] * weights[G, L] from zeros",
        "ranks": {"L": "1"},
    },
    "window_gather": {
        "formula": "out[B, W, S] = params[B, start[B] + W, S]",
        "extents": {"W": "window"},
    },
}
COMBINES = {"=": "store", "+=": "add", "-=": "sub", "*=": "mul", "min=": "min", "max=": "max"}

# A subscript is a list of terms that are added up; a term is a group, "*", or the access of a tensor that is looked up.
Formula = namedtuple("Formula", "left sign factors start")
Access = namedtuple("Access", "name subscripts")
TOKEN = re.compile(r"(?:min|max)=|\w+|[-+*?]=|[][,+*=]")


def parse(text):
    tokens = TOKEN.findall(text)
    left, sign, factors = parse_access(tokens), tokens.pop(0), [parse_access(tokens)]
    while tokens and tokens[0] == "*":
        tokens.pop(0)
        factors.append(parse_access(tokens))
    return Formula(left, sign, factors, tokens[1] if tokens else None)


def parse_access(tokens):
    name, subscripts = tokens.pop(0), []
    while tokens.pop(0) != "]":
        subscripts.append(parse_subscript(tokens))
    return Access(name, subscripts)


def parse_subscript(tokens):
    terms = [parse_term(tokens)]
    while tokens[0] == "+":
        tokens.pop(0)
        terms.append(parse_term(tokens))
    return terms


def parse_term(tokens):
    return parse_access(tokens) if tokens[1] == "[" else tokens.pop(0)


def is_lookup(term):
    return isinstance(term, Access)


def has_tuples(access):
    return access.subscripts[-1] == ["*"]


def groups_of(access):
    """In the order of the text, each once."""
    names = []
    for terms in access.subscripts:
        for term in terms:
            names += groups_of(term) if is_lookup(term) else [term] if term != "*" else []
    return list(dict.fromkeys(names))


def accesses_of(formula):
    """All of them; one that is looked up comes after the one that it is a subscript of."""
    found = [formula.left] + formula.factors
    for access in found:
        found += [term for terms in access.subscripts for term in terms if is_lookup(term)]
    return found


def dimensions(terms, ranks, shapes):
    """How many dimensions a subscript addresses; None as long as its group's rank is unknown."""
    if len(terms) > 1 or terms == ["*"]:
        return 1
    if is_lookup(terms[0]):
        return shapes[terms[0].name][-1] if has_tuples(terms[0]) else 1
    return ranks.get(terms[0])


def evaluate(text, shapes, attributes):
    return eval(text, {"__builtins__": {}, "rank": len}, {**shapes, **attributes})


def complete_attributes(operation, shapes, attributes):
    for name, (default, wrap) in operation.get("attributes", {}).items():
        value = attributes.setdefault(name, evaluate(default, shapes, attributes))
        if value < 0:
            attributes[name] = value + evaluate(wrap, shapes, attributes)


def solve_ranks(accesses, shapes, ranks):
    known = [access for access in accesses if access.name in shapes]
    for access in known * len(known):
        counts = [dimensions(terms, ranks, shapes) for terms in access.subscripts]
        if counts.count(None) == 1:
            group = access.subscripts[counts.index(None)][0]
            ranks[group] = len(shapes[access.name]) - sum(count or 0 for count in counts)


def take_extents(access, shape, shapes, ranks, extents):
    """Of its groups, which have the same extents wherever they appear."""
    at = 0
    for terms in access.subscripts:
        count = dimensions(terms, ranks, shapes)
        if not any(map(is_lookup, terms)) and terms != ["*"]:
            found = tuple(shape[at : at + count])
            if extents.setdefault(terms[0], found) != found:
                raise ValueError("%s has extents %s and %s" % (terms[0], extents[terms[0]], found))
        at += count
    if at != len(shape):
        raise ValueError("%s has %d dimensions, not %d" % (access.name, len(shape), at))


def bind(operation, shapes, attributes):
    """The parsed formula, its groups' ranks and extents; adds defaults to the attributes and `out` to the shapes."""
    formula = parse(operation["formula"])
    complete_attributes(operation, shapes, attributes)
    extents = {group: tuple(attributes[name]) for group, name in operation.get("extents", {}).items()}
    ranks = {group: len(extent) for group, extent in extents.items()}
    ranks.update((g, evaluate(text, shapes, attributes)) for g, text in operation.get("ranks", {}).items())
    if formula.start:
        given = attributes[operation["output"]] if "output" in operation else shapes.get(formula.start)
        if given is not None:
            shapes["out"] = tuple(given)
    accesses = accesses_of(formula)
    solve_ranks(accesses, shapes, ranks)
    for access in accesses:
        if access.name in shapes:
            take_extents(access, shapes[access.name], shapes, ranks, extents)
    if "out" not in shapes:
        shapes["out"] = sum((extents[terms[0]] for terms in formula.left.subscripts), ())
    return formula, ranks, extents
