"""Logical plans: a closed union of inert nodes, each checked against its inputs when it is built."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, get_args

from semantics.aggregate import Aggregate
from semantics.errors import SchemaError, WindowError
from semantics.expression import Expression, mentions_now
from semantics.node_checks import (
    all_arguments,
    as_tuples,
    check_aggregates,
    check_fits,
    check_keys,
    check_limit,
    check_order,
    check_over,
    check_positive,
    check_predicate,
    check_refs,
    check_rows,
    named_schema,
)
from semantics.ordering import Ranking, SortKey
from semantics.over import FrameAggregate, NeighbourValue, OverFunction
from semantics.schema import Schema
from semantics.scope import Scope
from semantics.time import FOREVER, End
from semantics.value import Type
from semantics.whole_numbers import is_whole


class Node:
    """What all nodes share. Equality is structural: same operator, same parameters, same inputs."""

    computable: ClassVar[bool] = True
    """Snapshot-computable: the output at an instant depends on the inputs at that instant, perhaps on which one that
    is, and on nothing of the past."""

    @property
    def inputs(self) -> tuple["Plan", ...]:
        return ()

    @property
    def own_expressions(self) -> tuple[Expression, ...]:
        """The expressions of the node itself: its predicate, its columns, or the arguments of its aggregates."""
        return ()

    @cached_property
    def mentions_now(self) -> bool:
        """Does an expression of the node itself ask for the instant?"""
        return any(map(mentions_now, self.own_expressions))

    @property
    def reducible(self) -> bool:
        """Snapshot-reducible (Definition 6.2): what it makes of snapshots is the same at every instant."""
        return self.computable and not self.mentions_now

    @property
    def looks_ahead(self) -> bool:
        """Does the output at an instant depend on what comes later?"""
        return False

    @cached_property
    def has_lookahead(self) -> bool:
        """Does this or any operator below look ahead?"""
        return self.looks_ahead or any([child.has_lookahead for child in self.inputs])

    @property
    def plan(self) -> "Plan":
        """The node itself: so a builder's query and a node can be handed over alike."""
        return self  # type: ignore[return-value]  # every Node is a member of the union Plan

    @property
    def operator(self) -> str:
        return type(self).__name__

    def walk(self, *, inputs_first: bool = False) -> Iterator["Plan"]:
        """All nodes from the root down, or each after its inputs; a shared one as often as it is used.

        >>> plan = Distinct(Union(Source("A", Schema.of(x=int)), Source("B", Schema.of(x=int))))
        >>> [node.operator for node in plan.walk()]
        ['Distinct', 'Union', 'Source', 'Source']
        >>> [node.operator for node in plan.walk(inputs_first=True)]
        ['Source', 'Source', 'Union', 'Distinct']
        """
        if not inputs_first:
            yield self.plan
        for child in self.inputs:
            yield from child.walk(inputs_first=inputs_first)
        if inputs_first:
            yield self.plan

    def sources(self) -> dict[str, Schema]:
        """The sources that the plan reads, by name, from left to right."""
        return {node.name: node.schema for node in self.walk() if isinstance(node, Source)}

    def with_inputs(self, *inputs: "Plan") -> "Plan":
        """The same operator over other inputs."""
        if self.inputs == inputs:
            return self.plan
        names = ("left", "right") if isinstance(self, Binary) else ("input",)
        changes: dict[str, Any] = dict(zip(names, inputs, strict=True))
        return replace(self.plan, **changes)

    def replaced(self, node: "Plan", by: "Plan") -> "Plan":
        """The plan with one node replaced wherever it occurs.

        >>> a, b = Source("A", Schema.of(x=int)), Source("B", Schema.of(x=int))
        >>> Union(a, Distinct(a)).replaced(a, b) == Union(b, Distinct(b))
        True
        """
        return by if self == node else self.with_inputs(*(child.replaced(node, by) for child in self.inputs))

    def __getstate__(self) -> dict[str, object]:
        """What is pickled: all but the hash, which other processes compute otherwise."""
        return {name: value for name, value in self.__dict__.items() if name != "_hash"}


@dataclass(frozen=True)
class Source(Node):
    """A stream that is given from outside, by name."""

    name: str
    schema: Schema

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise SchemaError(f"Source: name must be a non-empty text, got {self.name!r}")


@dataclass(frozen=True)
class Unary(Node):
    input: "Plan"

    @property
    def inputs(self) -> tuple["Plan", ...]:
        return (self.input,)

    @property
    def schema(self) -> Schema:
        return self.input.schema

    @property
    def scope(self) -> Scope:
        """The columns that this node's expressions may use."""
        return Scope(self.input.schema)


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


