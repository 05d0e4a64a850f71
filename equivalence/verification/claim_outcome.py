"""What was found of one thing, as plain data: so it can come from another process and be printed anywhere."""

from dataclasses import dataclass, field

from equivalence.verdicts.verdict import Verdict


@dataclass(frozen=True)
class Outcome:
    """One verified thing: what it is, what is claimed of it, and whether the claim holds."""

    part: str
    name: str
    claim: str
    holds: bool
    verdict: str
    evidence: dict[str, object] = field(default_factory=dict)
    counterexample: dict[str, object] | None = None
    text: str = ""
    """What a person reads if it does not hold."""

    def to_json(self) -> dict[str, object]:
        answer = {"verdict": self.verdict, "evidence": self.evidence, "counterexample": self.counterexample}
        return {"claim": self.claim, "holds": self.holds, **answer}


def outcome_of(part: str, name: str, claim: str, verdict: Verdict, holds: bool | None = None) -> Outcome:
    """The outcome that a verdict means; whether the claim holds may be more, or the opposite."""
    found = verdict.counterexample
    return Outcome(
        part,
        name,
        claim,
        verdict.holds if holds is None else holds,
        verdict.kind,
        dict(verdict.evidence),
        None if found is None else found.to_json(),
        str(verdict.evidence.get("error", "")) if found is None else str(found),
    )
