"""Stateless operators on awkward values: the same results, and an overflow wherever the reference has one."""

from collections.abc import Callable

import pytest

from physical.spark.engine import SparkEngine
from physical.spark.exchange import Spread
from physical.spark.expressions import is_native
from semantics import FOREVER, ArithmeticOverflow, Interval, IntervalStream, Plan, Row, Schema, evaluate, parse_plan
from semantics.plan import Filter, Map

SCHEMA = Schema.of(x=int, y=int, f=float, s=str)
NAN, INF, TOP = float("nan"), float("inf"), 2**63 - 1
ROWS: list[Row] = [
    (7, 2, 2.5, "abc"),
    (-7, 2, -0.0, "a.c"),
    (7, 0, 0.0, "a%c"),
    (None, 3, NAN, ""),
    (5, None, INF, None),
    (-(2**63), -1, -INF, "ab\nc"),
    (2**53 + 1, 3, float(2**53), "a\\c"),
]
LARGE: list[Row] = [(TOP, 1, 1.0, "a"), (TOP, None, 0.0, "b"), (0, 0, 0.0, "c")]
SOURCE = "S(x int, y int, f float, s str)"


def stream(rows: list[Row]) -> IntervalStream:
    return IntervalStream(SCHEMA, [(row, Interval(0, FOREVER)) for row in rows])


def outcome(plan: Plan, rows: list[Row]) -> object:
    """What Spark gives, and what the reference does; an overflow is a result of its own."""
    found, expected = attempted(plan, rows, on_spark), attempted(plan, rows, evaluate)
    assert found == expected
    return found


def on_spark(plan: Plan, sources: dict[str, IntervalStream], horizon: int) -> object:
    return SparkEngine(spread=Spread()).run(plan, sources, horizon).to_logical(horizon)


def attempted(plan: Plan, rows: list[Row], work: Callable[..., object]) -> object:
    try:
        return work(plan, {"S": stream(rows)}, 2)
    except ArithmeticOverflow:
        return ArithmeticOverflow


VALUES = [
    "x / y as q, x / 0 as z, f / f as g, y / x as r",
    "x mod y as m, x mod -3 as n, f mod 2.0 as o, x mod 0 as p",
    "case when f > 0.0 then y when f = 0.0 then 0.5 else null:float end as c, coalesce(y, f) as d, coalesce(x, 1) as e",
    "x = f as a, f = f as b, f < x as c, x in (7, null:int) as d, f in (x, 2.5) as e, f is distinct from f as g",
    "s like 'a%c' as a, s like 'a.c' as b, s like 'ax%c' escape 'x' as c, s like '' as d, s like 'a_c' as e",
    "s < 'b' as a, s is null as b, not (x > 0 and y > 0 or f > 0.0) as c, -f as d, -y as e",
    "f + f as a, f - f as b, f * 0.0 as c, y + f as d, y * 2 - 1 as e",
]


@pytest.mark.usefixtures("spark")
@pytest.mark.parametrize("values", VALUES)
def test_oracle_expressions(values: str) -> None:
    plan = parse_plan(f"{SOURCE} | map({values})")
    assert isinstance(plan, Map)
    assert all(map(is_native, plan.expressions))
    assert outcome(plan, ROWS) is not ArithmeticOverflow


OVERFLOWS = [
    "filter(x > 5 or x + y > 0)",
    "filter(x < 5 and x + y > 0)",
    "filter(x in (x, x + x))",
    "map(x * 2 as z, s as s) | map(s as s)",
    "map(x + 1 as z, y as y) | filter(y > 5)",
    "map((x + 1) mod 0 as z) | filter(z > 0)",
    "map(case when y = 0 then 1 else x + 1 end as z)",
    "filter(y * (x + 1) > 0)",
]


@pytest.mark.usefixtures("spark")
@pytest.mark.parametrize("steps", OVERFLOWS)
def test_an_overflow_is_an_error_even_where_its_value_does_not_matter(steps: str) -> None:
    assert outcome(parse_plan(f"{SOURCE} | {steps}"), LARGE) is ArithmeticOverflow


def test_what_runs_by_kernels() -> None:
    lazy = parse_plan(f"{SOURCE} | map(case when y = 0 then 1 else x + 1 end as z)")
    pattern = parse_plan(f"{SOURCE} | filter(s like s)")
    assert isinstance(lazy, Map)
    assert isinstance(pattern, Filter)
    assert not is_native(lazy.expressions[0])
    assert not is_native(pattern.predicate)
