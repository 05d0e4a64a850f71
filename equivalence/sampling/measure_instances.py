"""How much cases notice about the instances of a rule or the plans of an optimizer: a small sample of them."""

from collections.abc import Iterable
from typing import Final

from equivalence.cases.choices import SeededChoices
from equivalence.cases.directed.clues import clues_of
from equivalence.cases.directed.draw import choose_directed_case
from equivalence.cases.random_cases import CASE_HORIZON, choose_case
from equivalence.neighbours.measure import NeighbourMeasure
from equivalence.rules.instances import Instance

INSTANCES_MEASURED: Final = 2
CASES_OF_AN_INSTANCE: Final = 15
"""Free ones, and as many directed ones: the same that a search would try first."""
TEXTS_LISTED: Final = 20


def measure_instances(instances: Iterable[Instance], seed: int) -> dict[str, object]:
    """Told apart, and open, of the neighbours of all these instances together; nothing is proved here."""
    measures = [_measured(instance, seed) for instance in instances]
    texts = dict.fromkeys(pair.neighbour.text for measure in measures for pair in measure.open)
    told_apart, of = (sum(counts) for counts in zip(*((m.told_apart, m.of) for m in measures), strict=True))
    return {"told_apart": told_apart, "of": of, "proved": 0, "open": list(texts)[:TEXTS_LISTED]}


def _measured(instance: Instance, seed: int) -> NeighbourMeasure:
    measure = NeighbourMeasure(instance.left, instance.right)
    sources, constraints, clues = instance.sources, instance.constraints, clues_of(instance.left, instance.right)
    for number in range(CASES_OF_AN_INSTANCE):
        if measure.open:
            measure.look(choose_case(SeededChoices(f"{seed}/{number}"), sources, constraints), CASE_HORIZON)
            choices = SeededChoices(f"{seed}/directed/{number}")
            measure.look(choose_directed_case(choices, sources, constraints, clues))
    return measure
