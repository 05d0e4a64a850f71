"""Sessions whose operators drop state too late, which only their state shows, or too early."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import numpy as np

from equivalence.mutants.engines.mutated_graph import mutated_algebra
from equivalence.mutants.engines.session_mutants import MutatedSessions
from equivalence.mutants.mutant import Mutant
from equivalence.mutants.mutation import Change, each, mutate
from physical.columns.stream import PhysicalStream
from physical.engines.interval.algebra import INTERVAL_ALGEBRA
from physical.engines.interval.count_window import IntervalCountWindow
from physical.engines.interval.join import IntervalJoin
from physical.engines.interval.slice_by_slice import SlicedOperator
from physical.join_index.list_area import ListArea
from physical.kernels.types import Bools
from physical.runtime.graph_session import GraphSession
from physical.runtime.operator_graph import OperatorGraph

BOTH: Final = (0, 1)


def areas(mutation: type[ListArea], sides: Sequence[int] = BOTH) -> Change:
    """Mutate the sweep areas of joins, on these sides."""

    def change(operator: object) -> None:
        if isinstance(operator, IntervalJoin):
            for side in sides:
                mutate(operator.areas[side], mutation)

    return change


class NeverPurges(ListArea):
    """Everything stays."""

    def purge(self, t: int) -> None:
        """Do nothing."""


class PurgesLate(ListArea):
    """Elements go one instant after they could."""

    def purge(self, t: int) -> None:
        super().purge(t - 1)


class PurgesEarly(ListArea):
    """Elements go one instant before they may."""

    def purge(self, t: int) -> None:
        super().purge(t + 1)


class PurgesByStart(ListArea):
    """Elements go when time has passed their start, not their end."""

    def purge(self, t: int) -> None:
        self.elements = self.elements.take(self.elements.start >= t)
        self.forget_index()


class HoardsInput(SlicedOperator):
    """Every batch stays in the state, though nothing reads it any more."""

    hoard: Sequence[PhysicalStream] = ()

    def accept(self, batch: PhysicalStream, port: int) -> None:
        self.hoard = [*self.hoard, batch]
        super().accept(batch, port)

    def held(self) -> list[PhysicalStream]:
        return [*super().held(), *self.hoard]


class KeepsWhatHasEnded(SlicedOperator):
    """Elements that end at the watermark stay until the next one."""

    ended: Sequence[PhysicalStream] = ()

    def release(self, watermark: int, force: bool) -> tuple[PhysicalStream, int]:
        before = super().held()
        result = super().release(watermark, force)
        self.ended = [batch.take(batch.end == watermark) for batch in before]
        return result

    def held(self) -> list[PhysicalStream]:
        return [*super().held(), *self.ended]


class ForgetsTheLastInstant(SlicedOperator):
    """Elements that are valid for one more instant are gone already."""

    def release(self, watermark: int, force: bool) -> tuple[PhysicalStream, int]:
        result = super().release(watermark, force)
        for batches in self.waiting:
            batches[:] = [batch.take(batch.end > watermark + 1) for batch in batches]
        return result


class KeepsAllRows(IntervalCountWindow):
    """Rows that no later result needs stay."""

    def forget(self, keep: Bools) -> None:
        """Do nothing."""


class ForgetsTheOldestRow(IntervalCountWindow):
    """Of the rows that are still needed, the oldest is forgotten."""

    def forget(self, keep: Bools) -> None:
        super().forget(keep & (np.cumsum(keep) > 1))


PURGING: Final[tuple[Mutant, ...]] = tuple(
    Mutant(
        MutatedSessions(
            name, partial(GraphSession, graph=partial(OperatorGraph, mutated_algebra(INTERVAL_ALGEBRA, change)))
        ),
        "session",
    )
    for name, change in (
        ("sweep areas are never purged", areas(NeverPurges)),
        ("one sweep area is never purged", areas(NeverPurges, sides=[1])),
        ("sweep areas are purged one instant late", areas(PurgesLate)),
        ("sweep areas are purged one instant early", areas(PurgesEarly)),
        ("sweep areas are purged by start", areas(PurgesByStart)),
        ("slices keep their input", each(SlicedOperator, HoardsInput)),
        ("slices keep what has just ended", each(SlicedOperator, KeepsWhatHasEnded)),
        ("slices forget the last instant", each(SlicedOperator, ForgetsTheLastInstant)),
        ("count windows keep all rows", each(IntervalCountWindow, KeepsAllRows)),
        ("count windows forget the oldest row", each(IntervalCountWindow, ForgetsTheOldestRow)),
    )
)
