"""The answer of a check: what was found, and on what evidence."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from equivalence.counterexample import Counterexample

Kind = Literal["agreed", "refuted", "vacuous"]


@dataclass(frozen=True)
class Verdict:
    """Agreed on all cases, refuted by one, or vacuous: nothing was examined, which is no success."""

    kind: Kind
    evidence: Mapping[str, object] = field(default_factory=dict)
    counterexample: Counterexample | None = None

    @property
    def holds(self) -> bool:
        return self.kind == "agreed"

    def to_json(self) -> dict[str, object]:
        found = self.counterexample
        return {
            "verdict": self.kind,
            "evidence": dict(self.evidence),
            "counterexample": None if found is None else found.to_json(),
        }
