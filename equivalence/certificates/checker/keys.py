"""Terms in canonical form as texts: equal texts are equal terms, up to names of bound variables and order of parts."""

from collections.abc import Iterable
from fractions import Fraction
from itertools import islice, permutations, product
from typing import Final

from equivalence.certificates.checker.terms import Term, free, num, op, rebuilt

ORDERS_TRIED: Final = 120
"""Orders of variables that are used alike. Beyond this equal terms may get different texts, which only costs proofs."""
_KEYS: dict[tuple[Term, tuple[tuple[Term, str], ...]], str] = {}


def key(term: Term, names: dict[Term, str] | None = None) -> str:
    """A text that determines a term up to the names of bound variables and the order of parts."""
    mine = {v: name for v, name in (names or {}).items() if v in free(term)}
    place = term, tuple(sorted(mine.items(), key=lambda pair: (pair[1], pair[0].name)))
    known = _KEYS.get(place)
    if known is None:
        known = _KEYS[place] = _key(term, mine)
    return known


def _key(term: Term, names: dict[Term, str]) -> str:
    if term.kind == "var":
        return names.get(term, f"{term.name!r}:{term.sort}")
    if term.kind == "number":
        value = Fraction(term.value) if term.sort == "Real" else term.value  # type: ignore[arg-type]
        return f"{value}:{term.sort}"
    if term.variables:
        return min(_bound_keys(term, names))
    parts = [key(arg, names) for arg in term.args]
    if term.kind == "op" and term.name == "=0":
        parts = [min(parts[0], key(_negative(term.args[0]), names))]
    if term.kind == "op" and term.name in ("and", "or", "+", "*", "min", "="):
        parts.sort()
    return f"({term.kind} {term.name!r} {term.sort} {term.signature or ''} {' '.join(parts)})"


def _bound_keys(term: Term, names: dict[Term, str]) -> Iterable[str]:
    """One for each order of those variables that are used alike."""
    (body,) = term.args
    parts = body.args if body.kind == "op" and body.name in ("and", "*") else (body,)
    groups: dict[str, list[Term]] = {}
    for v in term.variables:
        alike = {**names, **{other: f"_{other.sort}" for other in term.variables}, v: "@"}
        groups.setdefault(f"{v.sort} {sorted(key(part, alike) for part in parts if v in free(part))}", []).append(v)
    choices = product(*(permutations(groups[name]) for name in sorted(groups)))
    for chosen in islice(choices, ORDERS_TRIED):
        order = [v for group in chosen for v in group]
        depth = 1 + max((int(name[1:]) for name in names.values() if name.startswith("#")), default=-1)
        inner = {**names, **{v: f"#{depth + i}" for i, v in enumerate(order)}}
        sorts = " ".join(v.sort for v in order)
        yield f"({term.kind} {term.name!r} {term.sort} [{sorts}] {key(body, inner)})"


def _negative(value: Term) -> Term:
    """A sum of products with all signs changed: both say the same of 0."""
    return rebuilt(value, [_times_minus_one(part) for part in value.args])


def _times_minus_one(part: Term) -> Term:
    if part.args and part.args[0].kind == "number":
        times, *rest = part.args
        number = -int(times.value or 0)
        return rest[0] if number == 1 and len(rest) == 1 else rebuilt(part, [num(number), *rest])
    return op("*", num(-1), part, sort="Int")
