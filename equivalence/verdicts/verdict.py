"""The answer of a check: what was found, and on what evidence."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from equivalence.verdicts.list_counterexample import AnyCounterexample

VerdictKind = Literal["proved", "agreed", "refuted", "vacuous", "unknown"]


@dataclass(frozen=True)
class Verdict:
    """Proved for all cases, agreed on those examined, refuted by one; vacuous and unknown are no success.

    Vacuous: nothing was examined that could have gone wrong. Unknown: the question could not be decided.
    """

    kind: VerdictKind
    evidence: Mapping[str, object] = field(default_factory=dict)
    counterexample: AnyCounterexample | None = None

    @property
    def holds(self) -> bool:
        return self.kind in ("proved", "agreed")

    @property
    def strength(self) -> int:
        """How much evidence: a proof more than all small cases, these more than samples, anything more than nothing."""
        if self.kind == "agreed":
            return 2 if self.evidence.get("how") == "exhaustive" else 1
        return 3 if self.kind == "proved" else 0

    def to_json(self) -> dict[str, object]:
        found = self.counterexample
        return {
            "verdict": self.kind,
            "evidence": dict(self.evidence),
            "counterexample": None if found is None else found.to_json(),
        }
