"""Expressions over physical streams as lists: what order, duplicates and cut intervals rules are about.

>>> from semantics import Schema
>>> a = Given("A", Schema.of(x=int))
>>> show_listing(Rdup(Sort(a, ("x", "_start"))))
'A | sort(x, _start) | rdup'
>>> late, early = operators.at((1,), 3, 4), operators.at((2,), 0, 1)
>>> operators.show_elements(evaluate_listing(Sort(a, ("x",)), {"A": (early, late)}))
'(1)@[3,4) (2)@[0,1)'
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, assert_never

from equivalence.lists import operators
from equivalence.lists.operators import Listed
from semantics import FOREVER, Expression, Row, Schema, Scope
from semantics.expression import evaluate, holds
from semantics.notation.show_expression import show_expression
from semantics.stream import IntervalElement
from semantics.time import End
from semantics.value import identical_row, order

START: Final = "_start"
END: Final = "_end"
"""The times of an element, beside its columns: what it can be sorted by."""


@dataclass(frozen=True)
class Given:
    """A list given from outside."""

    name: str
    schema: Schema


class Unary:
    input: "Listing"

    @property
    def schema(self) -> Schema:
        return self.input.schema


@dataclass(frozen=True)
class Keep(Unary):
    input: "Listing"
    predicate: Expression


@dataclass(frozen=True)
class Change:
    input: "Listing"
    expressions: tuple[Expression, ...]
    schema: Schema


@dataclass(frozen=True)
class Append:
    first: "Listing"
    second: "Listing"

    @property
    def schema(self) -> Schema:
        return self.first.schema


@dataclass(frozen=True)
class Pair:
    left: "Listing"
    right: "Listing"

    @property
    def schema(self) -> Schema:
        return Schema((*self.left.schema.columns, *self.right.schema.columns))


@dataclass(frozen=True)
class Sort(Unary):
    input: "Listing"
    by: tuple[str, ...]


@dataclass(frozen=True)
class Rdup(Unary):
    input: "Listing"


@dataclass(frozen=True)
class RdupT(Unary):
    input: "Listing"


@dataclass(frozen=True)
class Coalesce(Unary):
    input: "Listing"
    longest: End


@dataclass(frozen=True)
class Split(Unary):
    input: "Listing"
    longest: int


Listing = Given | Keep | Change | Append | Pair | Sort | Rdup | RdupT | Coalesce | Split


def inputs(listing: Listing) -> tuple[Listing, ...]:
    """The listings directly below."""
    match listing:
        case Given():
            return ()
        case Append(first=first, second=second) | Pair(left=first, right=second):
            return first, second
        case _:
            return (listing.input,)


def given(listing: Listing) -> dict[str, Schema]:
    """The lists that an expression is over, by name."""
    if isinstance(listing, Given):
        return {listing.name: listing.schema}
    return {name: schema for below in inputs(listing) for name, schema in given(below).items()}


def evaluate_listing(listing: Listing, sources: Mapping[str, Listed]) -> Listed:
    """The list that an expression means."""
    below = [evaluate_listing(each, sources) for each in inputs(listing)]
    match listing:
        case Given(name=name):
            return sources[name]
        case Keep(predicate=predicate):
            return operators.keep(lambda row: holds(predicate, row), *below)
        case Change(expressions=expressions):
            return operators.change(_function(expressions), *below)
        case Append():
            return operators.append(*below)
        case Pair():
            return operators.pair(*below)
        case Sort(by=by):
            return operators.sort(_key(listing.schema, by), *below)
        case Rdup():
            return operators.rdup(*below)
        case RdupT():
            return operators.rdup_t(*below)
        case Coalesce(longest=longest):
            return operators.coalesce(longest, *below)
        case Split(longest=longest):
            return operators.split(longest, *below)
        case _:
            assert_never(listing)


def show_listing(listing: Listing) -> str:
    """An expression as a pipeline, like a plan."""
    match listing:
        case Given(name=name):
            return name
        case Append(first=first, second=second):
            return f"append({show_listing(first)}, {show_listing(second)})"
        case Pair(left=left, right=right):
            return f"product({show_listing(left)}, {show_listing(right)})"
        case _:
            return f"{show_listing(listing.input)} | {_step(listing)}"


def _step(listing: Keep | Change | Sort | Rdup | RdupT | Coalesce | Split) -> str:
    match listing:
        case Keep(predicate=predicate):
            return f"filter({show_expression(predicate, Scope(listing.schema))})"
        case Change(expressions=expressions):
            scope = Scope(listing.input.schema)
            named = zip(expressions, listing.schema.names, strict=True)
            return f"map({', '.join(f'{show_expression(e, scope)} as {name}' for e, name in named)})"
        case Sort(by=by):
            return f"sort({', '.join(by)})"
        case Rdup():
            return "rdup"
        case RdupT():
            return "rdupT"
        case Coalesce(longest=longest):
            return "coalesce" if longest == FOREVER else f"coalesce({longest})"
        case Split(longest=longest):
            return f"split({longest})"
        case _:
            assert_never(listing)


def _function(expressions: tuple[Expression, ...]) -> Callable[[Row], Row]:
    return lambda row: identical_row(tuple([evaluate(expression, row) for expression in expressions]))


def _key(schema: Schema, by: tuple[str, ...]) -> Callable[[IntervalElement], object]:
    def key(element: IntervalElement) -> tuple[object, ...]:
        row, valid = element
        times = {START: (0, valid.start), END: (0, valid.end)}
        return tuple(times.get(name) or order(row[schema.index(name, "Sort")]) for name in by)

    return key
