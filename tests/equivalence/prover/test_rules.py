"""Every true rule is proved, every false one refuted by a model that replays."""

import re

import pytest

from equivalence.prover.prove import prove_rule
from equivalence.prover.solver.solvers import Z3, cvc5_answer
from equivalence.rules.statement import Free, Rule, Sides, rule
from equivalence.verdicts.counterexample import Counterexample
from semantics import evaluate
from tests.equivalence.prover import false_rules, true_rules


@pytest.mark.parametrize("true", true_rules.RULES, ids=lambda rule: rule.name)
def test_a_true_rule_is_proved(true: Rule) -> None:
    verdict = prove_rule(true)
    assert verdict.kind == "proved", verdict.evidence.get("reason")
    assert verdict.evidence["how"] == "proof"
    assert verdict.evidence["steps"]
    assert verdict.evidence["lemmas"]


@pytest.mark.parametrize("false", false_rules.RULES, ids=lambda rule: rule.name)
def test_a_false_rule_is_refuted_and_the_counterexample_replays(false: Rule) -> None:
    verdict = prove_rule(false)
    assert verdict.kind == "refuted"
    found = verdict.counterexample
    assert isinstance(found, Counterexample)
    left, right = (evaluate(plan, found.streams, found.instant + 1).snapshots[-1] for plan in found.plans)
    assert (left, right) == (found.left, found.right)
    assert left != right


def test_there_are_many_false_rules() -> None:
    assert len(false_rules.RULES) >= 25


def test_every_leaf_is_unsatisfiable_for_both_solvers() -> None:
    leaves = [leaf for true in true_rules.RULES[:20] for leaf in _leaves(true)]
    assert len(leaves) >= 10
    assert {(Z3().ask(leaf), cvc5_answer(leaf)) for leaf in leaves} == {("unsat", "unsat")}


def _leaves(true: Rule) -> list[str]:
    leaves = prove_rule(true).evidence["leaves"]
    assert isinstance(leaves, list)
    return leaves


def test_counterexamples_that_need_many_of_a_row_are_found() -> None:
    verdict = prove_rule(next(r for r in false_rules.RULES if r.name == "holds-up-to-seven"))
    assert isinstance(verdict.counterexample, Counterexample)
    assert len(verdict.counterexample.left) >= 7


def test_the_same_proof_every_time() -> None:
    assert prove_rule(true_rules.RULES[8]) == prove_rule(true_rules.RULES[8])


@rule("σ_p(A) ≐ σ_p(A) where 0 = 1", source="test")
def impossible(free: Free) -> Sides:
    a = free.stream("A")
    free.require("0 = 1", False)
    return a, a


@rule("A ≐ A as a list", source="test", equivalence="list")
def listed(free: Free) -> Sides:
    a = free.stream("A")
    return a, a


@rule("A ∪ A ≐ A as a set", source="test", equivalence="snapshot-set")
def as_a_set(free: Free) -> Sides:
    a = free.stream("A")
    return a.union(a), a


def test_a_condition_that_never_holds_is_vacuous() -> None:
    assert prove_rule(impossible).kind == "vacuous"


def test_plans_are_not_proved_equal_as_lists() -> None:
    verdict = prove_rule(listed)
    assert verdict.kind == "unknown"
    assert re.search("outside the fragment: the list equivalence of plans", str(verdict.evidence["reason"]))


def test_snapshot_sets_are_compared_as_sets() -> None:
    assert prove_rule(as_a_set).kind == "proved"


@pytest.mark.parametrize("condition", ["w = 1"])
def test_without_its_condition_a_rule_is_refuted(condition: str) -> None:
    narrow = next(r for r in true_rules.RULES if r.name == "narrow-window")
    assert prove_rule(narrow.without(condition)).kind == "refuted"
