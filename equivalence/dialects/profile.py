"""What was found out about an engine's dialect, as a page and as JSON."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from equivalence.dialects.probe import Answer, Probe
from equivalence.dialects.property import Alternative, Property
from semantics.how_many import how_many

State = Literal["decided", "unforeseen", "open", "unsupported"]


@dataclass(frozen=True)
class Asked:
    """A probe and what the engine answered."""

    probe: Probe
    answer: Answer
    foreseen: bool = True
    """Does what was found out in the end predict the answer?"""

    @property
    def told(self) -> str:
        return self.probe.told(self.answer)

    def to_json(self) -> dict[str, object]:
        return {
            "query": self.probe.text,
            "plan": self.probe.query,
            **self.probe.to_json(),
            "answer": self.told,
            "standard": self.probe.told(self.probe.standard),
        }


@dataclass(frozen=True)
class Meaning:
    """What a property means to the engine, and the numbers of the probes that say so."""

    about: Property
    possible: tuple[Alternative, ...]
    proofs: tuple[int, ...]
    unforeseen: tuple[int, ...]
    """Probes with an answer that no alternative predicts."""
    refused: bool = False
    """Did the engine refuse the probes of it, and answer none?"""

    @property
    def state(self) -> State:
        if len(self.possible) == 1:
            return "decided"
        if self.unforeseen:
            return "unforeseen"
        return "unsupported" if self.refused else "open"

    @property
    def is_standard(self) -> bool:
        return self.state == "decided" and self.possible[0].is_standard

    @property
    def probes(self) -> tuple[int, ...]:
        """Those that decide it, or of those with an unforeseen answer the last, which has fewest other concerns."""
        return self.unforeseen[-1:] if self.state == "unforeseen" else self.proofs


@dataclass(frozen=True)
class Dialect:
    """The profile of an engine."""

    engine: str
    meanings: tuple[Meaning, ...]
    asked: tuple[Asked, ...]

    def meaning(self, name: str) -> Meaning:
        return next(one for one in self.meanings if one.about.name == name)

    def in_state(self, state: State) -> list[Meaning]:
        return [one for one in self.meanings if one.state == state]

    @property
    def unforeseen(self) -> list[Asked]:
        """Probes whose answers nothing that is known explains."""
        return [one for one in self.asked if not one.foreseen]

    @property
    def is_standard(self) -> bool:
        """Is everything as the definition says?"""
        return all(one.is_standard for one in self.meanings) and not self.unforeseen

    def sentence(self, one: Meaning) -> str:
        match one.state:
            case "decided":
                return one.possible[0].sentence
            case "unforeseen":
                return f"none of what is known; it answers {self.asked[one.probes[0]].told}"
            case "open":
                return "one of: " + "; ".join(alternative.sentence for alternative in one.possible)
            case "unsupported":
                return "the engine does not support the queries that would tell"

    def to_json(self) -> dict[str, object]:
        return {
            "engine": self.engine,
            "standard": self.is_standard,
            "probes": len(self.asked),
            "properties": [
                {
                    "property": one.about.name,
                    "state": one.state,
                    "meaning": one.possible[0].name if one.state == "decided" else None,
                    "standard": one.is_standard,
                    "sentence": self.sentence(one),
                    "possible": [alternative.name for alternative in one.possible],
                    "proof": [self.asked[number].to_json() for number in one.probes],
                }
                for one in self.meanings
            ],
            "unforeseen": [one.to_json() for one in self.unforeseen],
        }


def page(dialect: Dialect, all_proofs: bool = False) -> str:
    """The profile for readers: every property in a line, then the proofs of what is not standard, or of everything."""
    shown = [one for one in dialect.meanings if one.probes and (all_proofs or not one.is_standard)]
    told = {number for one in shown for number in one.probes}
    untold = [one for i, one in enumerate(dialect.asked) if not one.foreseen and i not in told]
    return "\n".join([*_lines(dialect), *_proofs(dialect, shown), *_unexplained(untold), "", _summary(dialect)])


def _lines(dialect: Dialect) -> Iterator[str]:
    width = max((len(one.about.name) for one in dialect.meanings), default=0)
    for one in dialect.meanings:
        mark = " " if one.is_standard else "?" if one.state in ("open", "unsupported") else "!"
        yield f"{mark} {one.about.name:{width}}  {dialect.sentence(one)}"


def _proofs(dialect: Dialect, shown: Sequence[Meaning]) -> Iterator[str]:
    for one in shown:
        yield f"\n{one.about.name}: {dialect.sentence(one)}"
        for number in one.probes:
            yield from as_lines(dialect.asked[number])


def _unexplained(untold: Sequence[Asked]) -> Iterator[str]:
    """Answers that do not fit what other probes say."""
    for one in untold:
        yield "\n! nothing above explains an answer"
        yield from as_lines(one)


def as_lines(asked: Asked) -> Iterator[str]:
    """A probe, what it is asked over, and the answer."""
    yield "  " + asked.probe.text.replace("\n", "\n  ")
    yield from (f"    {line}" for line in asked.probe.given())
    yield f"    answer:   {asked.told}"
    if asked.answer != asked.probe.standard:
        yield f"    standard: {asked.probe.told(asked.probe.standard)}"


def _summary(dialect: Dialect) -> str:
    counts = {
        "standard": sum(one.is_standard for one in dialect.meanings),
        "otherwise": sum(not one.is_standard for one in dialect.in_state("decided")),
        "unforeseen": len(dialect.in_state("unforeseen")),
        "open": len(dialect.in_state("open")),
        "unsupported": len(dialect.in_state("unsupported")),
    }
    told = ", ".join(f"{n} {what}" for what, n in counts.items() if n)
    found = f"{how_many(len(dialect.meanings), 'property')} from {how_many(len(dialect.asked), 'probe')}"
    return f"engine {dialect.engine}: {found}: {told}"
