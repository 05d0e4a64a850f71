"""Queries that want similar ranges share a factory: it selects what any of them wants, and each selects its own.

With one basket for the common range, a query looks at the elements of the range and not at the whole stream.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from physical.engines.dataflow.basket import Basket
from physical.engines.dataflow.disjoint_predicates import ConstantBound, bounds
from physical.engines.dataflow.factory import BasketReader, Factory
from physical.engines.dataflow.fragment import Fragment
from physical.engines.dataflow.net import Net
from physical.engines.dataflow.sharing import SHARED, Strategy
from physical.planning.planner import PhysicalNode
from semantics import Expression, Schema, Type
from semantics.expression import And, Comparison, Constant, Ref
from semantics.plan import Filter, Source

VALUES: Final[dict[Type, type]] = {Type.INT: int, Type.FLOAT: float, Type.STR: str}
"""Columns of these types have ranges, between constants of their own type."""


@dataclass(frozen=True)
class WantedRange:
    """A reader, and the values of a column between which it wants elements, both included."""

    reader: BasketReader
    low: Any
    high: Any


@dataclass(frozen=True)
class SimilarRanges:
    """Readers whose ranges of one column overlap, one after the other."""

    column: int
    members: tuple[WantedRange, ...]

    def predicate(self, schema: Schema) -> Expression:
        """What any of the readers may want."""
        type_ = schema.types[self.column]
        low, high = min(member.low for member in self.members), max(member.high for member in self.members)
        column = Ref(self.column, type_)
        return And(Comparison(">=", column, Constant(low, type_)), Comparison("<=", column, Constant(high, type_)))


class SharedRanges(Strategy):
    """Readers with overlapping ranges read what a common factory selects; all others share the basket as they did."""

    def __init__(self, strategy: Strategy = SHARED) -> None:
        self.strategy = strategy
        self.name = f"{strategy.name}, similar ranges"

    def share(self, net: Net, basket: Basket, readers: list[BasketReader], minimum: int) -> None:
        groups = similar(readers, basket.schema)
        common = [self._common(net, basket, group) for group in groups]
        served = [member.reader for group in groups for member in group.members]
        self.strategy.bind(net, basket, [*common, *(r for r in readers if r not in served)], minimum)

    def _common(self, net: Net, basket: Basket, group: SimilarRanges) -> Factory:
        """The factory that selects for a group, with its readers bound to what it gives."""
        numbered = sum(name.startswith(f"{basket.name} range") for name in net.baskets) + 1
        own = net.basket(f"{basket.name} range {numbered}", basket.schema)
        own.stands_for = basket.read_as
        source = Source(basket.read_as, basket.schema)
        selection = Filter(source, group.predicate(basket.schema))
        node = PhysicalNode("operator", selection, (PhysicalNode("source", source),))
        factory = Factory(Fragment(node, own.name), net.horizon)
        factory.gives_to(own)
        net.add(factory)
        self.strategy.bind(net, own, [member.reader for member in group.members], 1)
        return factory


def similar(readers: Sequence[BasketReader], schema: Schema) -> list[SimilarRanges]:
    """The groups of two readers or more that overlap, by the column with which most readers are in a group."""
    by_column = [list(_groups(readers, Ref(i, type_))) for i, type_ in enumerate(schema.types) if type_ in VALUES]
    return max(by_column, key=lambda groups: sum(len(group.members) for group in groups), default=[])


def _groups(readers: Sequence[BasketReader], column: Ref) -> Iterator[SimilarRanges]:
    ranges = sorted(_wanted(readers, column), key=lambda found: (found.low, found.high))
    group: list[WantedRange] = []
    for found in ranges:
        if group and found.low > max(member.high for member in group):
            yield from _group(column.index, group)
            group = []
        group.append(found)
    yield from _group(column.index, group)


def _group(column: int, members: list[WantedRange]) -> Iterator[SimilarRanges]:
    if len(members) > 1:
        yield SimilarRanges(column, tuple(members))


def _wanted(readers: Sequence[BasketReader], column: Ref) -> Iterator[WantedRange]:
    """The readers of this basket alone that bound the column on both sides."""
    for reader in readers:
        if len(reader.reads) == 1 and reader.predicate is not None:
            of_column = [bound for bound in bounds(reader.predicate) if bound.column == column.index]
            found = [bound for bound in of_column if type(bound.value) is VALUES[column.type]]
            low, high = _values(found, ">"), _values(found, "<")
            if low and high:
                yield WantedRange(reader, max(low), min(high))


def _values(found: Sequence[ConstantBound], direction: str) -> list[Any]:
    """The constants that a column is above, or below; one that it equals is both."""
    return [bound.value for bound in found if bound.symbol[0] in (direction, "=")]
