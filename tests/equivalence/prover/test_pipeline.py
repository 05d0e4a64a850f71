"""The passes run in the order of the page, each only where its needs are met, and none after a definite verdict."""

from dataclasses import replace

import pytest

from equivalence.prover import pipeline
from equivalence.prover.attempt import MOST_OPERATORS
from equivalence.prover.conjecture import Conjecture, Progress
from equivalence.prover.pipeline import PASSES, Pass, decide
from equivalence.prover.prove import prove, prove_rule
from equivalence.rules.catalogue import CATALOGUE, FALSE
from equivalence.verdicts.verdict import Verdict
from semantics import col, source

A, B = source("A", x=int), source("B", x=int)
UP_TO_LONG_SEARCH = [each.name for each in PASSES[:9] if each.name not in ("open instants", "proof from less")]
"""Those that run for a rule without constraints, if none decides it."""
RULES = {rule.name: rule for rule in (*CATALOGUE, *FALSE)}


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the passes that run, in their order."""
    names: list[str] = []
    monkeypatch.setattr(pipeline, "PASSES", tuple(recorded(each, names) for each in PASSES))
    return names


def recorded(one: Pass, names: list[str]) -> Pass:
    def run(conjecture: Conjecture, progress: Progress) -> Progress:
        names.append(one.name)
        return one.run(conjecture, progress)

    return replace(one, run=run)


def test_every_pass_has_a_name_of_its_own() -> None:
    assert len({each.name for each in PASSES}) == len(PASSES) == 11


def test_a_short_proof_ends_the_run(ran: list[str]) -> None:
    assert prove(A.union(B), B.union(A)).kind == "proved"
    assert ran == ["short proof"]


def test_a_small_model_ends_the_run(ran: list[str]) -> None:
    assert prove(A.union(A), A).kind == "refuted"
    assert ran == ["short proof", "short search"]


def test_long_windows_are_told_apart_by_open_instants(ran: list[str]) -> None:
    assert prove(A.window(600), A.window(601)).kind == "refuted"
    assert ran == ["short proof", "short search", "open instants"]


def test_plans_too_long_for_the_kernel_are_rewritten_after_all_else(ran: list[str]) -> None:
    long = A
    for _ in range(MOST_OPERATORS):
        long = long.distinct()
    large = col("x") > 1
    assert prove(long.union(B).filter(large), long.filter(large).union(B.filter(large))).kind == "proved"
    assert ran == ["short proof", "short search", "long search", "rewrite plans"]


@pytest.mark.parametrize(
    ("rule", "kind", "passes"),
    [
        ("filter-through-window", "proved", ["first samples", "short proof"]),
        ("union-with-itself", "refuted", ["first samples", "short search"]),
        ("maximum-of-shifted", "unknown", UP_TO_LONG_SEARCH),
    ],
)
def test_rules_are_sampled_first(rule: str, kind: str, passes: list[str], ran: list[str]) -> None:
    assert prove_rule(RULES[rule]).kind == kind
    assert ran == passes


def nothing(conjecture: Conjecture, progress: Progress) -> Progress:  # noqa: ARG001  # as passes are called
    return progress


def test_a_failing_sample_decides_where_no_model_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    blind = [replace(each, run=nothing) if "search" in each.name else each for each in PASSES]
    monkeypatch.setattr(pipeline, "PASSES", tuple(blind))
    verdict = prove_rule(RULES["union-with-itself"])
    assert verdict.kind == "refuted"
    assert verdict.evidence["no model"] == "none within the bounds of the search"
    assert verdict.counterexample is not None


def test_without_a_pass_that_decides_nothing_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "PASSES", tuple(replace(each, run=nothing) for each in PASSES))
    assert decide(Conjecture(lambda *_: [])).kind == "unknown"


def test_no_pass_runs_after_a_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []
    decided = Progress(Verdict("vacuous"))
    first = Pass("first", (), "a verdict", lambda *_: decided)
    monkeypatch.setattr(pipeline, "PASSES", (first, recorded(replace(first, name="second"), ran)))
    assert decide(Conjecture(lambda *_: [])) == decided.verdict
    assert not ran