@dataclass(frozen=True)
class Binary(Node):
    left: "Plan"
    right: "Plan"

    @property
    def inputs(self) -> tuple["Plan", ...]:
        return (self.left, self.right)

    @property
    def scope(self) -> Scope:
        return Scope(self.left.schema, self.right.schema)


@dataclass(frozen=True)
class SetOperation(Binary):
    """Both inputs have the same types, column by column; the names are the left ones."""

    def __post_init__(self) -> None:
        if self.left.schema.types != self.right.schema.types:
            raise SchemaError(f"{self.operator}: both inputs must have the same column types, got {self.scope}")

    @property
    def schema(self) -> Schema:
        return self.left.schema


@dataclass(frozen=True)
class Union(SetOperation):
    """∪ (UNION ALL): multiplicities add up."""


@dataclass(frozen=True)
class Difference(SetOperation):
    """− (EXCEPT ALL): multiplicities subtract, down to 0."""


@dataclass(frozen=True)
class Intersection(SetOperation):
    """∩ (INTERSECT ALL): the smaller multiplicity."""


@dataclass(frozen=True)
class Concatenation(Binary):
    """The output has the columns of both inputs."""

    def __post_init__(self) -> None:
        _ = self.schema

    @cached_property
    def schema(self) -> Schema:
        columns = (*self.left.schema.columns, *self.right.schema.columns)
        return named_schema(self.operator, [c.name for c in columns], [c.type for c in columns])


@dataclass(frozen=True)
class Product(Concatenation):
    """×: every pair of rows."""


@dataclass(frozen=True)
class Joined(Concatenation):
    condition: Expression

    def __post_init__(self) -> None:
        check_predicate(self.operator, "condition", self.condition, self.scope)
        super().__post_init__()

    @property
    def own_expressions(self) -> tuple[Expression, ...]:
        return (self.condition,)


@dataclass(frozen=True)
class Join(Joined):
    """⋈: the pairs of rows for which the condition is TRUE."""


@dataclass(frozen=True)
class LeftJoin(Joined):
    """⟕: the join, and every left row without a partner, padded with NULL."""


@dataclass(frozen=True)
class RightJoin(Joined):
    """⟖: the join, and every right row without a partner, padded with NULL."""


@dataclass(frozen=True)
class FullJoin(Joined):
    """⟗: the join, and every row without a partner on either side, padded with NULL."""


@dataclass(frozen=True)
class Filtering(Binary):
    """Left rows, kept or not by the right ones."""

    condition: Expression

    def __post_init__(self) -> None:
        check_predicate(self.operator, "condition", self.condition, self.scope)

    @property
    def own_expressions(self) -> tuple[Expression, ...]:
        return (self.condition,)

    @property
    def schema(self) -> Schema:
        return self.left.schema


@dataclass(frozen=True)
class Semijoin(Filtering):
    """⋉: the left rows with a partner."""


@dataclass(frozen=True)
class Antijoin(Filtering):
    """▷: the left rows without a partner."""


@dataclass(frozen=True)
class TimeWindow(Unary):
    """ω_{w,s}: the rows of the last `size` instants, renewed every `slide` instants."""

    computable: ClassVar[bool] = False
    size: End
    slide: int = 1

    def __post_init__(self) -> None:
        if self.size != FOREVER:
            check_positive(self.operator, "size", self.size)
        check_positive(self.operator, "slide", self.slide)


@dataclass(frozen=True)
class CountWindow(Unary):
    """ω^rows: the last `rows` occurrences, renewed with every `slide`-th one, or with all their ties."""

    computable: ClassVar[bool] = False
    rows: int
    slide: int = 1
    ties: bool = False

    def __post_init__(self) -> None:
        check_rows(self.operator, self.rows, self.slide, self.ties)


@dataclass(frozen=True)
class PartitionedWindow(Unary):
    """ω^rows_P: a count window for each group of the key columns."""

    computable: ClassVar[bool] = False
    keys: tuple[int, ...]
    rows: int
    slide: int = 1
    ties: bool = False

    def __post_init__(self) -> None:
        as_tuples(self, "keys")
        check_keys(self.operator, self.keys, self.scope)
        check_rows(self.operator, self.rows, self.slide, self.ties)


@dataclass(frozen=True)
class LandmarkWindow(Unary):
    """ω_[a,∞): everything since the last landmark: start, start + reset, start + 2 reset, …"""

    computable: ClassVar[bool] = False
    start: int
    reset: int | None = None

    def __post_init__(self) -> None:
        if not is_whole(self.start) or self.start < 0:
            raise WindowError(f"{self.operator}: start must be an instant ≥ 0, got {self.start!r}")
        check_fits(self.operator, "start", self.start)
        if self.reset is not None:
            check_positive(self.operator, "reset", self.reset)


