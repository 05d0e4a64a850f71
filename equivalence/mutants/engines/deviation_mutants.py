"""Every deviation of the catalogue as a wrong engine: what can be named in a recording must also be caught by cases.

Deviations that need what a case has not, panes, watermarks or a clue from an output, are no engines.
"""

from collections.abc import Mapping
from typing import Final

from equivalence.deviations.catalogue import CATALOGUE
from equivalence.deviations.catalogue.certain_rows import CERTAIN_ROWS
from equivalence.deviations.deviation import Clue, Deviation, Variant
from equivalence.deviations.outcome import Outcomes
from equivalence.deviations.situation import Situation, situation_of
from equivalence.mutants.mutant import Mutant, MutatedEngine
from equivalence.recordings.recording import EveryInstant
from physical.columns.stream import PhysicalStream
from physical.runtime.run_whole import AnyStream
from semantics import IntervalStream, Plan, SparseStream
from semantics.sparse.row_steps import Counts

ELSEWHERE: Final = frozenset({"lateness", "watermark", "label", CERTAIN_ROWS})
"""Knobs of recordings only."""


class DeviatingEngine(MutatedEngine):
    """The reference with one deviation, wherever it concerns the plan; of several parameters it takes the middle one."""

    def __init__(self, deviation: Deviation) -> None:
        super().__init__(f"deviation: {deviation.name}")
        self.deviation = deviation

    def run(self, plan: Plan, sources: Mapping[str, AnyStream], horizon: int) -> object:
        streams = {name: PhysicalStream.of(stream).to_interval() for name, stream in sources.items()}
        right = situation_of(plan, streams, EveryInstant(horizon))
        variants = self.deviation.variants(right, Clue(first=_middle(right)))
        wrong = _middle_of(variants).applied(right) if variants else right
        return _stream(plan, Outcomes(exact=True).of(wrong), horizon)


def _middle(situation: Situation) -> int:
    times = situation.times
    return times[len(times) // 2] if times else 0


def _middle_of(variants: list[Variant]) -> Variant:
    return variants[len(variants) // 2]


def _stream(plan: Plan, counts: Counts, horizon: int) -> IntervalStream:
    runs = SparseStream.counted(plan.schema, counts, horizon).runs
    elements = [(row, interval) for row, interval, n in runs for _ in range(n)]
    return IntervalStream(plan.schema, sorted(elements, key=lambda element: element[1].start))


DEVIATING: Final = tuple(
    Mutant(DeviatingEngine(deviation), "engine") for deviation in CATALOGUE if deviation.knob not in ELSEWHERE
)
