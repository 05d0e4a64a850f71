"""The dialect of an engine: the probe that tells most is asked next, until no further one would tell anything."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from equivalence.conformance.subject.in_process import Subject
from equivalence.dialects.beliefs import Beliefs
from equivalence.dialects.probe import Answer, Probe
from equivalence.dialects.probes import PROBES
from equivalence.dialects.profile import Asked, Dialect, Meaning
from equivalence.dialects.properties import PROPERTIES
from equivalence.dialects.property import Property
from equivalence.dialects.recorded_probe import RecordedProbe
from semantics import Unsupported

MOST_COMBINATIONS: Final = 128
"""Of what is still possible: a probe with more has to wait until others have told something."""
_LEAST_TOLD: Final = 1e-9
"""In bits; less is an error of rounding."""


def infer_dialect(
    subject: Subject, properties: Sequence[Property] = PROPERTIES, probes: Sequence[Probe] = PROBES
) -> Dialect:
    """What the engine means by its queries, as far as these probes can tell."""
    return _Inference(properties, probes).dialect(subject)


def dialect_of_recordings(
    name: str, recordings: Sequence[RecordedProbe], properties: Sequence[Property] = PROPERTIES
) -> Dialect:
    """What an engine means that nobody can ask: of the properties that its recordings could show, as far as they do."""
    shown = Beliefs(properties, recordings)
    concerned = {one for recording in recordings for one in shown.concerns(recording)}
    found = _Inference([one for one in properties if one in concerned], recordings)
    for recording in sorted(recordings, key=found.beliefs.combinations):
        found.take(recording, recording.given_out)
    return found.profile(name)


@dataclass
class _Record:
    """What happened to the probes of one property."""

    proofs: list[int] = field(default_factory=list)
    unforeseen: list[int] = field(default_factory=list)
    """Probes whose answer no alternative predicts."""
    refused: bool = False
    answered: bool = False


class _Inference:
    def __init__(self, properties: Sequence[Property], probes: Sequence[Probe]) -> None:
        self.properties = properties
        self.beliefs = Beliefs(properties, probes)
        self.waiting = list(probes)
        self.asked: list[Asked] = []
        self.records = {one: _Record() for one in properties}

    def dialect(self, subject: Subject) -> Dialect:
        while (probe := self._next()) is not None:
            self.waiting.remove(probe)
            try:
                self.take(probe, probe.asked(subject))
            except Unsupported:
                for one in self.beliefs.concerns(probe):
                    self.records[one].refused = True
        return self.profile(subject.name)

    def profile(self, name: str) -> Dialect:
        """What is known now."""
        asked = [replace(one, foreseen=self.beliefs.foresees(one.probe, one.answer)) for one in self.asked]
        return Dialect(name, tuple(map(self._meaning, self.properties)), tuple(asked))

    def _next(self) -> Probe | None:
        """The probe that tells most; of several the one that fewest other properties disturb."""
        few = [probe for probe in self.waiting if self.beliefs.combinations(probe) <= MOST_COMBINATIONS]
        found = self._most_telling(few)
        return self._most_telling(self.waiting) if found is None and len(few) < len(self.waiting) else found

    def _most_telling(self, probes: Sequence[Probe]) -> Probe | None:
        told = {probe: self.beliefs.entropy(probe) for probe in probes}
        useful = [probe for probe in probes if told[probe] > _LEAST_TOLD]
        return max(useful, key=lambda probe: (told[probe], -len(self.beliefs.concerns(probe))), default=None)

    def take(self, probe: Probe, answer: Answer) -> None:
        number = len(self.asked)
        self.asked.append(Asked(probe, answer))
        undecided = self.beliefs.undecided(probe)
        for one in self.beliefs.concerns(probe):
            self.records[one].answered = True
        if not self.beliefs.foresees(probe, answer):
            for one in undecided:
                self.records[one].unforeseen.append(number)
            return
        for told, one in self.beliefs.narrow(probe, answer):
            proof = next(i for i, asked in enumerate(self.asked) if asked.probe is told)
            self.records[one].proofs += [] if proof in self.records[one].proofs else [proof]

    def _meaning(self, one: Property) -> Meaning:
        record = self.records[one]
        return Meaning(
            one,
            self.beliefs.possible[one],
            tuple(record.proofs),
            tuple(record.unforeseen),
            refused=record.refused and not record.answered,
        )
