"""The rows that are said to be responsible are: whatever else is taken away, nothing changes."""

from dataclasses import replace

import pytest

from equivalence.cases.choices import Choices, SeededChoices
from equivalence.cases.now_in_plans import asking_for_now
from equivalence.cases.random_cases import choose_case
from equivalence.cases.random_plans import choose_plan
from equivalence.deviations.lineage import Place, responsible
from equivalence.deviations.situation import Situation, situation_of
from semantics import Interval, LogicalStream, SnapeqError, evaluate, parse, parse_plan

HORIZON = 12


def output(situation: Situation) -> LogicalStream:
    return evaluate(situation.plan, {name: given.stream() for name, given in situation.inputs.items()}, HORIZON)


def fewer(situation: Situation, places: set[Place], choices: Choices, chance: int) -> Situation:
    """The situation without some of the rows that are not responsible."""
    kept = {
        name: replace(
            given,
            arrivals=tuple(a for i, a in enumerate(given.arrivals) if (name, i) in places or choices.chance(chance, 4)),
        )
        for name, given in situation.inputs.items()
    }
    return replace(situation, inputs=kept)


@pytest.mark.parametrize("asks_for_now", [False, True])
def test_taking_away_other_rows_changes_nothing(asks_for_now: bool) -> None:
    tried = narrowed = 0
    for seed in range(250):
        choices = SeededChoices(f"lineage-{seed}")
        plan = choose_plan(choices, depth=3, awkward=False)
        plan = asking_for_now(choices, plan) if asks_for_now else plan
        situation = situation_of(plan, choose_case(choices, plan.sources(), awkward=False))
        try:
            right = output(situation)
        except SnapeqError:
            continue
        cells = [(row, t) for t, snapshot in enumerate(right.snapshots) for row, _ in snapshot.items()]
        if not cells:
            continue
        row, t = choices.of(cells)
        places = set(responsible(situation, row, Interval(t, t + 1)))
        tried, narrowed = tried + 1, narrowed + (len(places) < situation.rows)
        for chance in range(3):
            assert output(fewer(situation, places, choices, chance)).at(t)[row] == right.at(t)[row], seed
    assert tried > 120
    assert narrowed > tried // 2, "naming every row would be right, and useless"


def test_a_missing_row_has_reasons_too() -> None:
    plan = parse_plan("difference(A(x int) | window(range 3), B(y int) | window(range 3))")
    streams = {"A": parse("raw(x int): (1)@0 (2)@1"), "B": parse("raw(y int): (1)@1 (3)@1")}
    assert responsible(situation_of(plan, streams), (1,), Interval(1, 2)) == [("A", 0), ("B", 0)]


def test_partitions_look_at_their_own_last_rows_only() -> None:
    plan = parse_plan("S(k int, x int) | window(partition by k rows 1)")
    stream = parse("raw(k int, x int): (1, 1)@0 (2, 1)@1 (1, 2)@2")
    assert responsible(situation_of(plan, {"S": stream}), (1, 2), Interval(3, 4)) == [("S", 2)]


def test_a_row_of_a_pane_has_its_own_rows_behind_it() -> None:
    """Where the instant is a column, rows of other instants are no reason."""
    plan = parse_plan(
        "S(k int) | map(k as k, now as t) | window(range 10) | filter((now + 1) mod 10 = 0)"
        " | map(k as k, t as t, now + 1 as pane) | group(k, pane; max(t) as last)"
    )
    stream = parse("raw(k int): (1)@2 (2)@3 (1)@12 (1)@15")
    assert responsible(situation_of(plan, {"S": stream}), (1, 20, 15), Interval(19, 20)) == [("S", 2), ("S", 3)]
