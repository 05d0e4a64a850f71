"""Metamorphic relations: they hold for a right engine, and each catches wrong ones without a reference."""

import pytest

from equivalence.cases.choices import SeededChoices
from equivalence.conformance.metamorphic import RELATIONS, check_relation, examiner
from equivalence.conformance.plan_facts import keyed, larger, reach
from equivalence.conformance.subject.in_process import InProcess
from equivalence.mutants import MUTANTS
from equivalence.verdicts.counterexample import Counterexample
from physical.engines.interval.engine import IntervalEngine
from semantics import parse_plan

CAUGHT = {
    "time_shift": ["instant 0 is too early", "Istream silent at 0", "time window forgets instant 0"],
    "prefix": ["emits early", "output loses its last element"],
    "split_and_glue": ["output loses its last element", "coalesces across gaps", "large batches are cut"],
    "key_partition": ["distinct keeps one row", "large batches are cut", "first of ties wins"],
    "heartbeat_injection": ["heartbeats one too far", "one heartbeat for all sources"],
    "rebatching": ["loses the end of a batch", "repeats the start of a batch", "repeats results"],
    "tie_permutation": ["first of ties wins", "large batches are cut"],
    "split_inputs": ["every input is treated as raw", "inputs end one early", "inputs end one late"],
    "coalesced_inputs": ["every input is treated as raw", "inputs are sets"],
    "window_monotonicity": ["time window waits until it is full", "time window tumbles"],
    "plan_switch": ["large batches are cut", "loses the end of a batch", "never gives out the last result"],
}


@pytest.mark.parametrize("name", RELATIONS)
def test_a_relation_holds_for_the_interval_engine(name: str) -> None:
    verdict = check_relation(IntervalEngine(), RELATIONS[name], examples=100)
    assert verdict.kind == "agreed", str(verdict.counterexample)


@pytest.mark.parametrize(("relation", "mutant"), [(r, m) for r, mutants in CAUGHT.items() for m in mutants])
def test_a_relation_catches_a_wrong_engine(relation: str, mutant: str) -> None:
    subject = InProcess(next(m.engine for m in MUTANTS if m.name == mutant))
    examine = examiner(subject, RELATIONS[relation])
    outcomes = (examine(SeededChoices(f"caught/{i}")) for i in range(1500))
    assert any(isinstance(outcome, Counterexample) for outcome in outcomes)


def test_what_a_relation_finds_is_made_small() -> None:
    engine = next(m.engine for m in MUTANTS if m.name == "Istream silent at 0")
    verdict = check_relation(engine, RELATIONS["time_shift"])
    assert isinstance(verdict.counterexample, Counterexample)
    assert len(verdict.counterexample.left) + len(verdict.counterexample.right) == 1


def test_every_relation_catches_two() -> None:
    assert set(CAUGHT) == set(RELATIONS)
    assert all(len(set(mutants)) >= 2 for mutants in CAUGHT.values())


@pytest.mark.parametrize(
    ("text", "back", "keys"),
    [
        ("A(x int) | window(range 5)", 4, {0}),
        ("A(x int) | window(range 5) | window(range 3) | istream", 7, {0}),
        ("A(x int) | window(range unbounded)", None, {0}),
        ("A(x int) | window(range 5 slide 2)", None, {0}),
        ("A(x int) | window(rows 5)", None, set()),
        ("union(A(x int), B(x int) | window(range 2))", 1, {0}),
        ("A(x int, y int) | map(y as a, x as b)", 0, {1}),
        ("A(x int, y int) | group(y; count(*) as n)", 0, set()),
        ("A(x int, y int) | group(y, x; count(*) as n)", 0, {1}),
        ("A(x int) | aggregate(count(*) as n)", 0, set()),
    ],
)
def test_what_a_plan_shows(text: str, back: int | None, keys: set[int]) -> None:
    assert reach(parse_plan(text)) == back
    assert keyed(parse_plan(text)) == keys


def test_only_windows_below_what_grows_with_them_are_enlarged() -> None:
    grown = larger(parse_plan("union(A(x int) | window(range 2) | distinct, A(x int))"), 3)
    assert grown == parse_plan("union(A(x int) | window(range 5) | distinct, A(x int))")
    assert larger(parse_plan("A(x int) | window(range 2) | aggregate(count(*) as n)"), 3) is None
    assert larger(parse_plan("A(x int)"), 3) is None
