"""The incremental engine with one thing wrong: how parts are merged, when they go, or what of a grid is computed."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from equivalence.mutants.mutant import Mutant
from physical.columns.column import ColumnVector
from physical.engines.incremental.engine import IncrementalEngine
from physical.engines.incremental.expiring_rows import ExpiringRows
from physical.engines.incremental.grouping import GroupNode, PartialStore, StoringNode
from physical.engines.incremental.join_grid import GridNode
from physical.engines.incremental.node import MergingNode
from physical.engines.incremental.partial import PartialResult, numbered
from physical.engines.incremental.partial_layout import PartialFlow
from physical.engines.incremental.stage_operator import algebra
from physical.engines.incremental.window_evaluator import IncrementalEvaluator
from physical.kernels.types import ENDLESS, Ints
from physical.runtime.operator_graph import Algebra
from semantics import Plan, Type
from semantics.aggregate import Avg

Spoil = Callable[[Any], None]
"""Changes a node that has just been made."""
Compensate = Callable[[PartialStore, PartialResult, PartialResult, Ints], PartialResult]
"""Another result of a merge: from the parts, the right result, and the group of every part."""


class Spoilt(IncrementalEngine):
    """The incremental engine, every node of a kind spoilt."""

    def __init__(self, name: str, kind: type[MergingNode], spoil: Spoil, chunks: int = 1) -> None:
        super().__init__(chunks)
        self.name = name
        self.kind = kind
        self.spoil = spoil

    def algebra(self) -> Algebra:
        def make(plan: Plan) -> IncrementalEvaluator:
            factory = IncrementalEvaluator(plan)
            for node in factory.merging:
                if isinstance(node, self.kind):
                    self.spoil(node)
            return factory

        return algebra(make, self.pace)


def compensated(compensate: Compensate) -> Spoil:
    """A node whose parts are merged in another way."""

    def spoil(node: Any) -> None:
        store, right = node.store, node.store.merged

        def wrong() -> PartialResult:
            parts = PartialResult(store.summary.rows, tuple(basket.rows for basket in store.details))
            groups = numbered(parts.summary.columns[: store.layout.keys], len(parts.summary))[0]
            return compensate(store, parts, right(), groups)

        node.store.merged = wrong

    return spoil


def _with_flow(
    store: PartialStore, whole: PartialResult, kind: str, make: Callable[[int, PartialFlow], Ints]
) -> PartialResult:
    """A merged result with other numbers for all flows of a kind."""
    columns = list(whole.summary.columns)
    for flow in store.layout.summaries:
        if flow.kind == kind:
            place = store.layout.place(flow) + len(flow.types) - 1
            columns[place] = ColumnVector(Type.INT, make(place, flow))
    return PartialResult(whole.summary.with_columns(columns), whole.details)


def _count_of_counts(store: PartialStore, _: PartialResult, whole: PartialResult, groups: Ints) -> PartialResult:
    return _with_flow(store, whole, "count", lambda *_: np.bincount(groups, minlength=len(whole.summary)))


def _sum_of_counts(store: PartialStore, _: PartialResult, whole: PartialResult, __: Ints) -> PartialResult:
    """For a sum the counts are added up, not the sums."""

    def counts(_: int, flow: PartialFlow) -> Ints:
        place = store.layout.place(PartialFlow("count", flow.argument))
        numbers: Ints = whole.summary.columns[place].values
        return numbers

    return _with_flow(store, whole, "sum", counts)


def _last_part(store: PartialStore, parts: PartialResult, whole: PartialResult, groups: Ints) -> PartialResult:
    """Of every flow the last part, as if it were the whole."""
    last = np.zeros(len(whole.summary), np.int64)
    last[groups] = np.arange(len(groups))
    keys = whole.summary.columns[: store.layout.keys]
    flows = [column.take(last) for column in parts.summary.columns[store.layout.keys :]]
    return PartialResult(whole.summary.with_columns([*keys, *flows]), whole.details)


def _concatenated(store: PartialStore, parts: PartialResult, whole: PartialResult, groups: Ints) -> PartialResult:
    return parts


def _average_of_averages(node: Any) -> None:
    """Every part has the same weight in an average."""
    right = node.whole

    def whole() -> ExpiringRows:
        parts, layout = node.store.summary.rows, node.store.layout
        groups = numbered(parts.columns[: layout.keys], len(parts))[0]
        result: ExpiringRows = right()
        columns = list(result.columns)
        for i, function in enumerate(node.aggregates):
            if isinstance(function, Avg) and function.argument.type is Type.INT and len(parts):
                low = layout.place(PartialFlow("sum", function.argument)) + 1
                counts = parts.columns[layout.place(PartialFlow("count", function.argument))].values
                columns[layout.keys + i] = _plain_mean(
                    columns[layout.keys + i], parts.columns[low].values, counts, groups
                )
        return result.with_columns(columns)

    node.whole = whole


def _plain_mean(right: ColumnVector, sums: Ints, counts: Ints, groups: Ints) -> ColumnVector:
    some = counts > 0
    means = np.bincount(groups[some], sums[some] / counts[some], minlength=len(right))
    return ColumnVector(right.type, means / np.maximum(np.bincount(groups[some], minlength=len(right)), 1), right.valid)


def _stale(node: Any) -> None:
    """What expires does not make the last result wrong."""
    store, right = node.store, node.store.expire

    def expire(now: int) -> None:
        changed = store.changed
        right(now)
        store.changed = changed

    store.expire = expire


def _shifted(by: int) -> Spoil:
    """Basic windows go so many instants later, or earlier."""

    def spoil(node: Any) -> None:
        baskets: list[Any] = (
            node.store._baskets() if isinstance(node, StoringNode) else [side.basket for side in node.sides]
        )
        for basket in baskets:
            basket.expire = lambda now, right=basket.expire: right(now - by)

    return spoil


def _without(side: int) -> Spoil:
    """A grid in which new rows never meet this side."""

    def spoil(node: Any) -> None:
        right = node.meet
        node.meet = lambda at, new, now: None if at == side else right(at, new, now)

    return spoil


def _corner(node: Any) -> None:
    """The new basic windows of both sides never meet each other."""

    def slide(now: int, until: int) -> None:
        node.expire(now)
        left, right = (waiting.due_together(now) for waiting in node.waiting)
        node.meet(1, left, now)
        node.meet(0, right, now)
        node._admit(0, left)
        node._admit(1, right)
        node._give_single_rows(now, until)

    node.slide = slide


def _for_ever(node: Any) -> None:
    right = node.note
    node.note = lambda rows, at, ends: right(rows, at, np.full_like(ends, ENDLESS))


def _first_partner(node: Any) -> None:
    """Of several partners the first one decides until when a row has any."""

    def note(rows: ExpiringRows, positions: Ints, ends: Ints) -> None:
        until = rows.columns[-1].values
        for at, end in zip(positions.tolist(), ends.tolist(), strict=True):
            until[at] = until[at] or end

    node.note = note


def _chunks(choose: Callable[[Sequence[PartialResult]], Sequence[PartialResult]]) -> Spoil:
    """Chunks of a basic window of which not all are merged, or some twice."""

    def spoil(node: Any) -> None:
        right = node.store.chunks_as_one
        node.store.chunks_as_one = lambda chunks: right(choose(chunks))

    return spoil


def _counted_again(node: Any) -> None:
    """The cumulative result is added to what it is made of."""
    node.store._replace = node.store._append


def _rounded_parts(node: Any) -> None:
    """Of a basic window the sum of floats is kept as one float."""
    right = node.store.add

    def add(partial: PartialResult, start: int) -> None:
        details = zip(node.layout.details, partial.details, strict=True)
        right(
            PartialResult(partial.summary, tuple(_summed(rows) if f.kind == "parts" else rows for f, rows in details)),
            start,
        )

    node.store.add = add


def _summed(rows: ExpiringRows) -> ExpiringRows:
    *keys, x = rows.columns
    numbers, first = numbered(keys, len(rows))
    sums = np.bincount(numbers, x.values, minlength=len(first))
    return rows.take(first).with_columns([*(key.take(first) for key in keys), ColumnVector(x.type, sums)])


_WRONG: Final[tuple[tuple[str, type[MergingNode], Spoil, int], ...]] = (
    ("counts are counted, not added", StoringNode, compensated(_count_of_counts), 1),
    ("sums are merged as counts", GroupNode, compensated(_sum_of_counts), 1),
    ("the last part for the whole", StoringNode, compensated(_last_part), 1),
    ("parts are not compensated", StoringNode, compensated(_concatenated), 1),
    ("average of averages", GroupNode, _average_of_averages, 1),
    ("sums of floats rounded in parts", GroupNode, _rounded_parts, 1),
    ("stale intermediate", StoringNode, _stale, 1),
    ("part dropped too early", StoringNode, _shifted(-1), 1),
    ("part dropped too late", StoringNode, _shifted(1), 1),
    ("side of a grid dropped too early", GridNode, _shifted(-1), 1),
    ("side of a grid dropped too late", GridNode, _shifted(1), 1),
    ("new row of a grid not computed", GridNode, _without(1), 1),
    ("new column of a grid not computed", GridNode, _without(0), 1),
    ("new corner of a grid not computed", GridNode, _corner, 1),
    ("once a partner, always a partner", GridNode, _for_ever, 1),
    ("the first partner decides", GridNode, _first_partner, 1),
    ("last chunk for all", StoringNode, _chunks(lambda chunks: chunks[-1:]), 3),
    ("a chunk merged twice", StoringNode, _chunks(lambda chunks: [*chunks, chunks[0]]), 3),
    ("cumulative result counted again", StoringNode, _counted_again, 1),
)  # fmt: skip
INCREMENTAL: Final[tuple[Mutant, ...]] = tuple(
    Mutant(f"incremental: {name}", "engine", Spoilt(name, kind, spoil, chunks)) for name, kind, spoil, chunks in _WRONG
)
