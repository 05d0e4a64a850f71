"""Operators on two snapshots of one instant: set operations, and joins of all kinds."""

from functools import cached_property

from semantics.dataclass_on_use import dataclass
from semantics.errors import SchemaError
from semantics.expression import Expression
from semantics.node_checks import check_predicate, named_schema
from semantics.plan.node import Binary
from semantics.schema import Schema


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
