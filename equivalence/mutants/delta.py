"""The engine on signed elements, one kind of its operators spoilt: retractions lost, early, late, of the wrong row."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, Final

import numpy as np

from equivalence.mutants.mutant import Mutant
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
from physical.kernels.types import ENDLESS, Ints
from physical.planning.planner import PhysicalNode
from physical.runtime.operator import AnyOperator
from physical.runtime.operator_graph import Algebra

Spoil = Callable[[Any], None]
"""Changes an operator that has just been made."""


class Spoilt(DeltaEngine):
    """All operators of a kind are spoilt."""

    def __init__(self, name: str, operators: type, spoil: Spoil) -> None:
        self.name = name
        self.operators = operators
        self.spoil = spoil

    def algebra(self) -> Algebra:
        return Algebra(DELTA_TO_INTERVAL_ALGEBRA.plan, self._operator)

    def _operator(self, node: PhysicalNode, horizon: int) -> AnyOperator:
        operator = DELTA_TO_INTERVAL_ALGEBRA.operator(node, horizon)
        if isinstance(operator, self.operators):
            self.spoil(operator)
        return operator


def giving(change: Callable[[Any], Any]) -> Spoil:
    """The operator's output is changed."""

    def spoil(operator: Any) -> None:
        release = operator.release

        def releasing(watermark: int, force: bool) -> Any:
            output, progress = release(watermark, force)
            return change(output), progress

        operator.release = releasing

    return spoil


def taking(change: Callable[[DeltaStream], DeltaStream], port: int | None = None) -> Spoil:
    """What the operator takes in, at one port or at all, is changed."""

    def spoil(operator: Any) -> None:
        treat = operator.treat

        def treating(due: list[DeltaStream], since: int, until: int) -> Any:
            return treat([change(d) if port in (None, i) else d for i, d in enumerate(due)], since, until)

        operator.treat = treating

    return spoil


def ending(change: Callable[[PhysicalStream], Ints]) -> Spoil:
    """A window, or a source, has other ends for its rows, if they have an end."""

    def spoil(operator: Any) -> None:
        spans = operator.spans

        def spanning(batch: PhysicalStream) -> PhysicalStream:
            new: PhysicalStream = spans(batch)
            end = np.where(new.end == ENDLESS, ENDLESS, change(new))
            return new.valid_during(new.start, end).take(new.start < end)

        operator.spans = spanning

    return spoil


def setting(**attributes: object) -> Spoil:
    return lambda operator: operator.__dict__.update(attributes)


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


def _passes_retractions(operator: Any) -> None:
    apply = operator.apply
    operator.apply = lambda batch: batch if batch.negative.all() else apply(batch)


def _forgets(port: int) -> Spoil:
    """What one input has shown is forgotten, once it has been treated."""

    def spoil(operator: Any) -> None:
        treat = operator.treat

        def treating(due: list[DeltaStream], since: int, until: int) -> Any:
            output = treat(due, since, until)
            operator.lives[port] = Lives(DeltaStream.empty(operator.inputs[port]), 0)
            return output

        operator.treat = treating

    return spoil


def _counts_one_partner_more(operator: Any) -> None:
    changes_of = operator.changes_of

    def gathering(*given: Any) -> Any:
        output = changes_of(*given)
        operator.partners = operator.partners + 1
        return output

    operator.changes_of = gathering


def _drops_the_oldest(operator: Any) -> None:
    """Of the rows that a window holds, the oldest is lost, and nobody will take it back."""
    release = operator.release

    def releasing(watermark: int, force: bool) -> Any:
        result = release(watermark, force)
        lost = min(1, operator.shown)
        operator.live, operator.shown = operator.live.take(np.s_[lost:]), operator.shown - lost
        return result

    operator.release = releasing


