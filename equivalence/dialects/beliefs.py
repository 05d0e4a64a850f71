"""What is still possible, and how much a probe would tell about it."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from typing import Final

from equivalence.dialects.probe import Answer, Probe
from equivalence.dialects.property import Alternative, Property

Combination = tuple[Alternative, ...]
MANY: Final = 150
"""Combinations of alternatives; where there are more, only those with few that are not standard are looked at."""
FEW: Final = 2


class Beliefs:
    """The alternatives of each property that no answer has excluded; all are equally likely, and independent."""

    def __init__(self, properties: Sequence[Property], probes: Sequence[Probe]) -> None:
        self.possible: dict[Property, tuple[Alternative, ...]] = {one: one.alternatives for one in properties}
        self._concerns = {probe: _concerned(probe, tuple(properties)) for probe in probes}
        self._answers: dict[Probe, Answer] = {}
        self._predictions: dict[tuple[Probe, Combination], Answer] = {}

    def concerns(self, probe: Probe) -> tuple[Property, ...]:
        """The properties that can change the answer."""
        return self._concerns[probe]

    def undecided(self, probe: Probe) -> list[Property]:
        return [one for one in self.concerns(probe) if len(self.possible[one]) > 1]

    def combinations(self, probe: Probe) -> int:
        """In how many ways could the engine mean what the probe is about?"""
        return math.prod(len(self.possible[one]) for one in self.concerns(probe))

    def entropy(self, probe: Probe) -> float:
        """How much its answer would tell, in bits."""
        answers = Counter(answer for _, answer in self._predicted(probe))
        total = answers.total()
        return sum(n / total * math.log2(total / n) for n in answers.values())

    def narrow(self, probe: Probe, answer: Answer) -> list[tuple[Probe, Property]]:
        """Exclude what does not fit: which probe made which property narrower. An unforeseen answer excludes nothing.

        What one answer excludes may make an earlier one say more, so that all are looked at again.
        """
        if not self.foresees(probe, answer):
            return []
        self._answers[probe] = answer
        narrower: list[tuple[Probe, Property]] = []
        while found := [(past, one) for past in self._answers for one in self._excluded(past)]:
            narrower += found
        return narrower

    def _excluded(self, probe: Probe) -> list[Property]:
        """The properties that the answer to a probe makes narrower now."""
        predicted = self._predicted(probe)
        fitting = [combination for combination, answer in predicted if answer == self._answers[probe]]
        if not fitting:
            return []
        narrower = []
        for one, left in zip(self.concerns(probe), zip(*fitting, strict=True), strict=True):
            kept = tuple(alternative for alternative in self.possible[one] if alternative in left)
            if kept != self.possible[one]:
                narrower.append(one)
            self.possible[one] = kept
        return narrower

    def foresees(self, probe: Probe, answer: Answer) -> bool:
        return any(predicted == answer for _, predicted in self._predicted(probe))

    def _combinations(self, probe: Probe) -> Iterator[Combination]:
        every = product(*(self.possible[one] for one in self.concerns(probe)))
        if self.combinations(probe) <= MANY:
            return every
        fewest = sum(not any(one.is_standard for one in self.possible[p]) for p in self.concerns(probe))
        return (some for some in every if sum(not one.is_standard for one in some) <= max(FEW, fewest))

    def _predicted(self, probe: Probe) -> Iterator[tuple[Combination, Answer]]:
        for combination in self._combinations(probe):
            known = (probe, combination)
            if known not in self._predictions:
                self._predictions[known] = probe.predicted(combination)
            yield combination, self._predictions[known]


@cache
def _concerned(probe: Probe, properties: tuple[Property, ...]) -> tuple[Property, ...]:
    return tuple(
        one
        for one in properties
        if any(probe.predicted([alternative]) != probe.standard for alternative in one.alternatives)
    )
