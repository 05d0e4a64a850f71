"""Lists in their order: every occurrence has a place, and two lists are equal if occurrences and places agree.

A given list is a function of the places 0 … n − 1. The result of an operator is a few branches. Each says which
occurrences it holds, what they are, and where they stand: the place is a tuple, compared from its first part on.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import permutations, product
from typing import assert_never

from equivalence.lists import list_expression
from equivalence.lists.list_expression import END, START, Listing
from equivalence.prover.meaning.expressions import SORTS, ExpressionTerms
from equivalence.prover.meaning.list_elements import Element, NoSuchView
from equivalence.prover.meaning.open_numbers import integer
from equivalence.prover.terms.build import (
    ZERO,
    add,
    at_most,
    before,
    call,
    conj,
    disj,
    equal,
    exists,
    get,
    is_null,
    least,
    less,
    mod,
    monus,
    neg,
    number,
    sub,
)
from equivalence.prover.terms.substitution import substitute
from equivalence.prover.terms.term import FALSE, TRUE, ConstantTerm, Fresh, SmtSort, Symbol, Term, Var
from semantics import Schema

Holds = Callable[[Sequence[Term], Term], bool]


@dataclass(frozen=True)
class Branch:
    """For all values of the variables for which the guard holds: an element, at a place."""

    variables: tuple[Var, ...]
    given: tuple[str, ...]
    """What each variable is a place of."""
    guard: Term
    element: Element
    place: tuple[Term, ...]

    def renamed(self, fresh: Fresh) -> "Branch":
        return self.under(fresh.like(self.variables))

    def under(self, names: dict[Var, Term]) -> "Branch":
        def new(term: Term) -> Term:
            return substitute(term, names)

        element = Element(tuple(map(new, self.element.row)), new(self.element.start), new(self.element.end))
        variables = tuple(v for v in map(new, self.variables) if isinstance(v, Var))
        return Branch(variables, self.given, new(self.guard), element, tuple(map(new, self.place)))


@dataclass
class Places:
    """Translates lists into branches."""

    fresh: Fresh
    expressions: ExpressionTerms
    tidy: Callable[[Term], Term]

    def of(self, made: Listing) -> list[Branch]:
        below = [self.of(each) for each in list_expression.inputs(made)]
        match made:
            case list_expression.GivenList(name=name, schema=schema):
                return [self._given(name, schema)]
            case list_expression.FilterList(predicate=predicate):
                return [_kept(b, self.expressions.truth(predicate, b.element.row).true) for b in below[0]]
            case list_expression.MapList(expressions=expressions):
                rows = [tuple(self.expressions.value(e, b.element.row) for e in expressions) for b in below[0]]
                return [_with_row(b, row) for b, row in zip(below[0], rows, strict=True)]
            case list_expression.AppendLists():
                return [_put(b, (number(i),)) for i, branches in enumerate(below) for b in branches]
            case list_expression.PairLists():
                return [self._paired(a.renamed(self.fresh), b.renamed(self.fresh)) for a, b in product(*below)]
            case list_expression.SortList(by=by):
                return [_put(b, _keys(made.schema, by, b.element)) for b in below[0]]
            case list_expression.RdupList():
                return [_kept(b, neg(self.tidy(self._earlier(b, below[0])))) for b in below[0]]
            case list_expression.SplitList(longest=longest):
                return [self._cut(b, integer(longest)) for b in below[0]]
            case list_expression.RdupTList() | list_expression.CoalesceList():
                raise NoSuchView(f"{made.operator} is an algorithm with a state, not a comprehension")
            case _:
                assert_never(made)

    def _given(self, name: str, schema: Schema) -> Branch:
        """Functions of the place; intervals are not empty."""
        i = self.fresh.var("i", SmtSort.INT)
        length = call(Symbol(f"length of {name}", (), SmtSort.INT))

        def column(what: str, sort: SmtSort) -> Term:
            return call(Symbol(f"{what} of {name}", (SmtSort.INT,), sort), i)

        row = tuple(column(f"column {k}", SORTS[type_]) for k, type_ in enumerate(schema.types))
        element = Element(row, column("start", SmtSort.INT), column("end", SmtSort.INT))
        there = conj(at_most(ZERO, i), less(i, length), at_most(ZERO, element.start), less(element.start, element.end))
        return Branch((i,), (name,), there, element, (i,))

    def _paired(self, a: Branch, b: Branch) -> Branch:
        start = add(a.element.start, monus(b.element.start, a.element.start))
        both = Element((*a.element.row, *b.element.row), start, least(a.element.end, b.element.end))
        guard = conj(a.guard, b.guard, less(both.start, both.end))
        return Branch((*a.variables, *b.variables), (*a.given, *b.given), guard, both, (*a.place, *b.place))

    def _earlier(self, branch: Branch, others: Sequence[Branch]) -> Term:
        """Is the same element at an earlier place?"""
        found: list[Term] = []
        for other in (o.renamed(self.fresh) for o in others):
            again = conj(other.guard, same(other.element, branch.element), ahead(other.place, branch.place))
            found.append(exists(other.variables, again))
        return disj(*found)

    def _cut(self, branch: Branch, longest: Term) -> Branch:
        s = self.fresh.var("s", SmtSort.INT)
        whole = branch.element
        piece = conj(at_most(whole.start, s), less(s, whole.end), equal(mod(sub(s, whole.start), longest), ZERO))
        element = Element(whole.row, s, least(add(s, longest), whole.end))
        place = (*branch.place, s)
        return Branch((*branch.variables, s), (*branch.given, "cut"), conj(branch.guard, piece), element, place)


def same_lists(left: Sequence[Branch], right: Sequence[Branch], holds: Holds, fresh: Fresh) -> bool:
    """ORDER: the same occurrences, with the same elements, and any two of them in the same order."""
    lefts, rights = ([b for b in side if not holds([b.guard], FALSE)] for side in (left, right))
    if len(lefts) != len(rights):
        return False
    return any(_agree(lefts, list(chosen), holds, fresh) for chosen in permutations(rights))


def _agree(lefts: Sequence[Branch], rights: Sequence[Branch], holds: Holds, fresh: Fresh) -> bool:
    for choices in product(*map(_alignments, lefts, rights)):
        aligned = [b.under(names) for b, names in zip(rights, choices, strict=True)]
        if all(_same_branch(a, b, holds) for a, b in zip(lefts, aligned, strict=True)) and all(
            _same_order(lefts, aligned, i, j, holds, fresh) for i, j in product(range(len(lefts)), repeat=2)
        ):
            return True
    return False


def _alignments(left: Branch, right: Branch) -> list[dict[Var, Term]]:
    """The ways to call the variables of one branch as those of another that are places of the same."""
    if sorted(left.given) != sorted(right.given):
        return []
    kinds = dict(zip(left.variables, left.given, strict=True))
    return [
        dict(zip(right.variables, chosen, strict=True))
        for chosen in permutations(left.variables)
        if all(kinds[v] == kind for v, kind in zip(chosen, right.given, strict=True))
    ]


def _same_branch(left: Branch, right: Branch, holds: Holds) -> bool:
    return (
        holds([left.guard], right.guard)
        and holds([right.guard], left.guard)
        and holds([left.guard], same(left.element, right.element))
    )


def _same_order(lefts: Sequence[Branch], rights: Sequence[Branch], i: int, j: int, holds: Holds, fresh: Fresh) -> bool:
    """Whatever two occurrences stand in one order on the left stand so on the right."""
    names = fresh.like(lefts[j].variables)
    one, two = (side[i] for side in (lefts, rights))
    other, another = (side[j].under(names) for side in (lefts, rights))
    facts = [one.guard, other.guard, ahead(one.place, other.place)]
    return holds(facts, ahead(two.place, another.place))


def same(one: Element, other: Element) -> Term:
    """Equal rows with equal intervals."""
    return conj(*map(equal, (*one.row, one.start, one.end), (*other.row, other.start, other.end)))


def ahead(place: Sequence[Term], other: Sequence[Term]) -> Term:
    """Is one place before another? Constants in them tell branches apart, before their shapes differ."""
    if not place or not other:
        return FALSE
    (a, *rest), (b, *more) = place, other
    if isinstance(a, ConstantTerm) and isinstance(b, ConstantTerm) and a != b:
        return TRUE if a.value < b.value else FALSE
    return disj(_smaller(a, b), conj(equal(a, b), ahead(rest, more)))


def _smaller(a: Term, b: Term) -> Term:
    if a.sort is SmtSort.INT:
        return less(a, b)
    return conj(neg(is_null(b)), disj(is_null(a), before(get(a), get(b))))


def _keys(schema: Schema, by: Sequence[str], element: Element) -> tuple[Term, ...]:
    times = {START: element.start, END: element.end}
    return tuple(times.get(name) or element.row[schema.index(name, "Sort")] for name in by)


def _put(branch: Branch, first: tuple[Term, ...]) -> Branch:
    return replace(branch, place=(*first, *branch.place))


def _kept(branch: Branch, condition: Term) -> Branch:
    return replace(branch, guard=conj(branch.guard, condition))


def _with_row(branch: Branch, row: tuple[Term, ...]) -> Branch:
    return replace(branch, element=Element(row, branch.element.start, branch.element.end))
