"""The incremental engine with one thing wrong: how parts are merged, when they go, or what of a grid is computed."""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from equivalence.mutants.engines.mutated_graph import MutatedGraphEngine
from equivalence.mutants.mutant import Mutant
from equivalence.mutants.mutation import Change, each, mutate
from physical.columns.column import ColumnVector
from physical.engines.incremental.chunks import Fixed
from physical.engines.incremental.expiring_rows import ExpiringRows
from physical.engines.incremental.grouping import GroupNode, PartialStore, StoringNode
from physical.engines.incremental.join_grid import GridNode
from physical.engines.incremental.live_rows import LiveRows
from physical.engines.incremental.partial import PartialResult, numbered
from physical.engines.incremental.partial_layout import PartialFlow
from physical.engines.incremental.stage_operator import algebra
from physical.engines.incremental.window_evaluator import IncrementalEvaluator
from physical.kernels.types import ENDLESS, Ints
from physical.runtime.operator_graph import Algebra
from semantics import Plan, Type
from semantics.aggregate import Avg

Compensate = Callable[[PartialStore, PartialResult, PartialResult, Ints], PartialResult]
"""Another result of a merge: from the parts, the right result, and the group of every part."""


def mutated_nodes(change: Change, chunks: int) -> Algebra:
    """The incremental algebra; every node that merges is given to the change first."""

    def make(plan: Plan) -> IncrementalEvaluator:
        factory = IncrementalEvaluator(plan)
        for node in factory.merging:
            change(node)
        return factory

    return algebra(make, lambda: Fixed(chunks))


def store_of(kind: type, mutation: type[PartialStore]) -> Change:
    """Mutate where nodes of this kind keep their partial results."""

    def change(node: object) -> None:
        if isinstance(node, kind) and isinstance(node, StoringNode):
            mutate(node.store, mutation)

    return change


def baskets_of_stores(mutation: type[LiveRows]) -> Change:
    """Mutate the baskets in which partial results are kept."""

    def change(node: object) -> None:
        for basket in node.store.baskets if isinstance(node, StoringNode) else ():
            mutate(basket, mutation)

    return change


def baskets_of_grids(mutation: type[LiveRows]) -> Change:
    """Mutate the baskets of both sides of joins."""

    def change(node: object) -> None:
        for side in node.sides if isinstance(node, GridNode) else ():
            mutate(side.basket, mutation)

    return change


def merging(compensate: Compensate) -> type[PartialStore]:
    """Parts are merged in another way."""

    class MergesOtherwise(PartialStore):
        def merged(self) -> PartialResult:
            parts = PartialResult(self.summary.rows, tuple(basket.rows for basket in self.details))
            groups = numbered(parts.summary.columns[: self.layout.keys], len(parts.summary))[0]
            return compensate(self, parts, super().merged(), groups)

    return MergesOtherwise


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
    """The last part of every flow is taken for the whole."""
    last = np.zeros(len(whole.summary), np.int64)
    last[groups] = np.arange(len(groups))
    keys = whole.summary.columns[: store.layout.keys]
    flows = [column.take(last) for column in parts.summary.columns[store.layout.keys :]]
    return PartialResult(whole.summary.with_columns([*keys, *flows]), whole.details)


def _concatenated(store: PartialStore, parts: PartialResult, whole: PartialResult, groups: Ints) -> PartialResult:
    return parts


class AveragesAverages(GroupNode):
    """Every part has the same weight in an average."""

    def whole(self) -> ExpiringRows:
        parts, layout = self.store.summary.rows, self.store.layout
        groups = numbered(parts.columns[: layout.keys], len(parts))[0]
        result = super().whole()
        columns = list(result.columns)
        for place, function in enumerate(self.aggregates, start=layout.keys):
            if isinstance(function, Avg) and function.argument.type is Type.INT and len(parts):
                low = layout.place(PartialFlow("sum", function.argument)) + 1
                counts = parts.columns[layout.place(PartialFlow("count", function.argument))].values
                columns[place] = _plain_mean(columns[place], parts.columns[low].values, counts, groups)
        return result.with_columns(columns)


def _plain_mean(right: ColumnVector, sums: Ints, counts: Ints, groups: Ints) -> ColumnVector:
    some = counts > 0
    means = np.bincount(groups[some], sums[some] / counts[some], minlength=len(right))
    return ColumnVector(right.type, means / np.maximum(np.bincount(groups[some], minlength=len(right)), 1), right.valid)


class KeepsStaleResults(PartialStore):
    """When parts expire, the last result is still considered right."""

    def expire(self, now: int) -> None:
        changed = self.changed
        super().expire(now)
        self.changed = changed


class ExpiresEarly(LiveRows):
    """Basic windows go one instant early."""

    def expire(self, now: int) -> bool:
        return super().expire(now + 1)


