"""Filters that sample: which conditions are periods, and that samples cost by panes, not by instants."""

import pytest

from semantics import ArithmeticOverflow, evaluate, evaluate_sparse, parse, parse_plan
from semantics.periods_of_now import Period, sampling

DAY = 86_400_000


@pytest.mark.parametrize(
    ("text", "period"),
    [
        ("now mod 10 = 0", Period(10, 0)),
        ("(now + 1) mod 10 = 0", Period(10, 9)),
        ("(now - 3) mod 10 = 2", Period(10, 5)),
        ("4 = (now + 1 + 2) mod 10", Period(10, 1)),
        ("now mod -10 = 3", Period(10, 3)),
        ("$0:int > 5 and now mod 10 = 0 and now < 77", Period(10, 0)),
        ("now mod 2 = 0 and now mod 10 = 4", Period(10, 4)),
    ],
)
def test_the_rest_of_now_is_a_period(text: str, period: Period) -> None:
    found = sampling(parse(text))
    assert found is not None
    assert found.period == period


@pytest.mark.parametrize(
    "text",
    [
        *("now mod 10 > 0", "$0:int mod 10 = 0", "now mod $0:int = 0", "(now + now) mod 4 = 0", "(1 - now) mod 4 = 0"),
        *("now mod 0 = 0", "now mod 10 = 0 or $0:int = 1", "now mod 10 = 0 and now * $0:int > 5"),
    ],
)
def test_others_are_none(text: str) -> None:
    assert sampling(parse(text)) is None


@pytest.mark.parametrize("condition", ["(now - 5) mod 3 = -1", "(now - 5) mod 3 = 1", "now mod 1 = 0", "now mod 4 = 7"])
def test_the_sparse_reference_takes_the_samples_of_the_definition(condition: str) -> None:
    plan = parse_plan(f"S(x int) | filter({condition})")
    stream = parse("interval(x int): (1)@[0,9) (2)@[3,14) (2)@[5,8)")
    sparse = evaluate_sparse(plan, {"S": stream}, 12)
    assert tuple(sparse.at(t) for t in range(12)) == evaluate(plan, {"S": stream}, 12).snapshots


def test_panes_of_milliseconds_over_days_cost_by_panes() -> None:
    plan = parse_plan(
        f"S(x int) | window(range {DAY}) | filter((now + 1) mod {DAY} = 0) | map(now + 1 as ends, x as x)"
    )
    stream = parse(f"raw(x int): (1)@5 (2)@{DAY - 1} (3)@{DAY} (4)@{40 * DAY}")
    found = evaluate_sparse(plan, {"S": stream}, limit=50)
    ends = [(1, 1), (1, 2), (2, 3), (41, 4)]
    assert [(row, i.start + 1) for row, i, _ in found.runs] == [((n * DAY, x), n * DAY) for n, x in ends]


def test_what_fails_between_samples_fails() -> None:
    plan = parse_plan(f"S(x int) | filter(now mod 1000 = 0 and now + {2**63 - 8} > x)")
    stream = parse("interval(x int): (1)@[1,20)")
    with pytest.raises(ArithmeticOverflow):
        evaluate(plan, {"S": stream}, 20)
    with pytest.raises(ArithmeticOverflow):
        evaluate_sparse(plan, {"S": stream}, 20)
