"""All evidence for one rule: sampled, exhaustive within a bound, proved; as a row of a table and as SMT-LIB text."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from equivalence.cases.choices import SeededChoices
from equivalence.exhaustive.exhaust import exhaust
from equivalence.rules.instances import INSTANCES_TRIED, ConditionNotMet, Instance, instance_of
from equivalence.rules.statement import Rule
from equivalence.sampling.sample import check_rule
from equivalence.verdicts.verdict import Verdict
from equivalence.verification.proofs import outside
from semantics.how_many import how_many

CASES_SAMPLED: Final = 400
ENOUGH_FIRINGS: Final = 20
"""Sampling ends after this many cases in which the rule changed something."""
MOST_CASES_EXHAUSTED: Final = 5_000
"""The bound is chosen so that there are at most this many cases within it."""


@dataclass(frozen=True)
class Evidence:
    """All evidence for one rule."""

    rule: Rule
    sampled: Verdict
    exhaustive: Verdict | None
    proof: Verdict

    def row(self, lemma: str) -> tuple[str, ...]:
        """Name, statement, sampled, exhaustive bound, proof, Coq lemma."""
        exhaustive = "–" if self.exhaustive is None else _bound(self.exhaustive)
        return self.rule.name, self.rule.statement, _samples(self.sampled), exhaustive, self._proof(), lemma or "–"

    def _proof(self) -> str:
        evidence = self.proof.evidence
        match self.proof.kind:
            case "proved":
                leaves = evidence["leaves"]
                return f"proved, {how_many(len(leaves) if isinstance(leaves, list) else 0, 'leaf')}"
            case "refuted":
                return "refuted by a model" if evidence["how"] == "model" else _without_model(evidence)
            case kind:
                return outside(self.rule, self.proof) or kind

    def leaves(self) -> str | None:
        """The leaves of a proof, each to be answered by unsat; none if there is no proof."""
        if self.proof.kind != "proved":
            return None
        steps, leaves = (_texts(self.proof.evidence[key]) for key in ("lemmas", "leaves"))
        head = [f"; {self.rule.name}: {self.rule.statement}", f"; steps: {', '.join(steps) or 'none'}"]
        asked = [f"(push 1)\n{leaf}(check-sat) ; unsat\n(pop 1)" for leaf in leaves]
        return "\n".join([*head, "(set-logic ALL)", *asked, ""])


def evidence_for(rule: Rule) -> Evidence:
    """All evidence that takes no more than a few seconds."""
    from equivalence.prover.prove import prove_rule  # the solvers are an extra

    sampled = check_rule(rule, examples=CASES_SAMPLED, seed=0, enough=ENOUGH_FIRINGS, trials=0, measured=0)
    return Evidence(rule, sampled, _exhausted(rule), prove_rule(rule))


def _exhausted(rule: Rule) -> Verdict | None:
    """All small cases of the first instance that is not vacuous; None for rules of which there are none to try."""
    for seed in range(INSTANCES_TRIED):
        with suppress(ConditionNotMet):
            instance = instance_of(SeededChoices(seed), rule, awkward=False)
            if not isinstance(instance, Instance) or instance.constraints or rule.equivalence != "snapshot-multiset":
                return None
            verdict = exhaust(instance.left, instance.right, limit=MOST_CASES_EXHAUSTED)
            if verdict.kind != "vacuous":
                return None if verdict.kind == "unknown" else verdict
    return None


def _without_model(evidence: Mapping[str, object]) -> str:
    return f"refuted by a sample; no model: {evidence.get('no model', 'the rule is outside the fragment')}"


def _samples(verdict: Verdict) -> str:
    if verdict.kind == "refuted":
        return f"refuted by case {verdict.evidence['cases']}"
    return f"{verdict.kind}, {verdict.evidence['fired']} of {verdict.evidence['cases']}"


def _bound(verdict: Verdict) -> str:
    """Tuples × instants × multiplicity, for each source."""
    bound = verdict.evidence["bound"]
    assert isinstance(bound, dict)
    sizes = [f"{name} {len(b['tuples'])}×{b['instants']}×{b['multiplicity']}" for name, b in bound.items()]
    return f"{verdict.kind}: {', '.join(sizes)}"


def _texts(value: object) -> list[str]:
    return [str(text) for text in value] if isinstance(value, Iterable) else []
