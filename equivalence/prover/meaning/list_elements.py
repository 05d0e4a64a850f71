"""Lists of elements with intervals as terms: what they hold at an instant, or how often they hold an element.

There are three views, and each shows only some operators. As a plan: the snapshot at every instant; coalescing, cutting
and sorting do not change it, and temporal duplicate elimination is δ. As a multiset of elements: (row, start, end) is a
row with two more columns. In order: see `list_places`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from equivalence.lists import list_expression as listing
from equivalence.lists.list_expression import Listing
from equivalence.prover.meaning.expressions import SORTS, ExpressionTerms
from equivalence.prover.meaning.open_numbers import integer
from equivalence.prover.terms.build import (
    ZERO,
    add,
    at_most,
    call,
    conj,
    equal,
    indicator,
    least,
    less,
    mod,
    monus,
    mul,
    positive,
    sub,
)
from equivalence.prover.terms.term import Fresh, SmtSort, SumTerm, Symbol, Term, Var
from semantics import Plan
from semantics.plan import Distinct, Filter, Map, Product, Source, Union


class NoSuchView(Exception):
    """An operator that a view cannot show, and why."""


def as_plan(of: Listing) -> Plan:
    """The plan whose snapshots are those of the list."""
    match of:
        case listing.GivenList(name=name, schema=schema):
            return Source(name, schema)
        case listing.FilterList(input=input, predicate=predicate):
            return Filter(as_plan(input), predicate)
        case listing.MapList(input=input, expressions=expressions, schema=schema):
            return Map(as_plan(input), expressions, schema.names)
        case listing.AppendLists(first=first, second=second):
            return Union(as_plan(first), as_plan(second))
        case listing.PairLists(left=left, right=right):
            return Product(as_plan(left), as_plan(right))
        case listing.RdupTList(input=input):
            return Distinct(as_plan(input))
        case listing.SortList(input=input) | listing.CoalesceList(input=input) | listing.SplitList(input=input):
            return as_plan(input)
        case listing.RdupList():
            raise NoSuchView("rdup depends on how intervals are cut, which no snapshot shows")
        case _:
            assert_never(of)


@dataclass(frozen=True)
class Element:
    """A row and its interval."""

    row: tuple[Term, ...]
    start: Term
    end: Term


@dataclass
class Elements:
    """Translates lists as multisets of elements."""

    fresh: Fresh
    expressions: ExpressionTerms

    def times(self, of: Listing, element: Element) -> Term:
        """How often the element is in the list."""
        match of:
            case listing.GivenList(name=name):
                return held(name, element)
            case listing.FilterList(input=input, predicate=predicate):
                kept = self.expressions.truth(predicate, element.row).true
                return mul(indicator(kept), self.times(input, element))
            case listing.MapList(input=input, expressions=expressions):
                before = tuple(self.fresh.var("x", SORTS[type_]) for type_ in input.schema.types)
                images = [self.expressions.value(expression, before) for expression in expressions]
                hit = conj(*(equal(value, image) for value, image in zip(element.row, images, strict=True)))
                return SumTerm(
                    before, mul(indicator(hit), self.times(input, Element(before, element.start, element.end)))
                )
            case listing.AppendLists(first=first, second=second):
                return add(self.times(first, element), self.times(second, element))
            case listing.PairLists(left=left, right=right):
                return self._paired(left, right, element)
            case listing.SortList(input=input):
                return self.times(input, element)
            case listing.RdupList(input=input):
                return indicator(positive(self.times(input, element)))
            case listing.SplitList(input=input, longest=longest):
                return self._cut(input, integer(longest), element)
            case listing.RdupTList() | listing.CoalesceList():
                raise NoSuchView(f"{of.operator} is an algorithm with a state, not a term")
            case _:
                assert_never(of)

    def _paired(self, left: Listing, right: Listing, element: Element) -> Term:
        """Σ over the two intervals whose common part is this one."""
        a, b, c, d = interval = tuple(self.fresh.var("s", SmtSort.INT) for _ in range(4))
        width = len(left.schema)
        common = conj(
            equal(element.start, _larger(a, c)), equal(element.end, least(b, d)), less(_larger(a, c), least(b, d))
        )
        one, other = Element(element.row[:width], a, b), Element(element.row[width:], c, d)
        return SumTerm(interval, mul(indicator(common), self.times(left, one), self.times(right, other)))

    def _cut(self, input: Listing, longest: Term, element: Element) -> Term:
        """Σ over the intervals of which this one is a piece."""
        start, end = self.fresh.var("s", SmtSort.INT), self.fresh.var("s", SmtSort.INT)
        piece = conj(
            at_most(start, element.start),
            less(element.start, end),
            equal(mod(sub(element.start, start), longest), ZERO),
            equal(element.end, least(add(element.start, longest), end)),
        )
        whole = Element(element.row, start, end)
        return SumTerm((start, end), mul(indicator(piece), self.times(input, whole)))


def held(name: str, element: Element) -> Term:
    """How often an element is in a list of which nothing is known but that intervals are not empty."""
    arguments = (*element.row, element.end, element.start)
    symbol = Symbol(f"stream {name}", tuple(a.sort for a in arguments), SmtSort.INT, "stream")
    return mul(indicator(less(element.start, element.end)), call(symbol, *arguments))


def at_instant(times: Term, interval: Sequence[Var], t: Term) -> Term:
    """Σ over the intervals that hold t: how often a row is there then."""
    start, end = interval
    return SumTerm((start, end), mul(indicator(conj(at_most(start, t), less(t, end))), times))


def _larger(left: Term, right: Term) -> Term:
    return add(left, monus(right, left))
