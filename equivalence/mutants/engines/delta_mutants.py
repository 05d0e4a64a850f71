"""The delta engine with wrong operators: retractions that are lost, early, late, or of the wrong row."""

from collections.abc import Callable
from functools import cached_property, partial
from typing import Any, Final

import numpy as np

from equivalence.mutants.engines.mutated_graph import MutatedGraphEngine, mutated_algebra
from equivalence.mutants.mutant import Mutant
from equivalence.mutants.mutation import Change, each
from physical.columns.stream import PhysicalStream
from physical.engines.delta.aggregation import DeltaAggregation
from physical.engines.delta.algebra import DELTA_TO_INTERVAL_ALGEBRA
from physical.engines.delta.count_window import DeltaCountWindow
from physical.engines.delta.delta_stream import DeltaStream
from physical.engines.delta.engine import DeltaEngine
from physical.engines.delta.expiring_windows import DeltaNowWindow, DeltaSource, DeltaWindow, ExpiringWindow
from physical.engines.delta.join import DeltaJoin, DeltaSemijoin
from physical.engines.delta.operator import StatefulDeltaOperator
from physical.engines.delta.retraction import ended
from physical.engines.delta.row_lifetimes import Lives
from physical.engines.delta.set_operations import DeltaChanges, DeltaSetOperation
from physical.engines.delta.stateless import DeltaFilter, DeltaMap, DeltaUnion
from physical.engines.delta.to_intervals import DeltaSplit, DeltaToIntervals
from physical.kernels import deltas as kernel
from physical.kernels.types import ENDLESS, Bools, Ints
from physical.runtime.operator import AnyOperator, Operator


def giving(change: Callable[[Any], Any]) -> type[AnyOperator]:
    """Operators whose output is changed: signed elements, or intervals at the end of a plan."""

    class GivesOther(Operator[Any, Any]):
        def _released(self, force: bool) -> Any:
            return change(super()._released(force))

    return GivesOther


def taking(change: Callable[[DeltaStream], DeltaStream], port: int | None = None) -> type[StatefulDeltaOperator[Any]]:
    """Operators whose input is changed, at one port or at all."""

    class TakesOther(StatefulDeltaOperator[Any]):
        def treat(self, due: list[DeltaStream], since: int, until: int) -> Any:
            return super().treat([change(d) if port in (None, i) else d for i, d in enumerate(due)], since, until)

    return TakesOther


def ending(change: Callable[[PhysicalStream], Ints]) -> type[ExpiringWindow]:
    """Windows and sources that show their rows for another time, unless it is for ever."""

    class EndsOtherwise(ExpiringWindow):
        def spans(self, batch: PhysicalStream) -> PhysicalStream:
            new = super().spans(batch)
            end = np.where(new.end == ENDLESS, ENDLESS, change(new))
            return new.valid_during(new.start, end).take(new.start < end)

    return EndsOtherwise


def _positive(stream: DeltaStream) -> DeltaStream:
    return stream.take(~stream.negative)


def _without_last_retraction(stream: DeltaStream) -> DeltaStream:
    kept = np.ones(len(stream), np.bool_)
    kept[np.flatnonzero(stream.negative)[-1:]] = False
    return stream.take(kept)


def _swapped(stream: DeltaStream) -> DeltaStream:
    return stream.with_sign(-stream.sign)


def _updates_only_add(stream: DeltaStream) -> DeltaStream:
    """Where a row comes at the instant, none goes."""
    return stream.take(~(stream.negative & np.isin(stream.time, stream.time[~stream.negative])))


def _updates_only_remove(stream: DeltaStream) -> DeltaStream:
    """Where a row goes at the instant, none comes."""
    return stream.take(stream.negative | ~np.isin(stream.time, stream.time[stream.negative]))


def _late_retractions(stream: DeltaStream) -> DeltaStream:
    """What goes is treated an instant after what comes."""
    time = stream.time + stream.negative
    order = np.argsort(time, kind="stable")
    return stream.at(time).take(order)


class FilterPassesRetractions(DeltaFilter):
    """A batch of nothing but retractions passes, whatever the predicate says."""

    def apply(self, batch: DeltaStream) -> DeltaStream:
        return batch if batch.negative.all() else super().apply(batch)


class UnionTakesRetractionsOfTheLeft(DeltaUnion):
    """What goes on the right stays in the result."""

    def treat(self, due: list[DeltaStream], since: int, until: int) -> DeltaStream:
        return super().treat([*due[:1], *map(_positive, due[1:])], since, until)


def forgetting(port: int) -> type[DeltaJoin]:
    """Joins that forget the rows of one input as soon as they have been treated."""

    class ForgetsInput(DeltaJoin):
        def treat(self, due: list[DeltaStream], since: int, until: int) -> DeltaStream:
            output = super().treat(due, since, until)
            self.lives[port] = Lives(DeltaStream.empty(self.inputs[port]), 0)
            return output

    return ForgetsInput


class CountsOnePartnerMore(DeltaSemijoin):
    """Every row that stays is said to have one more partner than it has."""

    def changes_of(self, lives: list[Lives], since: int, until: int) -> DeltaStream:
        output = super().changes_of(lives, since, until)
        self.partners = self.partners + 1
        return output


