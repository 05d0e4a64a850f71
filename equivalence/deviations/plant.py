"""Wrong outputs with a known mistake, as an engine would record them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import get_args

from equivalence.cases.choices import Choices, SeededChoices
from equivalence.deviations.catalogue import CATALOGUE
from equivalence.deviations.cells import same
from equivalence.deviations.deviation import Clue, Deviation, Variant, applied
from equivalence.deviations.judged_counts import sampled
from equivalence.deviations.outcome import Outcomes, admitted, rounded
from equivalence.deviations.random_situations import choose_situation
from equivalence.deviations.situation import Situation
from physical.columns.stream import PhysicalStream
from physical.engines.interval.engine import IntervalEngine
from semantics import FOREVER, Plan, SnapeqError
from semantics.sparse.row_steps import Counts
from semantics.sparse.stream import SparseStream, counts_of


@dataclass(frozen=True)
class Planted:
    """An output that is wrong, and the deviations that made it so."""

    situation: Situation
    variants: tuple[Variant, ...]
    got: Counts

    @property
    def names(self) -> frozenset[str]:
        return frozenset(variant.name for variant in self.variants)


def recorded(situation: Situation) -> Counts:
    """What the interval engine writes in a situation; what no engine of ours can do comes from the reference."""
    nodes = list(situation.plan.walk())
    if situation.lateness == "pane" or not all(isinstance(node, get_args(Plan)) for node in nodes):
        return Outcomes().of(situation)
    taken = {name: admitted(name, given, situation) for name, given in situation.inputs.items()}
    streams = {name: PhysicalStream.of(stream) for name, stream in taken.items()}
    result = IntervalEngine().run(situation.plan, streams)
    counts = sampled(counts_of(result.to_interval(), FOREVER), situation.judged)
    for change in situation.afterwards:
        counts = change(situation, counts)
    return rounded({row: steps for row, steps in counts.items() if steps})


def plant(choices: Choices, deviations: tuple[Deviation, ...], rows: int, tries: int = 240) -> Planted | None:
    """These deviations, with parameters, in a situation in which all of them show."""
    for _ in range(tries):
        situation = choose_situation(choices, rows)
        options = [deviation.variants(situation, Clue(first=_middle(situation))) for deviation in deviations]
        if not all(options):
            continue
        made = _visible(situation, tuple(choices.of(found) for found in options))
        if made is not None:
            return made
    return None


def _middle(situation: Situation) -> int:
    times = situation.times
    return times[len(times) // 2] if times else 0


def _visible(situation: Situation, variants: tuple[Variant, ...]) -> Planted | None:
    """If every deviation makes a difference, also after the others."""
    try:
        got = recorded(applied(variants, situation))
        fewer = [variants[:i] + variants[i + 1 :] for i in range(len(variants))]
        if any(same(recorded(applied(rest, situation)), got) for rest in fewer):
            return None
    except SnapeqError:
        return None
    return None if same(recorded(situation), got) else Planted(situation, variants, got)


def planted_singles(seed: object, each: int, rows: int) -> Iterator[Planted]:
    """Every deviation of the catalogue, several times, as far as it shows in random situations."""
    for deviation in CATALOGUE:
        for i in range(each):
            made = plant(SeededChoices(f"{seed}-{deviation.name}-{i}"), (deviation,), rows)
            if made is not None:
                yield made


def planted_pairs(seed: object, number: int, rows: int) -> Iterator[Planted]:
    """Two deviations of different knobs at once."""
    for i in range(number):
        choices = SeededChoices(f"{seed}-pair-{i}")
        first, second = choices.of(CATALOGUE), choices.of(CATALOGUE)
        made = None if first.knob == second.knob else plant(choices, (first, second), rows)
        if made is not None:
            yield made


def right_outputs(seed: object, number: int, rows: int) -> Iterator[tuple[Situation, Counts]]:
    """What a right engine writes."""
    for i in range(number):
        situation = choose_situation(SeededChoices(f"{seed}-right-{i}"), rows)
        yield situation, recorded(situation)


def as_stream(situation: Situation, counts: Counts) -> SparseStream:
    """An output as a stream, for those who write or draw it."""
    return SparseStream.counted(situation.plan.schema, counts, FOREVER)
