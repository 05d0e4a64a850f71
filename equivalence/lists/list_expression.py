"""Expressions over physical streams as lists, for rules about order, duplicates and the cutting of intervals.

>>> from semantics import Schema
>>> a = GivenList("A", Schema.of(x=int))
>>> show_listing(RdupList(SortList(a, ("x", "_start"))))
'A | sort(x, _start) | rdup'
>>> late, early = list_operators.at((1,), 3, 4), list_operators.at((2,), 0, 1)
>>> list_operators.show_elements(evaluate_listing(SortList(a, ("x",)), {"A": (early, late)}))
'(1)@[3,4) (2)@[0,1)'
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, assert_never

from equivalence.lists import list_operators
from equivalence.lists.list_operators import ElementList
from semantics import FOREVER, Expression, Row, Schema, Scope
from semantics.expression import evaluate, holds
from semantics.notation.show_expression import show_expression
from semantics.stream import IntervalElement
from semantics.time import End
from semantics.value import identical_row, order

START: Final = "_start"
END: Final = "_end"
"""Names under which lists can be sorted by the times of their elements."""


@dataclass(frozen=True)
class GivenList:
    """A list given from outside."""

    name: str
    schema: Schema


class UnaryList:
    """An operator on one list that keeps its columns."""

    input: "Listing"

    @property
    def operator(self) -> str:
        """What messages call it: RdupT, Coalesce, …"""
        return type(self).__name__.removesuffix("List")

    @property
    def schema(self) -> Schema:
        return self.input.schema


@dataclass(frozen=True)
class FilterList(UnaryList):
    input: "Listing"
    predicate: Expression


@dataclass(frozen=True)
class MapList:
    input: "Listing"
    expressions: tuple[Expression, ...]
    schema: Schema


@dataclass(frozen=True)
class AppendLists:
    first: "Listing"
    second: "Listing"

    @property
    def schema(self) -> Schema:
        return self.first.schema


@dataclass(frozen=True)
class PairLists:
    left: "Listing"
    right: "Listing"

    @property
    def schema(self) -> Schema:
        return Schema((*self.left.schema.columns, *self.right.schema.columns))


@dataclass(frozen=True)
class SortList(UnaryList):
    input: "Listing"
    by: tuple[str, ...]


@dataclass(frozen=True)
class RdupList(UnaryList):
    input: "Listing"


@dataclass(frozen=True)
class RdupTList(UnaryList):
    input: "Listing"


@dataclass(frozen=True)
class CoalesceList(UnaryList):
    input: "Listing"
    longest: End


@dataclass(frozen=True)
class SplitList(UnaryList):
    input: "Listing"
    longest: int


Listing = (
    GivenList
    | FilterList
    | MapList
    | AppendLists
    | PairLists
    | SortList
    | RdupList
    | RdupTList
    | CoalesceList
    | SplitList
)


def inputs(listing: Listing) -> tuple[Listing, ...]:
    """The listings directly below."""
    match listing:
        case GivenList():
            return ()
        case AppendLists(first=first, second=second) | PairLists(left=first, right=second):
            return first, second
        case _:
            return (listing.input,)


def given(listing: Listing) -> dict[str, Schema]:
    """The lists that an expression is over, by name."""
    if isinstance(listing, GivenList):
        return {listing.name: listing.schema}
    return {name: schema for below in inputs(listing) for name, schema in given(below).items()}


def evaluate_listing(listing: Listing, sources: Mapping[str, ElementList]) -> ElementList:
    """The list that an expression means."""
    below = [evaluate_listing(each, sources) for each in inputs(listing)]
    match listing:
        case GivenList(name=name):
            return sources[name]
        case FilterList(predicate=predicate):
            return list_operators.keep(lambda row: holds(predicate, row), *below)
        case MapList(expressions=expressions):
            return list_operators.change(_function(expressions), *below)
        case AppendLists():
            return list_operators.append(*below)
        case PairLists():
            return list_operators.pair(*below)
        case SortList(by=by):
            return list_operators.sort(_key(listing.schema, by), *below)
        case RdupList():
            return list_operators.rdup(*below)
        case RdupTList():
            return list_operators.rdup_t(*below)
        case CoalesceList(longest=longest):
            return list_operators.coalesce(longest, *below)
        case SplitList(longest=longest):
            return list_operators.split(longest, *below)
        case _:
            assert_never(listing)


def show_listing(listing: Listing) -> str:
    """An expression as a pipeline, like a plan."""
    match listing:
        case GivenList(name=name):
            return name
        case AppendLists(first=first, second=second):
            return f"append({show_listing(first)}, {show_listing(second)})"
        case PairLists(left=left, right=right):
            return f"product({show_listing(left)}, {show_listing(right)})"
        case _:
            return f"{show_listing(listing.input)} | {_step(listing)}"


def _step(listing: FilterList | MapList | SortList | RdupList | RdupTList | CoalesceList | SplitList) -> str:
    match listing:
        case FilterList(predicate=predicate):
            return f"filter({show_expression(predicate, Scope(listing.schema))})"
        case MapList(expressions=expressions):
            scope = Scope(listing.input.schema)
            named = zip(expressions, listing.schema.names, strict=True)
            return f"map({', '.join(f'{show_expression(e, scope)} as {name}' for e, name in named)})"
        case SortList(by=by):
            return f"sort({', '.join(by)})"
        case RdupList():
            return "rdup"
        case RdupTList():
            return "rdupT"
        case CoalesceList(longest=longest):
            return "coalesce" if longest == FOREVER else f"coalesce({longest})"
        case SplitList(longest=longest):
            return f"split({longest})"
        case _:
            assert_never(listing)


def _function(expressions: tuple[Expression, ...]) -> Callable[[Row], Row]:
    return lambda row: identical_row(tuple([evaluate(expression, row) for expression in expressions]))


def _key(schema: Schema, by: tuple[str, ...]) -> Callable[[IntervalElement], object]:
    def key(element: IntervalElement) -> tuple[object, ...]:
        row, valid = element
        times = {START: (0, valid.start), END: (0, valid.end)}
        return tuple(times.get(name) or order(row[schema.index(name, "SortList")]) for name in by)

    return key
