"""The checker's own terms: read from a table of JSON, with substitution that no binder captures.

A term is a variable, a number, an operation or function with arguments, or one of three binders: a sum, an existence, a
fold. Nothing here is shared with the prover.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

SORTS: Final = ("Int", "Bool", "Real", "NullableInt", "NullableBool", "NullableReal")
BINDERS: Final = ("sum", "exists", "fold")
ARITIES: Final = {
    **dict.fromkeys(("[]", "not", "some", "get", "is_null"), 1),
    **dict.fromkeys(("=", "<=", "<", "div", "mod", "monus", "min", "ratio"), 2),
    "null": 0,
    "ite": 3,
    "and": None,
    "or": None,
    "+": None,
    "*": None,
}


class Refused(Exception):
    """A certificate that does not prove what it claims, or that the checker does not understand."""


@dataclass(frozen=True)
class Signature:
    """What a function takes; a stream gives natural numbers from time 0 on, an order compares two rows."""

    parameters: tuple[str, ...]
    kind: str = "free"
    present: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class Term:
    """A node; `kind` is var, number, op, call, sum, exists or fold. Equal terms are equal objects in all parts."""

    kind: str
    name: str
    sort: str
    args: tuple["Term", ...] = ()
    variables: tuple["Term", ...] = ()
    value: int | bool | Fraction | None = None
    signature: Signature | None = None
    identity: tuple[Any, ...] = field(init=False, repr=False)
    number: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        parts = (self.kind, self.name, self.sort, self.args, self.variables, repr(self.value), self.signature)
        object.__setattr__(self, "identity", parts)
        object.__setattr__(self, "number", hash(parts))

    def __hash__(self) -> int:
        return self.number

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, Term) and self.number == other.number and self.identity == other.identity
        )


def var(name: str, sort: str) -> Term:
    return Term("var", name, sort)


def num(value: int | bool | Fraction, sort: str = "Int") -> Term:
    return Term("number", "", sort, value=value)


def op(name: str, *args: Term, sort: str) -> Term:
    return Term("op", name, sort, args)


TIME: Final = var("t", "Int")
TRUE: Final = num(True, "Bool")
FALSE: Final = num(False, "Bool")
ZERO: Final = num(0)
ONE: Final = num(1)


def plain(sort: str) -> str:
    return sort.removeprefix("Nullable")


def nullable(sort: str) -> str:
    return "Nullable" + plain(sort)


_FREE: dict[Term, frozenset[Term]] = {}


def free(term: Term) -> frozenset[Term]:
    """The variables that are free in a term."""
    known = _FREE.get(term)
    if known is None:
        inner = frozenset[Term]().union(*map(free, term.args))
        known = frozenset([term]) if term.kind == "var" else inner.difference(term.variables)
        _FREE[term] = known
    return known


def rebuilt(term: Term, args: Sequence[Term], variables: Sequence[Term] | None = None) -> Term:
    bound = term.variables if variables is None else tuple(variables)
    return Term(term.kind, term.name, term.sort, tuple(args), bound, term.value, term.signature)


def substitute(term: Term, by: Mapping[Term, Term]) -> Term:
    """All at once; a binder in the way of a variable gets another name."""
    by = {v: new for v, new in by.items() if v in free(term)}
    if not by:
        return term
    if term.kind == "var":
        return by[term]
    if not term.variables:
        return rebuilt(term, [substitute(arg, by) for arg in term.args])
    coming = frozenset[Term]().union(*map(free, by.values()))
    renamed = away_from(term.variables, coming | free(term.args[0]), {v for v in term.variables if v in coming})
    inner = {**by, **renamed}
    return rebuilt(term, [substitute(term.args[0], inner)], [renamed.get(v, v) for v in term.variables])


def away_from(variables: Iterable[Term], used: Iterable[Term], taken: Iterable[Term]) -> dict[Term, Term]:
    """New names for those of the variables that are taken."""
    names = {v.name for v in used} | {v.name for v in variables}
    renamed: dict[Term, Term] = {}
    for v in variables:
        if v in set(taken):
            name = v.name + "~"
            while name in names:
                name += "~"
            names.add(name)
            renamed[v] = var(name, v.sort)
    return renamed


# Reading


def read_terms(table: Any, symbols: list[tuple[str, str, Signature]]) -> list[Term]:
    """The terms of a certificate: each refers to earlier ones by their places."""
    terms: list[Term] = []
    for entry in listed(table):
        terms.append(_term(listed(entry), terms, symbols))
    return terms


def listed(value: Any) -> list[Any]:
    """The value, if it is a list."""
    if not isinstance(value, list):
        raise Refused(f"a list is expected, not {value!r}")
    return value


def read_symbol(entry: Any) -> tuple[str, str, Signature]:
    """The name, the result and the signature of a function."""
    if not isinstance(entry, dict) or set(entry) != {"name", "parameters", "result", "kind", "present"}:
        raise Refused("a symbol has a name, parameters, a result, a kind and columns that are present")
    name, result, kind = entry["name"], entry["result"], entry["kind"]
    parameters, present = tuple(listed(entry["parameters"])), tuple(listed(entry["present"]))
    known = all(sort in SORTS for sort in (*parameters, result)) and kind in ("free", "stream", "order")
    inside = all(type(p) is int and 0 <= p < len(parameters) for p in present)
    if not isinstance(name, str) or not known or not inside or (present and kind != "stream"):
        raise Refused(f"the symbol {name!r} is not well formed")
    return name, result, Signature(parameters, kind, present)


def _term(entry: list[Any], terms: list[Term], symbols: list[tuple[str, str, Signature]]) -> Term:
    match entry:
        case ["var", str(name), sort] if sort in SORTS:
            return var(name, sort)
        case ["number", "Int", int(value)] if type(value) is int:
            return num(value)
        case ["number", "Bool", bool(value)]:
            return TRUE if value else FALSE
        case ["number", "Real", [int(above), int(below)]] if below > 0:
            return num(Fraction(above, below), "Real")
        case ["op", str(name), sort, args] if name in ARITIES and sort in SORTS:
            return _checked(op(name, *_places(args, terms), sort=sort))
        case ["call", int(place), args] if 0 <= place < len(symbols):
            name, result, signature = symbols[place]
            return _checked(Term("call", name, result, _places(args, terms), signature=signature))
        case ["sum" | "exists" as kind, variables, body]:
            return _checked(Term(kind, "", _SUMS[kind], _places([body], terms), _places(variables, terms)))
        case ["fold", str(name), sort, variable, body] if sort in SORTS:
            return _checked(Term("fold", name, sort, _places([body], terms), _places([variable], terms)))
    raise Refused(f"no term is written as {entry!r}")


_SUMS: Final = {"sum": "Int", "exists": "Bool"}


def _places(places: Any, terms: list[Term]) -> tuple[Term, ...]:
    if not all(type(p) is int and 0 <= p < len(terms) for p in listed(places)):
        raise Refused(f"a term refers to what does not come before it: {places!r}")
    return tuple(terms[p] for p in places)


def _checked(term: Term) -> Term:
    """The term, if the sorts of its parts fit together."""
    sorts = [arg.sort for arg in term.args]
    if term.kind == "call":
        fits = term.signature is not None and tuple(sorts) == term.signature.parameters
    elif term.kind in BINDERS:
        bodies = {"sum": "Int", "exists": "Bool", "fold": "Int"}
        fits = bool(term.variables) and sorts == [bodies[term.kind]] and bool(bindable(term.variables))
    else:
        fits = ARITIES[term.name] in (None, len(sorts)) and _fits(term.name, term.sort, sorts)
    if not fits:
        raise Refused(f"the parts of {term.kind} {term.name!r} do not fit together: {sorts}")
    return term


def bindable(variables: Sequence[Term]) -> Sequence[Term]:
    """The variables, if they are different; the instant is never bound, because it is assumed not to be negative."""
    if any(v.kind != "var" or v == TIME for v in variables) or len(set(variables)) != len(variables):
        raise Refused("variables that are bound are different ones, and not the instant")
    return variables


def _fits(name: str, sort: str, sorts: Sequence[str]) -> bool:
    match name:
        case "+" | "*" | "div" | "mod" | "monus" | "min":
            return sort == "Int" and set(sorts) <= {"Int"}
        case "[]":
            return sort == "Int" and sorts == ["Bool"]
        case "and" | "or" | "not":
            return sort == "Bool" and set(sorts) <= {"Bool"}
        case "=":
            return sort == "Bool" and sorts[0] == sorts[1]
        case "<=" | "<":
            return sort == "Bool" and sorts[0] == sorts[1] and sorts[0] in ("Int", "Real")
        case "ite":
            return sorts == ["Bool", sort, sort]
        case "some":
            return sort == nullable(sorts[0]) and sorts[0] == plain(sorts[0])
        case "get":
            return sorts[0] == nullable(sort) and sort == plain(sort)
        case "is_null":
            return sort == "Bool" and sorts[0] == nullable(sorts[0])
        case "ratio":
            return sort == "Real" and set(sorts) == {"Int"}
        case _:
            return name == "null" and sort == nullable(sort)
