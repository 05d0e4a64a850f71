"""Flows: what has to be kept of a basic window for an aggregate, and how an aggregate follows from merged flows.

A count is merged as a sum of counts, a sum of ints as a sum of sums (in two halves, so that no part of it overflows),
the least as the least of the least. An average is no average of averages: it takes a sum and a count. A sum of floats
is rounded once, so its flow is some doubles whose exact sum it is. Of what cannot be said in parts all values are kept.
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
    """One number of each group (a summary) or some rows (a detail) of an argument; no argument means rows."""

    kind: Summary | Detail
    argument: Expression | None
    rank: int = 0
    """So many of the best values are kept, if only the best are."""

    @property
    def is_detail(self) -> bool:
        return self.kind in get_args(Detail)

    @property
    def types(self) -> tuple[Type, ...]:
        """The columns that it takes."""
        if self.kind == "count":
            return (Type.INT,)
        if self.kind == "sum":
            return (Type.INT, Type.INT)
        assert self.argument is not None
        return (self.argument.type,)


def flows_of(function: Aggregate) -> tuple[PartialFlow, ...]:
    """The flows that an aggregate takes, those that decide its value first."""
    match function:
        case agg.CountRows() | agg.Count():
            return (PartialFlow("count", function.argument),)
        case agg.Sum() | agg.Avg():
            total = PartialFlow("sum" if function.argument.type is Type.INT else "parts", function.argument)
            return (total, PartialFlow("count", function.argument))
        case agg.Min():
            return (PartialFlow("least", function.argument),)
        case agg.Max() | agg.Largest(rank=1):
            return (PartialFlow("most", function.argument),)
        case agg.CountDistinct():
            return (PartialFlow("distinct", function.argument),)
        case agg.Largest(rank=rank):
            return (PartialFlow("best", function.argument, rank),)
        case agg.Median() | agg.VarPop() | agg.StddevPop() | agg.UserDefined():
            return (PartialFlow("values", function.argument),)
        case _:
            assert_never(function)


@dataclass(frozen=True)
class PartialLayout:
    """The flows of a list of aggregates, each once; and which columns of a summary they are, after so many keys."""

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
