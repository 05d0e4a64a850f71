"""The answer of a check, with its evidence.

- proved: holds for all streams.
- agreed: held in every case examined, and in some of them it could have failed.
- refuted: fails; there is a counterexample, or the evidence holds an error.
- vacuous: no case examined could have failed, so nothing was learned.
- unknown: could not be decided; the evidence says why.

Only proved and agreed hold. A check that examined nothing never passes for a success.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from equivalence.verdicts.list_counterexample import AnyCounterexample

VerdictKind = Literal["proved", "agreed", "refuted", "vacuous", "unknown"]


@dataclass(frozen=True)
class Verdict:
    """A kind, the evidence for it, and the counterexample if there is one."""

    kind: VerdictKind
    evidence: Mapping[str, object] = field(default_factory=dict)
    counterexample: AnyCounterexample | None = None

    @property
    def holds(self) -> bool:
        return self.kind in ("proved", "agreed")

    @property
    def strength(self) -> int:
        """For comparing evidence: 3 for a proof, 2 for all small cases, 1 for samples, 0 for no success."""
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
