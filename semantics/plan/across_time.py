"""Operators that look from one instant at others: what came, what went, and rows beside the rows before them."""

from functools import cached_property
from typing import ClassVar

from semantics.dataclass_on_use import dataclass
from semantics.expression import Expression
from semantics.node_checks import as_tuples, check_keys, check_order, check_over, named_schema
from semantics.ordering import SortKey
from semantics.over import NeighbourValue, OverFunction
from semantics.plan.node import Unary
from semantics.schema import Schema


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
