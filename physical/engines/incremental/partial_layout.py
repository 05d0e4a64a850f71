"""Flows: what is kept of a basic window for an aggregate, and how the aggregate follows from merged flows.

A count is merged as a sum of counts, a sum of ints as a sum of sums (in two halves, so that neither overflows), the
least as the least of the least. An average is not an average of averages, so it takes a sum and a count. A sum of
floats must be rounded once, so its flow is a few doubles whose exact sum it is. For an aggregate that cannot be merged
from parts, all values are kept.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, assert_never, get_args

from semantics import Expression, Type
from semantics import aggregate as agg
from semantics.aggregate import Aggregate

Summary = Literal["count", "sum", "least", "most"]
Detail = Literal["parts", "distinct", "best", "values"]


@dataclass(frozen=True)
class PartialFlow:
    """A number per group (a summary) or some values per group (a detail); without argument it is about rows."""

    kind: Summary | Detail
    argument: Expression | None
    rank: int = 0
    """How many of the best values are kept, for a flow that keeps only those."""
    others: tuple[Expression, ...] = ()
    """What else an aggregate of several arguments is of."""

    @property
    def arguments(self) -> tuple[Expression, ...]:
        return () if self.argument is None else (self.argument, *self.others)

    @property
    def is_detail(self) -> bool:
        return self.kind in get_args(Detail)

    @property
    def types(self) -> tuple[Type, ...]:
        """The types of its columns."""
        if self.kind == "count":
            return (Type.INT,)
        if self.kind == "sum":
            return (Type.INT, Type.INT)
        return tuple(argument.type for argument in self.arguments)


def flows_of(function: Aggregate) -> tuple[PartialFlow, ...]:
    """The flows that an aggregate needs; the first one determines its value."""
    match function:
        case agg.CountRows() | agg.Count():
            return (PartialFlow("count", function.argument),)
        case agg.Sum() | agg.Avg() if not function.argument.type.is_numeric:
            return (PartialFlow("values", function.argument),)
        case agg.Sum() | agg.Avg():
            total = PartialFlow("sum" if function.argument.type is Type.INT else "parts", function.argument)
            return (total, PartialFlow("count", function.argument))
        case agg.Min():
            return (PartialFlow("least", function.argument),)
        case agg.Max() | agg.Largest(rank=1):
            return (PartialFlow("most", function.argument),)
        case agg.CountDistinct(others=()):
            return (PartialFlow("distinct", function.argument),)
        case agg.Largest(rank=rank):
            return (PartialFlow("best", function.argument, rank),)
        case (
            agg.CountDistinct()
            | agg.Median()
            | agg.Percentile()
            | agg.Mode()
            | agg.VarPop()
            | agg.StddevPop()
            | agg.VarSamp()
            | agg.StddevSamp()
            | agg.Bitwise()
            | agg.Paired()
            | agg.ExtremeBy()
            | agg.Listed()
            | agg.UserDefined()
            | agg.OfDistinct()
        ):
            first, *others = agg.arguments_of(function)
            return (PartialFlow("values", first, others=tuple(others)),)
        case _:
            assert_never(function)


@dataclass(frozen=True)
class PartialLayout:
    """The flows of a list of aggregates, each once; their columns in a summary follow after the keys."""

    keys: int
    summaries: tuple[PartialFlow, ...]
    details: tuple[PartialFlow, ...]

    @classmethod
    def of(cls, keys: int, aggregates: Sequence[Aggregate]) -> "PartialLayout":
        flows = tuple(dict.fromkeys(flow for function in aggregates for flow in flows_of(function)))
        return cls(keys, tuple(f for f in flows if not f.is_detail), tuple(f for f in flows if f.is_detail))

    @property
    def types(self) -> tuple[Type, ...]:
        """The types of a summary's columns after its keys."""
        return tuple(type_ for flow in self.summaries for type_ in flow.types)

    def place(self, flow: PartialFlow) -> int:
        """The first column of a flow in a summary."""
        before = self.summaries[: self.summaries.index(flow)]
        return self.keys + sum(len(flow.types) for flow in before)