class LosesTheOldestRow(ExpiringWindow):
    """Of the rows that a window holds, the oldest is lost, and is never retracted."""

    def release(self, watermark: int, force: bool) -> tuple[DeltaStream, int]:
        result = super().release(watermark, force)
        lost = min(1, self.shown)
        self.live, self.shown = self.live.take(np.s_[lost:]), self.shown - lost
        return result


class TreatsAnInstantOnce(StatefulDeltaOperator[Any]):
    """Further elements at an instant that has been treated are ignored."""

    def treat(self, due: list[DeltaStream], since: int, until: int) -> Any:
        known = any(len(lives.stream) for lives in self.lives)
        return super().treat([d.take(d.time > since) if known else d for d in due], since, until)


class LivesByFirstColumn(Lives):
    """A retraction ends the oldest row that has the same first column."""

    @cached_property
    def ended(self) -> Ints:
        return ended(self.stream.columns[:1], self.births, self.deaths)


class MatchesByFirstColumn(StatefulDeltaOperator[Any]):
    """What is computed is based on rows and retractions that are matched by their first column."""

    def changes_of(self, lives: list[Lives], since: int, until: int) -> Any:
        by_first: list[Lives] = [LivesByFirstColumn(one.stream, one.old) for one in lives]
        return super().changes_of(by_first, since, until)  # type: ignore[safe-super]  # that of the operator, not of the base


class EagerChanges(DeltaChanges):
    """Istream and Dstream say what happens at an instant before it is over."""

    eager = True


def _swap_changes(operator: object) -> None:
    """Istream gives what goes, Dstream what comes."""
    if isinstance(operator, DeltaChanges):
        operator.operation = kernel.RISE + kernel.FALL - operator.operation


class ForgetsARow(DeltaCountWindow):
    """Of the rows that the count window still needs, the oldest is forgotten."""

    def forget(self, keep: Bools) -> None:
        super().forget(keep & (np.cumsum(keep) > 1))


_TABLE: Final[tuple[tuple[str, Change], ...]] = (
    ("windows never retract", each(DeltaWindow, giving(_positive))),
    ("windows lose a retraction", each(DeltaWindow, giving(_without_last_retraction))),
    ("windows retract too early", each(DeltaWindow, ending(lambda new: new.end - 1))),
    ("windows retract too late", each(DeltaWindow, ending(lambda new: new.end + 1))),
    ("windows lose the oldest row they hold", each(ExpiringWindow, LosesTheOldestRow)),
    ("the now-window never ends", each(DeltaNowWindow, giving(_positive))),
    ("sources lose a retraction", each(DeltaSource, giving(_without_last_retraction))),
    ("sources retract after one instant", each(DeltaSource, ending(lambda new: new.start + 1))),
    ("map drops retractions", each(DeltaMap, giving(_positive))),
    ("filter lets every retraction pass", each(DeltaFilter, FilterPassesRetractions)),
    ("union takes retractions of the left only", each(DeltaUnion, UnionTakesRetractionsOfTheLeft)),
    ("join signs are swapped", each(DeltaJoin, giving(_swapped))),
    ("joins never part", each(DeltaJoin, giving(_positive))),
    ("joins forget the left", each(DeltaJoin, forgetting(0))),
    ("joins forget the right", each(DeltaJoin, forgetting(1))),
    ("partners go and come in the wrong order", each(DeltaSemijoin, taking(_late_retractions))),
    ("partners are counted once too often", each(DeltaSemijoin, CountsOnePartnerMore)),
    ("the old row of an aggregation stays", each(DeltaAggregation, giving(_updates_only_add))),
    ("the new row of an aggregation is lost", each(DeltaAggregation, giving(_updates_only_remove))),
    ("aggregates count retractions in", each(DeltaAggregation, taking(lambda s: s.with_sign(np.abs(s.sign))))),
    ("aggregates are read before rows go", each(DeltaAggregation, taking(_late_retractions))),
    ("differences take no retraction on the right", each(DeltaSetOperation, taking(_positive, port=1))),
    ("differences retract what comes", each(DeltaSetOperation, giving(_swapped))),
    ("count operators read before rows go", each(DeltaSetOperation, taking(_late_retractions))),
    ("Istream is eager", each(DeltaChanges, EagerChanges)),
    ("Istream and Dstream are swapped", _swap_changes),
    ("count windows never retract", each(DeltaCountWindow, giving(_positive))),
    ("count windows retract one row too many", each(DeltaCountWindow, ForgetsARow)),
    ("results end one late", each(DeltaToIntervals, giving(lambda s: s.valid_during(s.start, np.where(s.end == ENDLESS, s.end, s.end + 1))))),
    ("split misses the last instant", each(DeltaSplit, taking(lambda s: s.at(np.maximum(s.time - s.negative, 0))))),
    ("an instant is treated only once", each(StatefulDeltaOperator, TreatsAnInstantOnce)),
    ("retractions are matched by the first column", each(StatefulDeltaOperator, MatchesByFirstColumn)),
)  # fmt: skip
DELTA: Final[tuple[Mutant, ...]] = tuple(
    Mutant(
        MutatedGraphEngine(
            f"delta: {name}",
            partial(mutated_algebra, DELTA_TO_INTERVAL_ALGEBRA, change),
            retracts=DeltaEngine.retracts,
            lacks=DeltaEngine.lacks,
        ),
        "engine",
    )
    for name, change in _TABLE
)
