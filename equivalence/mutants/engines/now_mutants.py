"""Engines that cut intervals in the wrong place, or take another instant for now."""

from dataclasses import replace
from functools import partial
from typing import Final

import numpy as np

from equivalence.mutants.engines.mutated_graph import MutatedGraphEngine, mutated_algebra
from equivalence.mutants.mutant import Mutant
from equivalence.mutants.mutation import each
from physical.columns.stream import PhysicalStream
from physical.engines.interval.algebra import INTERVAL_ALGEBRA
from physical.engines.interval.cut import IntervalCut, cut
from physical.engines.interval.sample import IntervalSample
from physical.engines.interval.stateless import IntervalFilter, IntervalMap


class NeverCuts(IntervalCut):
    """Elements stay whole: what holds at the first instant is taken to hold at all."""

    def pieces(self, batch: PhysicalStream) -> PhysicalStream:
        return batch


class CutsAtOneBorder(IntervalCut):
    """Of several comparisons only the first cuts."""

    def pieces(self, batch: PhysicalStream) -> PhysicalStream:
        return cut(batch, self.borders[:1])


class CutsAtTheWrongEnd(IntervalCut):
    """`<` changes where `<=` does."""

    def pieces(self, batch: PhysicalStream) -> PhysicalStream:
        return cut(batch, [replace(b, symbol="<=" if b.symbol == "<" else b.symbol) for b in self.borders])


class ForgetsLaterPieces(IntervalCut):
    """Only what begins with the element is given out."""

    def pieces(self, batch: PhysicalStream) -> PhysicalStream:
        whole = super().pieces(batch)
        return whole.take(np.isin(whole.start, batch.start))


class AsksTheEndOfFilters(IntervalFilter):
    """Now is the first instant at which an element is gone."""

    def apply(self, batch: PhysicalStream) -> PhysicalStream:
        if not self.asks_for_now:
            return super().apply(batch)
        kept = super().apply(batch.valid_during(batch.end, batch.end + 1))
        return kept.valid_during(kept.start - 1, kept.start)


class AsksTheEndOfMaps(IntervalMap):
    """Now is the first instant at which an element is gone."""

    def apply(self, batch: PhysicalStream) -> PhysicalStream:
        made = super().apply(batch.valid_during(batch.end, batch.end))
        return made.valid_during(batch.start, batch.end)


class SamplesTooLate(IntervalSample):
    """Samples one instant after those of the period."""

    def slice(self, parts: list[PhysicalStream], since: int, until: int) -> PhysicalStream:
        samples = super().slice(parts, since, until)
        return samples.valid_during(samples.start + 1, samples.end + 1)


class SamplesOnce(IntervalSample):
    """An element is in one pane only, the first."""

    def slice(self, parts: list[PhysicalStream], since: int, until: int) -> PhysicalStream:
        first = [part.valid_during(part.start, np.minimum(part.end, part.start + self.period.step)) for part in parts]
        return super().slice(first, since, until)


_TABLE = (
    ("nothing is cut", each(IntervalCut, NeverCuts)),
    ("only one comparison cuts", each(IntervalCut, CutsAtOneBorder)),
    ("< is cut as <=", each(IntervalCut, CutsAtTheWrongEnd)),
    ("later pieces are lost", each(IntervalCut, ForgetsLaterPieces)),
    ("filters ask at the end", each(IntervalFilter, AsksTheEndOfFilters)),
    ("maps ask at the end", each(IntervalMap, AsksTheEndOfMaps)),
    ("samples come late", each(IntervalSample, SamplesTooLate)),
    ("there is one sample only", each(IntervalSample, SamplesOnce)),
)
NOW: Final[tuple[Mutant, ...]] = tuple(
    Mutant(MutatedGraphEngine(f"now: {name}", partial(mutated_algebra, INTERVAL_ALGEBRA, change)), "engine")
    for name, change in _TABLE
)
