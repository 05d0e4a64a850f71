"""Proofs: every true rule is proved or outside the fragment, every false one refuted; operators are proved right."""

from collections.abc import Iterator
from typing import Final

from equivalence.cases.random_plans import OPERATORS as ALL_OPERATORS
from equivalence.prover.open_questions import OPEN_QUESTIONS
from equivalence.reference_checks.reducibility import check_irreducible
from equivalence.rules.catalogue import CATALOGUE, FALSE
from equivalence.rules.statement import Rule
from equivalence.verdicts.verdict import Verdict
from equivalence.verification.claim_outcome import Outcome, outcome_of
from equivalence.verification.effort import Effort

RULES: Final = {f"rule {rule.name}": rule for rule in (*CATALOGUE, *FALSE)}
OUTSIDE_FRAGMENT: Final = "outside the fragment"
OPERATORS: Final = "operators"
PROBE: Final = "probe"
TERMS: Final = "terms"
CASES_FOR_A_WITNESS: Final = 100
"""Cases within which the past must matter to a window."""


def names() -> list[str]:
    """What there is to prove or refute."""
    return [OPERATORS, PROBE, TERMS, *RULES]


def verify_proof(name: str, effort: Effort, seed: int) -> Iterator[Outcome]:  # noqa: ARG001  # proofs need no chance
    """Verify the operators, run a probe, or prove one rule; with little effort, some rules are skipped."""
    if name == OPERATORS:
        yield from verify_operators()
    elif name == PROBE:
        from equivalence.verification.prover_probe.declared_probe import verify_declared
        from equivalence.verification.prover_probe.probe import verify_probe

        yield from verify_probe(effort)
        yield from verify_declared(effort)
    elif name == TERMS:
        from equivalence.verification.prover_probe.expression_terms import verify_expressions
        from equivalence.verification.prover_probe.normal_forms import verify_terms

        yield from verify_expressions()
        yield from verify_terms(effort)
    elif list(RULES).index(name) % effort.every_proof == 0:
        yield from verify_rule(RULES[name])


def verify_rule(rule: Rule) -> Iterator[Outcome]:
    from equivalence.prover.prove import prove_rule  # the solvers are an extra

    verdict = prove_rule(rule)
    claim, holds = judged(rule, verdict)
    yield outcome_of("proofs", rule.name, claim, _short(verdict), holds)


def verify_operators() -> Iterator[Outcome]:
    """Interval and reducible operators are proved. Windows are not, and a case shows that the past matters to them."""
    from equivalence.prover.operator_theorems import proof_of, squares
    from equivalence.prover.solver.solvers import cvc5_answer

    for name, square, holds in squares():
        proof = proof_of(square)
        confirmed = proof.found and all(cvc5_answer(leaf) == "unsat" for leaf in proof.leaves)
        if holds:
            evidence: dict[str, object] = {"leaves": len(proof.leaves), "steps": len(proof.steps)}
            yield Outcome("proofs", name, "operator proved", confirmed, "proved" if confirmed else "unknown", evidence)
        else:
            witness = looks_back(name)
            yield outcome_of("proofs", name, "operator refuted", witness, not proof.found and witness.holds)


def looks_back(claim: str) -> Verdict:
    """A case in which the past matters to the operator that a claim begins with; always the same case."""
    operator = next(kind for kind in ALL_OPERATORS if kind.__name__ == claim.split()[0])
    return check_irreducible(operator, examples=CASES_FOR_A_WITNESS, sampling_seed=0)


def judged(rule: Rule, verdict: Verdict) -> tuple[str, bool]:
    """The claim about a rule, and whether it holds; a true rule that is not proved needs a known reason."""
    if not rule.valid:
        return "refuted", verdict.kind == "refuted"
    if verdict.kind == "unknown" and (reason := outside(rule, verdict)):
        return OUTSIDE_FRAGMENT, bool(reason)
    return "proved", verdict.kind == "proved"


def outside(rule: Rule, verdict: Verdict) -> str | None:
    """Why a rule is not proved, if the reason is known."""
    said = str(verdict.evidence.get("reason", ""))
    return (
        said.removeprefix(f"{OUTSIDE_FRAGMENT}: ")
        if said.startswith(OUTSIDE_FRAGMENT)
        else OPEN_QUESTIONS.get(rule.name)
    )


def _short(verdict: Verdict) -> Verdict:
    """How many leaves and steps there are, and not all their texts."""
    counted = {
        key: len(value) for key, value in verdict.evidence.items() if isinstance(value, list) and key != "lemmas"
    }
    return Verdict(verdict.kind, {**verdict.evidence, **counted}, verdict.counterexample)
