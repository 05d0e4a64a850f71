"""No checker is fooled by now: what is proved, agreed or rewritten is true, and false pairs are refuted."""

import pytest

from equivalence.cases.choices import SeededChoices
from equivalence.cases.now_in_plans import AboveWindows, asking_for_now
from equivalence.cases.random_plans import CATALOGUE
from equivalence.comparison.check_plans import check_plans
from equivalence.exhaustive.exhaust import exhaust
from equivalence.mutants.wrong_rewrites import WRONG_REWRITES, first_step
from equivalence.optimizer.check_optimizer import check_optimizer
from equivalence.optimizer.rewrites import REWRITES, steps
from equivalence.prover.prove import prove
from equivalence.rules.instances import Instance
from equivalence.sampling.sample import compare_at_all_times, directed_case
from equivalence.verdicts.counterexample import Counterexample
from semantics import parse_plan, show

STAMPED = "S(x int) | map(x as x, now as ts)"
TRUE_PAIRS = [
    (f"{STAMPED} | window(range unbounded) | filter(now < ts + 3)", f"{STAMPED} | window(range 3)"),
    ("S(x int) | filter(x < now) | filter(now < 7)", "S(x int) | filter(now < 7 and x < now)"),
    ("S(x int) | aggregate(max(now) as m)", "S(x int) | aggregate(count(*) as n) | map(now as m)"),
    ("join(S(x int), T(y int); x = y and now < x)", "join(S(x int) | filter(now < x), T(y int); x = y)"),
]
FALSE_PAIRS = [
    (f"{STAMPED} | window(range unbounded) | filter(now < ts + 3)", f"{STAMPED} | window(range 4)"),
    ("S(x int) | window(range 4) | filter(x < now)", "S(x int) | filter(x < now) | window(range 4)"),
    ("S(x int) | map(now as t) | filter(t < 3 or t > 9)", "S(x int) | map(now as t) | filter(t < 3 or t > 10)"),
    ("S(x int) | filter(now > 4)", "S(x int) | filter(now > 5)"),
    ("leftjoin(S(x int), T(y int); x = y and now < 2)", "leftjoin(S(x int) | filter(now < 2), T(y int); x = y)"),
    ("S(x int) | total(count(*) as n) | filter(now < 3)", "S(x int) | filter(now < 3) | total(count(*) as n)"),
]


@pytest.mark.parametrize(("left", "right"), TRUE_PAIRS)
def test_true_pairs(left: str, right: str) -> None:
    one, other = parse_plan(left), parse_plan(right)
    assert prove(one, other).kind == "proved"
    assert check_plans(one, other, examples=120).kind in ("agreed", "unknown")
    assert exhaust(one, other, limit=20_000).kind in ("agreed", "unknown")


@pytest.mark.parametrize(("left", "right"), FALSE_PAIRS)
def test_false_pairs(left: str, right: str) -> None:
    one, other = parse_plan(left), parse_plan(right)
    assert prove(one, other).kind == "refuted"
    assert check_plans(one, other).kind == "refuted"
    assert exhaust(one, other).kind == "refuted"


@pytest.mark.parametrize("rewrite", [r for r in WRONG_REWRITES if r.name.startswith("now-")], ids=lambda r: r.name)
def test_moving_now_below_a_window_is_noticed(rewrite: object) -> None:
    verdict = check_optimizer(lambda plan: first_step(rewrite, plan), trials=0)  # type: ignore[arg-type]  # a rewrite
    assert verdict.kind == "refuted"


def test_no_rewrite_changes_what_a_plan_that_asks_for_now_means() -> None:
    rewritten = 0
    for number in range(250):
        choices = SeededChoices(f"steps/{number}")
        plan = asking_for_now(choices, AboveWindows(choices, CATALOGUE, awkward=False).asking())
        for step in steps(plan, REWRITES):
            rewritten += 1
            instance = Instance(plan, step.plan)
            for _ in range(3):
                outcome = compare_at_all_times(instance, directed_case(choices, instance))
                assert not isinstance(outcome, Counterexample), f"{step.rule}: {show(plan)} and {show(step.plan)}"
    assert rewritten > 60
