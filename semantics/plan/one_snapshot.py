"""Operators on one snapshot: each makes a new one of it, whatever came before."""

from functools import cached_property

from semantics.aggregate import Aggregate
from semantics.dataclass_on_use import dataclass
from semantics.expression import Expression
from semantics.node_checks import (
    all_arguments,
    as_tuples,
    check_aggregates,
    check_array,
    check_keys,
    check_limit,
    check_order,
    check_predicate,
    check_refs,
    named_schema,
)
from semantics.ordering import Ranking, SortKey
from semantics.plan.node import Unary
from semantics.schema import Schema
from semantics.value import Type


@dataclass(frozen=True)
class Filter(Unary):
    """σ: the rows for which the predicate is TRUE."""

    predicate: Expression

    def __post_init__(self) -> None:
        check_predicate(self.operator, "predicate", self.predicate, self.scope)

    @property
    def own_expressions(self) -> tuple[Expression, ...]:
        return (self.predicate,)


@dataclass(frozen=True)
class Map(Unary):
    """μ: one row of new columns for every row."""

    expressions: tuple[Expression, ...]
    names: tuple[str, ...]

    def __post_init__(self) -> None:
        as_tuples(self, "expressions", "names")
        for expression in self.expressions:
            check_refs(self.operator, expression, self.scope)
        _ = self.schema

    @property
    def own_expressions(self) -> tuple[Expression, ...]:
        return self.expressions

    @cached_property
    def schema(self) -> Schema:
        return named_schema(self.operator, self.names, [e.type for e in self.expressions])


@dataclass(frozen=True)
class Unnest(Unary):
    """υ: for every row one row for each element of an array, with the element behind its columns."""

    array: Expression
    names: tuple[str, ...]
    """Of the element's column, and perhaps of one with its number, from 1."""
    outer: bool = False
    """Is a row without any element kept, with NULL in these columns?"""

    def __post_init__(self) -> None:
        as_tuples(self, "names")
        check_refs(self.operator, self.array, self.scope)
        check_array(self.operator, self.array, self.names, self.scope)
        _ = self.schema

    @property
    def numbered(self) -> bool:
        return len(self.names) == 2

    @property
    def own_expressions(self) -> tuple[Expression, ...]:
        return (self.array,)

    @cached_property
    def schema(self) -> Schema:
        columns, element = self.input.schema, self.array.type.element or Type.INT
        types = (*columns.types, element, *([Type.INT] if self.numbered else []))
        return named_schema(self.operator, (*columns.names, *self.names), types)


@dataclass(frozen=True)
class Distinct(Unary):
    """δ: every row once."""


@dataclass(frozen=True)
class Aggregation(Unary):
    """α: one row of aggregates over the whole snapshot; with on_empty also where the snapshot is empty."""

    aggregates: tuple[Aggregate, ...]
    names: tuple[str, ...]
    on_empty: bool = False

    def __post_init__(self) -> None:
        as_tuples(self, "aggregates", "names")
        check_aggregates(self.operator, self.aggregates, self.scope)
        _ = self.schema

    @property
    def own_expressions(self) -> tuple[Expression, ...]:
        return all_arguments(self.aggregates)

    @cached_property
    def schema(self) -> Schema:
        return named_schema(self.operator, self.names, [a.type for a in self.aggregates])


@dataclass(frozen=True)
class Grouping(Unary):
    """γ: one row per group of the snapshot, the group's columns and then its aggregates."""

    keys: tuple[int, ...]
    aggregates: tuple[Aggregate, ...]
    names: tuple[str, ...]
    """The names of the aggregates; group columns keep theirs."""

    def __post_init__(self) -> None:
        as_tuples(self, "keys", "aggregates", "names")
        check_keys(self.operator, self.keys, self.scope)
        check_aggregates(self.operator, self.aggregates, self.scope)
        _ = self.schema

    @property
    def own_expressions(self) -> tuple[Expression, ...]:
        return all_arguments(self.aggregates)

    @cached_property
    def schema(self) -> Schema:
        columns = [self.input.schema.columns[key] for key in self.keys]
        names = (*(column.name for column in columns), *self.names)
        return named_schema(self.operator, names, [c.type for c in columns] + [a.type for a in self.aggregates])


@dataclass(frozen=True)
class Limit(Unary):
    """λ: per group the rows whose places in a declared order are offset, …, offset + count − 1."""

    count: int | None
    """How many places; None means all from the offset on."""
    order: tuple[SortKey, ...]
    keys: tuple[int, ...] = ()
    """The columns of a group; without them the whole snapshot is one."""
    offset: int = 0
    ranking: Ranking = "rows"

    def __post_init__(self) -> None:
        as_tuples(self, "order", "keys")
        if self.keys:
            check_keys(self.operator, self.keys, self.scope)
        check_limit(self.operator, self.count, self.offset, self.ranking)
        check_order(self.operator, self.order, self.scope)