@dataclass(frozen=True)
class SessionWindow(Unary):
    """ω^gap_P: per group the rows of a session, from its first instant until the gap after its last one has passed.

    The output has two columns more: where the session begins, and where it ends.
    """

    computable: ClassVar[bool] = False
    gap: int
    keys: tuple[int, ...] = ()
    """The columns of a group; without them all rows are one."""
    touching: bool = False
    """Do two instants belong to one session that are exactly a gap apart?"""
    names: tuple[str, str] = ("session_start", "session_end")

    def __post_init__(self) -> None:
        as_tuples(self, "keys", "names")
        check_positive(self.operator, "gap", self.gap)
        if self.keys:
            check_keys(self.operator, self.keys, self.scope)
        _ = self.schema

    @cached_property
    def schema(self) -> Schema:
        columns = self.input.schema
        return named_schema(self.operator, (*columns.names, *self.names), (*columns.types, Type.INT, Type.INT))

    @property
    def looks_ahead(self) -> bool:
        return True


@dataclass(frozen=True)
class Over(Unary):
    """Each row at its own instant, with what functions make of the rows of its group in the order of time."""

    computable: ClassVar[bool] = False
    functions: tuple[OverFunction, ...]
    names: tuple[str, ...]
    keys: tuple[int, ...] = ()
    """The columns of a group; without them all rows are one."""
    order: tuple[SortKey, ...] = ()
    """Which rows of one instant come first."""

    def __post_init__(self) -> None:
        as_tuples(self, "functions", "names", "keys", "order")
        check_over(self.operator, self.functions, self.scope)
        check_order(self.operator, self.order, self.scope)
        if self.keys:
            check_keys(self.operator, self.keys, self.scope)
        _ = self.schema

    @property
    def own_expressions(self) -> tuple[Expression, ...]:
        return tuple(argument for function in self.functions for argument in function.arguments)

    @cached_property
    def schema(self) -> Schema:
        columns = self.input.schema
        types = (*columns.types, *(function.type for function in self.functions))
        return named_schema(self.operator, (*columns.names, *self.names), types)

    @property
    def reach(self) -> int:
        """How many rows further it looks."""
        distances = [f.distance for f in self.functions if isinstance(f, NeighbourValue)]
        return max([0, *distances])

    @property
    def looks_ahead(self) -> bool:
        return self.reach > 0


@dataclass(frozen=True)
class Istream(Unary):
    """What is there now and was not an instant ago."""

    computable: ClassVar[bool] = False


@dataclass(frozen=True)
class Dstream(Unary):
    """What was there an instant ago and is not now."""

    computable: ClassVar[bool] = False


@dataclass(frozen=True)
class Rstream(Unary):
    """What is there now."""


Plan = (
    Source
    | Filter
    | Map
    | Distinct
    | Aggregation
    | Grouping
    | Limit
    | Union
    | Difference
    | Intersection
    | Product
    | Join
    | LeftJoin
    | RightJoin
    | FullJoin
    | Semijoin
    | Antijoin
    | TimeWindow
    | CountWindow
    | PartitionedWindow
    | LandmarkWindow
    | SessionWindow
    | Over
    | Istream
    | Dstream
    | Rstream
)
"""A query as a tree of operators: a closed union, so that type checkers see which cases are missing."""


def _hashed_once(kind: type[Node]) -> None:
    """Keep a node's hash: a subplan that is shared many times over is then hashed but once."""
    structural = kind.__hash__

    def __hash__(self: Node) -> int:  # noqa: N807  # it becomes the method
        if "_hash" not in self.__dict__:
            object.__setattr__(self, "_hash", structural(self))
        return int(self.__dict__["_hash"])

    kind.__hash__ = __hash__  # type: ignore[method-assign,assignment]  # the dataclass made one that starts anew each time


for _kind in get_args(Plan):
    _hashed_once(_kind)


def aggregates_in(plan: Plan) -> Iterator[Aggregate]:
    """All aggregates of a plan."""
    for node in plan.walk():
        yield from own_aggregates(node)


def own_aggregates(node: Plan) -> tuple[Aggregate, ...]:
    """The aggregates of the node itself: of snapshots, or of frames."""
    if isinstance(node, Over):
        return tuple(function.aggregate for function in node.functions if isinstance(function, FrameAggregate))
    return node.aggregates if isinstance(node, Aggregation | Grouping) else ()
