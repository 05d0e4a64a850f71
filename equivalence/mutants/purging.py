"""Sessions whose operators let go of what they hold too late, which only their state shows, or too early."""

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from equivalence.mutants.mutant import Mutant
from equivalence.mutants.sessions import Sloppy
from physical.columns.stream import PhysicalStream
from physical.engines.interval.count_window import IntervalCountWindow
from physical.engines.interval.join import IntervalJoin
from physical.engines.interval.session import Session
from physical.engines.interval.slice_by_slice import SlicedOperator
from semantics.evaluate import Planned

Spoil = Callable[[Any], None]
"""Changes an operator that has just been made."""


def purging(name: str, operators: type, spoil: Spoil) -> Mutant:
    """A session in which all operators of a kind are spoilt."""

    class Purging(Session):
        def add(self, name: str, query: Planned) -> None:
            super().add(name, query)
            for operator in self._graphs[name].operators:
                if isinstance(operator, operators):
                    spoil(operator)

    return Mutant(name, "session", Sloppy(name, Purging))


def _shifted_purge(by: int) -> Spoil:
    """Sweep areas purge as if it were so many instants later."""

    def spoil(operator: Any) -> None:
        for area in operator.areas:
            area.purge = lambda t, purge=area.purge: purge(t + by)

    return spoil


def _never_purges(operator: Any) -> None:
    for area in operator.areas:
        area.purge = lambda _: None


def _purges_by_start(operator: Any) -> None:
    """Elements go when time has come beyond their start, not their end."""

    def purge(area: Any, t: int) -> None:
        area.elements = area.elements.take(area.elements.start >= t)
        area.forget_index()

    for area in operator.areas:
        area.purge = lambda t, area=area: purge(area, t)


def _purges_one_side(operator: Any) -> None:
    operator.areas[1].purge = lambda _: None


def _hoards(operator: Any) -> None:
    """Every batch is kept, though nobody looks at it any more."""
    hoard: list[PhysicalStream] = []
    accept, held = operator.accept, operator.held

    def accepting(batch: PhysicalStream, port: int) -> None:
        hoard.append(batch)
        accept(batch, port)

    operator.accept = accepting
    operator.held = lambda: [*held(), *hoard]


def _keeps_what_ends_now(operator: Any) -> None:
    """What ends at the watermark is kept until the next one."""
    release, held = operator.release, operator.held
    ended: list[PhysicalStream] = []

    def releasing(watermark: int, force: bool) -> Any:
        whole = held()
        result = release(watermark, force)
        ended[:] = [batch.take(batch.end == watermark) for batch in whole]
        return result

    operator.release = releasing
    operator.held = lambda: [*held(), *ended]


def _forgets_what_ends_next(operator: Any) -> None:
    """What would be valid for one more instant is gone already."""
    release = operator.release

    def releasing(watermark: int, force: bool) -> Any:
        result = release(watermark, force)
        for batches in operator.waiting:
            batches[:] = [batch.take(batch.end > watermark + 1) for batch in batches]
        return result

    operator.release = releasing


def _remembers_all_rows(operator: Any) -> None:
    operator._forget = lambda _: None


def _forgets_a_row(operator: Any) -> None:
    """Of the rows that are needed, the oldest is forgotten."""
    forget = operator._forget

    def forgetting(keep: Any) -> None:
        forget(keep & (np.cumsum(keep) > 1))

    operator._forget = forgetting


PURGING: Final[tuple[Mutant, ...]] = tuple(
    purging(*parts)
    for parts in (
        ("sweep areas are never purged", IntervalJoin, _never_purges),
        ("one sweep area is never purged", IntervalJoin, _purges_one_side),
        ("sweep areas are purged one instant late", IntervalJoin, _shifted_purge(-1)),
        ("sweep areas are purged one instant early", IntervalJoin, _shifted_purge(1)),
        ("sweep areas are purged by start", IntervalJoin, _purges_by_start),
        ("slices keep their input", SlicedOperator, _hoards),
        ("slices keep what has just ended", SlicedOperator, _keeps_what_ends_now),
        ("slices forget the last instant", SlicedOperator, _forgets_what_ends_next),
        ("count windows keep all rows", IntervalCountWindow, _remembers_all_rows),
        ("count windows forget the oldest row", IntervalCountWindow, _forgets_a_row),
    )
)
