"""Stateless operators on awkward values: the same results, and an overflow wherever the reference has one."""

from collections.abc import Callable

import pytest

from physical.engines.spark.engine import SparkEngine
from physical.engines.spark.exchange import Spread
from physical.engines.spark.expressions import is_native
from semantics import FOREVER, ArithmeticOverflow, Interval, IntervalStream, Plan, Row, Schema, evaluate, parse_plan
from semantics.plan import Filter, Map
from tests.physical.engines.spark.lookahead import asked_ahead

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
    (-1, -5, -4.5, "  ß😀 "),
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
    *("x / y", "x / 0", "f / f", "y / x", "x mod y", "x mod -3", "f mod 2.0", "x mod 0"),
    *("case when f > 0.0 then y when f = 0.0 then 0.5 else null:float end", "coalesce(y, f)", "coalesce(x, 1)"),
    *("x = f", "f = f", "f < x", "x in (7, null:int)", "f in (x, 2.5)", "f is distinct from f"),
    *("s like 'a%c'", "s like 'a.c'", "s like 'ax%c' escape 'x'", "s like ''", "s like 'a_c'"),
    *("s < 'b'", "s is null", "not (x > 0 and y > 0 or f > 0.0)", "-f", "-y"),
    *("f + f", "f - f", "f * 0.0", "y + f", "y * 2 - 1"),
    *("length(s)", "octet_length(s)", "reverse(s)", "trim(s)", "ltrim(s)", "rtrim(s)", "starts_with(s, 'a')"),
    *("ends_with(s, s)", "contains(s, '%')", "abs(f)", "sign(f)", "sqrt(f)", "sqrt(y)", "is_nan(f)"),
    *("bitand(x, y)", "bitor(x, y)", "bitxor(x, y)", "bitnot(x)", "greatest(x, y)", "least(x, y, 3)"),
    *("greatest(f, y)", "least(f, 1.0)", "case when sqrt(f) > 1.0 then length(s) else 0 end"),
]


@pytest.mark.usefixtures("spark")
def test_oracle_expressions() -> None:
    """All in one job; that each is right is seen from its own column."""
    plan = parse_plan(f"{SOURCE} | map({', '.join(f'{value} as v{i}' for i, value in enumerate(VALUES))})")
    assert isinstance(plan, Map)
    assert [value for value, one in zip(VALUES, plan.expressions, strict=True) if not is_native(one)] == []
    assert outcome(plan, ROWS) is not ArithmeticOverflow


@pytest.mark.usefixtures("spark")
def test_oracle_functions_that_workers_compute() -> None:
    plan = parse_plan(f"{SOURCE} | map(upper(concat(s, 'x')) as u, abs(y) as a, round(f, 1) as r, left(s, y) as l)")
    assert isinstance(plan, Map)
    assert not any(map(is_native, plan.expressions))
    assert outcome(plan, ROWS) is not ArithmeticOverflow
    assert outcome(parse_plan(f"{SOURCE} | map(abs(x) as a)"), ROWS) is ArithmeticOverflow


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


outcomes = asked_ahead(lambda steps: outcome(parse_plan(f"{SOURCE} | {steps}"), LARGE), OVERFLOWS)


@pytest.mark.parametrize("steps", OVERFLOWS)
def test_an_overflow_is_an_error_even_where_its_value_does_not_matter(
    outcomes: Callable[[str], object], steps: str
) -> None:
    assert outcomes(steps) is ArithmeticOverflow


def test_what_runs_by_kernels() -> None:
    lazy = parse_plan(f"{SOURCE} | map(case when y = 0 then 1 else x + 1 end as z)")
    pattern = parse_plan(f"{SOURCE} | filter(s like s)")
    assert isinstance(lazy, Map)
    assert isinstance(pattern, Filter)
    assert not is_native(lazy.expressions[0])
    assert not is_native(pattern.predicate)