def _treats_an_instant_once(operator: Any) -> None:
    """More elements at an instant that has been treated are not looked at."""
    treat = operator.treat

    def treating(due: list[DeltaStream], since: int, until: int) -> Any:
        known = any(len(lives.stream) for lives in operator.lives)
        return treat([d.take(d.time > since) if known else d for d in due], since, until)

    operator.treat = treating


class _ByFirstColumn(Lives):
    """A retraction ends the oldest row that has the same first column."""

    @cached_property
    def ended(self) -> Ints:
        return ended(self.stream.columns[:1], self.births, self.deaths)


def _matches_by_first_column(operator: Any) -> None:
    changes_of = operator.changes_of
    operator.changes_of = lambda lives, *given: changes_of([_ByFirstColumn(x.stream, x.old) for x in lives], *given)


_MUTANTS: Final[tuple[tuple[str, type, Spoil], ...]] = (
    ("windows never retract", DeltaWindow, giving(_positive)),
    ("windows lose a retraction", DeltaWindow, giving(_without_last_retraction)),
    ("windows retract too early", DeltaWindow, ending(lambda new: new.end - 1)),
    ("windows retract too late", DeltaWindow, ending(lambda new: new.end + 1)),
    ("windows lose the oldest row they hold", ExpiringWindow, _drops_the_oldest),
    ("the now-window never ends", DeltaNowWindow, giving(_positive)),
    ("sources lose a retraction", DeltaSource, giving(_without_last_retraction)),
    ("sources retract after one instant", DeltaSource, ending(lambda new: new.start + 1)),
    ("map drops retractions", DeltaMap, giving(_positive)),
    ("filter lets every retraction pass", DeltaFilter, _passes_retractions),
    ("union takes retractions of the left only", DeltaUnion, taking(_positive, port=1)),
    ("join signs are swapped", DeltaJoin, giving(_swapped)),
    ("joins never part", DeltaJoin, giving(_positive)),
    ("joins forget the left", DeltaJoin, _forgets(0)),
    ("joins forget the right", DeltaJoin, _forgets(1)),
    ("partners go and come in the wrong order", DeltaSemijoin, taking(_late_retractions)),
    ("partners are counted once too often", DeltaSemijoin, _counts_one_partner_more),
    ("the old row of an aggregation stays", DeltaAggregation, giving(_updates_only_add)),
    ("the new row of an aggregation is lost", DeltaAggregation, giving(_updates_only_remove)),
    ("aggregates count retractions in", DeltaAggregation, taking(lambda s: s.with_sign(np.abs(s.sign)))),
    ("aggregates are read before rows go", DeltaAggregation, taking(_late_retractions)),
    ("differences take no retraction on the right", DeltaSetOperation, taking(_positive, port=1)),
    ("differences retract what comes", DeltaSetOperation, giving(_swapped)),
    ("count operators read before rows go", DeltaSetOperation, taking(_late_retractions)),
    ("Istream is eager", DeltaChanges, setting(eager=True)),
    ("Istream and Dstream are swapped", DeltaChanges, lambda o: setting(operation=kernel.RISE + kernel.FALL - o.operation)(o)),
    ("count windows never retract", DeltaCountWindow, giving(_positive)),
    ("count windows retract one row too many", DeltaCountWindow, lambda o: setting(_forget=lambda keep: o.last.keep(keep & (np.cumsum(keep) > 1)))(o)),
    ("results end one late", DeltaToIntervals, giving(lambda s: s.valid_during(s.start, np.where(s.end == ENDLESS, s.end, s.end + 1)))),
    ("split misses the last instant", DeltaSplit, taking(lambda s: s.at(np.maximum(s.time - s.negative, 0)))),
    ("an instant is treated only once", StatefulDeltaOperator, _treats_an_instant_once),
    ("retractions are matched by the first column", StatefulDeltaOperator, _matches_by_first_column),
)  # fmt: skip
DELTA: Final[tuple[Mutant, ...]] = tuple(
    Mutant(f"delta: {name}", "engine", Spoilt(f"delta: {name}", operators, spoil))
    for name, operators, spoil in _MUTANTS
)
