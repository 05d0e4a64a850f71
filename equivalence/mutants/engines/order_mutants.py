"""Engines that get sessions and OVER wrong: gaps, groups, frames, ties, neighbours."""

from dataclasses import replace
from functools import partial
from typing import Final

import numpy as np

from equivalence.mutants.engines.mutated_graph import MutatedGraphEngine, mutated_algebra
from equivalence.mutants.mutant import Mutant
from equivalence.mutants.mutation import each
from physical.columns.stream import PhysicalStream
from physical.engines.interval.algebra import INTERVAL_ALGEBRA
from physical.engines.interval.over import IntervalOver, PlacedRows
from physical.engines.interval.session_window import IntervalSessionWindow
from physical.kernels.types import Bools, Ints


class TouchesMore(IntervalSessionWindow):
    """Instants that are exactly a gap apart are taken for the other reading."""

    def sessions(self, rows: PhysicalStream) -> tuple[Ints, Ints]:
        self.apart, right = self.apart + (1 if self.apart == self.gap else -1), self.apart
        found = super().sessions(rows)
        self.apart = right
        return found


class OneSessionForAll(IntervalSessionWindow):
    """Keys are ignored."""

    def groups(self, rows: PhysicalStream) -> tuple[Ints, int]:
        return np.zeros(len(rows), np.int64), 1


class EndsWithTheLastRow(IntervalSessionWindow):
    """The gap after the last row is no part of the session."""

    def given_out(self, rows: PhysicalStream, first: Ints, last: Ints) -> PhysicalStream:
        found = super().given_out(rows, first, last)
        return found.valid_during(found.start, found.end - self.gap + 1)


class BeginsWithTheRow(IntervalSessionWindow):
    """A row is in its session from its own instant on."""

    def given_out(self, rows: PhysicalStream, first: Ints, last: Ints) -> PhysicalStream:
        found = super().given_out(rows, first, last)
        late = np.minimum(found.start + 1, found.end - 1)
        return found.valid_during(late, found.end).take(np.argsort(late, kind="stable"))


class GivesOutWhatIsOpen(IntervalSessionWindow):
    """A session counts as ended one instant early."""

    def ended(self, last: Ints, watermark: int) -> Bools:
        return super().ended(last, watermark + 1)


class OneGroupForAll(IntervalOver):
    """Keys are ignored."""

    def placed(self, rows: PhysicalStream) -> PlacedRows:
        return PlacedRows.of(replace(self.node, keys=()), rows)


class TiesAsTheyCome(IntervalOver):
    """Rows of one instant stay in the order in which they came."""

    def placed(self, rows: PhysicalStream) -> PlacedRows:
        found = super().placed(rows)
        at = np.lexsort([np.arange(len(rows)), rows.start, found.group[found.place]])
        place = np.empty(len(rows), np.int64)
        place[at] = np.arange(len(rows))
        return replace(found, at=at, place=place)


class ForgetsTooMuch(IntervalOver):
    """Earlier rows that later ones need are gone."""

    def needed(self, placed: PlacedRows, given: Bools, progress: int) -> Bools:
        return super().needed(placed, given, progress) & ~given


_TABLE = (
    ("touching is the other way", each(IntervalSessionWindow, TouchesMore)),
    ("one session for all keys", each(IntervalSessionWindow, OneSessionForAll)),
    ("sessions end with their last row", each(IntervalSessionWindow, EndsWithTheLastRow)),
    ("sessions begin late", each(IntervalSessionWindow, BeginsWithTheRow)),
    ("open sessions are given out", each(IntervalSessionWindow, GivesOutWhatIsOpen)),
    ("OVER ignores its groups", each(IntervalOver, OneGroupForAll)),
    ("OVER takes ties as they come", each(IntervalOver, TiesAsTheyCome)),
    ("OVER forgets too much", each(IntervalOver, ForgetsTooMuch)),
)
ORDER: Final[tuple[Mutant, ...]] = tuple(
    Mutant(MutatedGraphEngine(f"order: {name}", partial(mutated_algebra, INTERVAL_ALGEBRA, change)), "engine")
    for name, change in _TABLE
)
