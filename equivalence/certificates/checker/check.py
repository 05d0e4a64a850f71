"""Is a certificate a proof? Every lemma is checked on its own, in the order in which they stand; then the theorem.

The checker imports nothing but the standard library and its own modules. It asks no solver about the steps. The leaves
are handed to whoever answers `closed`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from equivalence.certificates.checker.canonical import plus, same, summed
from equivalence.certificates.checker.expressions import sort_of
from equivalence.certificates.checker.formulas import FORMULAS, split
from equivalence.certificates.checker.leaves import Leaf, sums
from equivalence.certificates.checker.lemmas import Lemmas, Proved, need
from equivalence.certificates.checker.plans import Meaning
from equivalence.certificates.checker.steps import PRODUCTS
from equivalence.certificates.checker.terms import (
    TIME,
    ZERO,
    Refused,
    Signature,
    Term,
    bindable,
    free,
    listed,
    op,
    read_symbol,
    read_terms,
)
from equivalence.certificates.checker.well_formed import check_plan

FORMAT: Final = "snapeq certificate"
VERSION: Final = 1
MALFORMED: Final = (KeyError, TypeError, ValueError, IndexError, AttributeError, AssertionError, RecursionError)
"""What reading goes wrong with if a part is missing, or is something else."""
FIELDS: Final = {
    "format",
    "version",
    "left",
    "right",
    "sources",
    "constraints",
    "symbols",
    "terms",
    "lemmas",
    "theorem",
}


@dataclass(frozen=True)
class Checked:
    """What a certificate proves, and how much there was to check."""

    lemmas: int
    leaves: tuple[str, ...]
    """The texts that a solver has to find unsatisfiable."""


def check(certificate: Any) -> Checked:
    """All but the leaves; Refused if anything is wrong."""
    try:
        return _check(certificate)
    except MALFORMED as error:
        raise Refused(f"the certificate is not well formed: {type(error).__name__}: {error}") from None


def closed(certificate: Any, unsatisfiable: Callable[[str], bool]) -> Checked:
    """The whole certificate, leaves and all."""
    checked = check(certificate)
    for number, leaf in enumerate(checked.leaves, 1):
        if not unsatisfiable(leaf):
            raise Refused(f"leaf {number} is not found to be unsatisfiable")
    return checked


def _check(certificate: Any) -> Checked:
    need(isinstance(certificate, dict) and set(certificate) == FIELDS, "all fields are there and no others")
    known = certificate["format"] == FORMAT and certificate["version"] == VERSION
    need(known and type(certificate["version"]) is int, f"this is {FORMAT} {VERSION}")
    lemmas, symbols = starting(certificate)
    leaves: list[str] = []
    for number, data in enumerate(listed(certificate["lemmas"])):
        try:
            proved, leaf = check_lemma(lemmas, data, symbols)
        except Refused as reason:
            raise Refused(f"lemma {number}: {reason}") from None
        lemmas.proved.append(proved)
        leaves += [] if leaf is None else [leaf]
    _theorem(lemmas, certificate)
    return Checked(len(lemmas.proved), tuple(dict.fromkeys(leaves)))


def starting(certificate: Mapping[str, Any]) -> tuple[Lemmas, list[tuple[str, str, Signature]]]:
    """No lemmas yet, over the terms of a certificate; and its symbols."""
    symbols = [read_symbol(each) for each in listed(certificate["symbols"])]
    terms = read_terms(certificate["terms"], symbols)
    return Lemmas(terms, [op("<=", ZERO, TIME, sort="Bool")]), symbols


def check_lemma(lemmas: Lemmas, data: Mapping[str, Any], symbols: Sequence[Any]) -> tuple[Proved, str | None]:
    """One lemma, and what is left of it for a solver."""
    try:
        return _lemma(lemmas, data, symbols)
    except MALFORMED as error:
        raise Refused(f"the lemma is not well formed: {type(error).__name__}: {error}") from None


def _lemma(lemmas: Lemmas, data: Mapping[str, Any], symbols: Sequence[Any]) -> tuple[Proved, str | None]:
    need(isinstance(data, dict), "a lemma is an object")
    rule = data["rule"]
    for place in listed(data["uses"]):
        lemmas.lemma(place)
    if rule == "LEAF":
        text = Leaf(lemmas, data, symbols).checked()
        return Proved(rule, data={"goal": lemmas.term(data["goal"])}), text
    if rule == "SUMS":
        return Proved(rule, data=sums(lemmas, data)), None
    if rule == "SPLIT":
        return Proved(rule, *split(lemmas, data)), None
    schema = PRODUCTS.get(rule) or FORMULAS.get(rule)
    if schema is None:
        raise Refused(f"there is no rule {rule!r}")
    left, right = lemmas.term(data["left"]), lemmas.term(data["right"])
    need(left.sort == right.sort, "both sides are of one sort")
    need(lemmas.agree(schema(lemmas, data), right, data["uses"]), f"{rule} gives the right side")
    return Proved(rule, left, right), None


def _theorem(lemmas: Lemmas, certificate: Mapping[str, Any]) -> None:
    """CONG: the sides differ by pairs of sums over the same variables, and what both sums of a pair add up is equal."""
    theorem = certificate["theorem"]
    need(isinstance(theorem, dict) and set(theorem) == {"row", "left", "right", "normal", "groups"}, "it is complete")
    left, right, row = lemmas.term(theorem["left"]), lemmas.term(theorem["right"]), lemmas.all(theorem["row"])
    need(left.sort == right.sort == "Int" and all(v.kind == "var" for v in row), "both sides are multiplicities")
    need(len({*row, TIME}) == len(row) + 1, "row and instant are different variables")
    sources = certificate["sources"]
    columns = [check_plan(certificate[name], sources) for name in ("left", "right")]
    need([t for _, t in columns[0]] == [t for _, t in columns[1]], "both plans have rows of the same types")
    need([v.sort for v in row] == [sort_of(t) for _, t in columns[0]], "the row is one of the plans")
    means = Meaning(sources, certificate["constraints"])
    for name, side in (("left", left), ("right", right)):
        need(same(means.times(certificate[name], row, TIME), side), f"the {name} plan means what is proved")
    need(free(left) | free(right) <= {*row, TIME}, "nothing else is free")
    sides = []
    for side in (left, right):
        new = [
            n
            for p in listed(theorem["normal"])
            if (n := lemmas.lemma(p, "NORMAL")).left is not None and same(n.left, side)
        ]
        sides.append(summed(new[0].right if new and new[0].right is not None else side))
    rest = plus((1, sides[0]), (-1, sides[1]))
    for group in listed(theorem["groups"]):
        variables = tuple(bindable(lemmas.all(group["variables"])))
        one, other = lemmas.term(group["one"]), lemmas.term(group["other"])
        goal = lemmas.lemma(group["leaf"], "LEAF").data["goal"]
        need(same(goal, op("=", one, other, sort="Bool")), "a leaf says that what is summed is equal")
        for sign, body in ((-1, one), (1, other)):
            whole: Term = Term("sum", "", "Int", (body,), variables) if variables else body
            rest = plus((1, rest), (sign, summed(whole)))
    need(not rest, "the groups are all in which the sides differ")