class ExpiresLate(LiveRows):
    """Basic windows go one instant late."""

    def expire(self, now: int) -> bool:
        return super().expire(now - 1)


def missing(missed: int) -> type[GridNode]:
    """Grids in which new rows never meet this side."""

    class MissesASide(GridNode):
        def meet(self, side: int, new: ExpiringRows | None, now: int) -> None:
            if side != missed:
                super().meet(side, new, now)

    return MissesASide


class MissesTheCorner(GridNode):
    """The new basic windows of both sides never meet each other."""

    def slide(self, now: int, until: int) -> None:
        self.expire(now)
        left, right = (waiting.due_together(now) for waiting in self.waiting)
        self.meet(1, left, now)
        self.meet(0, right, now)
        self.admit(0, left)
        self.admit(1, right)
        self.give_single_rows(now, until)


class PartnersForEver(GridNode):
    """A row that has had a partner always has one."""

    def note(self, rows: ExpiringRows, positions: Ints, ends: Ints) -> None:
        super().note(rows, positions, np.full_like(ends, ENDLESS))


class FirstPartnerDecides(GridNode):
    """Of several partners the first one decides until when a row has any."""

    def note(self, rows: ExpiringRows, positions: Ints, ends: Ints) -> None:
        until = rows.columns[-1].values
        for at, end in zip(positions.tolist(), ends.tolist(), strict=True):
            until[at] = until[at] or end


def choosing(choose: Callable[[Sequence[PartialResult]], Sequence[PartialResult]]) -> type[PartialStore]:
    """Of the chunks of a basic window others are merged."""

    class ChoosesChunks(PartialStore):
        def chunks_as_one(self, chunks: Sequence[PartialResult]) -> PartialResult:
            return super().chunks_as_one(choose(chunks))

    return ChoosesChunks


class CountsAgain(PartialStore):
    """The cumulative result is added to the parts that it was made of."""

    def replace(self, partial: PartialResult) -> None:
        self.append(partial)


class RoundsParts(PartialStore):
    """A sum of floats over a basic window is kept as one float."""

    def add(self, partial: PartialResult, start: int) -> None:
        details = zip(self.layout.details, partial.details, strict=True)
        rounded = tuple(_summed(rows) if flow.kind == "parts" else rows for flow, rows in details)
        super().add(PartialResult(partial.summary, rounded), start)


def _summed(rows: ExpiringRows) -> ExpiringRows:
    *keys, x = rows.columns
    numbers, first = numbered(keys, len(rows))
    sums = np.bincount(numbers, x.values, minlength=len(first))
    return rows.take(first).with_columns([*(key.take(first) for key in keys), ColumnVector(x.type, sums)])


_TABLE: Final[tuple[tuple[str, Change, int], ...]] = (
    ("counts are counted, not added", store_of(StoringNode, merging(_count_of_counts)), 1),
    ("sums are merged as counts", store_of(GroupNode, merging(_sum_of_counts)), 1),
    ("the last part is taken for the whole", store_of(StoringNode, merging(_last_part)), 1),
    ("parts are not compensated", store_of(StoringNode, merging(_concatenated)), 1),
    ("average of averages", each(GroupNode, AveragesAverages), 1),
    ("sums of floats rounded in parts", store_of(GroupNode, RoundsParts), 1),
    ("results are not renewed when parts expire", store_of(StoringNode, KeepsStaleResults), 1),
    ("part dropped too early", baskets_of_stores(ExpiresEarly), 1),
    ("part dropped too late", baskets_of_stores(ExpiresLate), 1),
    ("side of a grid dropped too early", baskets_of_grids(ExpiresEarly), 1),
    ("side of a grid dropped too late", baskets_of_grids(ExpiresLate), 1),
    ("new row of a grid not computed", each(GridNode, missing(1)), 1),
    ("new column of a grid not computed", each(GridNode, missing(0)), 1),
    ("new corner of a grid not computed", each(GridNode, MissesTheCorner), 1),
    ("once a partner, always a partner", each(GridNode, PartnersForEver), 1),
    ("the first partner decides", each(GridNode, FirstPartnerDecides), 1),
    ("only the last chunk is merged", store_of(StoringNode, choosing(lambda chunks: chunks[-1:])), 3),
    ("a chunk merged twice", store_of(StoringNode, choosing(lambda chunks: [*chunks, chunks[0]])), 3),
    ("cumulative result counted again", store_of(StoringNode, CountsAgain), 1),
)
"""What is wrong, where, and in how many chunks basic windows are processed."""


def _mutant(name: str, change: Change, chunks: int) -> Mutant:
    return Mutant(MutatedGraphEngine(f"incremental: {name}", lambda: mutated_nodes(change, chunks)), "engine")


INCREMENTAL: Final[tuple[Mutant, ...]] = tuple(_mutant(*row) for row in _TABLE)
