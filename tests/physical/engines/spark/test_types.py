"""Decimals, points in time and spans on Spark: computed as the reference does, read from DataFrames without loss."""

from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import Column, SparkSession
from pyspark.sql import functions as f

from equivalence.dataframes.compute import sql
from physical.engines.spark.engine import SparkEngine
from physical.engines.spark.exchange import Spread
from semantics import Unsupported, evaluate, parse, parse_plan

APART = Spread(partitions=3, cuts=(2, 5), heaviest=None)
HORIZON = 9
S = "S(k int, p decimal(6, 2), at timestamp, d date, w day_interval)"
T = "T(q decimal(6, 2), until timestamp)"
STREAMS = {
    "S": parse(
        "raw(k int, p decimal(6, 2), at timestamp, d date, w day_interval): "
        "(1, decimal '0.10', timestamp '2026-01-01 00:00:01', date '2026-01-01', day_interval '0 00:00:02')@0 "
        "(1, decimal '0.20', timestamp '1969-12-31 23:59:59.5', date '1969-12-31', day_interval '-1 00:00:00')@1 "
        "(2, decimal '-9999.99', timestamp '2026-01-01 00:00:01', null, null)@1 (null, null, null, null, null)@3 "
        "(2, decimal '0.10', timestamp '9999-12-31 23:59:59.999999', date '9999-12-31', day_interval '0 00:00:02')@4"
    ),
    "T": parse(
        "raw(q decimal(6, 2), until timestamp): (decimal '0.10', timestamp '2026-01-01 00:00:01')@0 "
        "(decimal '0.20', timestamp '2026-01-01 00:00:02')@2 (null, null)@3"
    ),
}
A = "A(k int, xs array<float>, r row<a int, b array<str>>)"
STREAMS["A"] = parse(
    "raw(k int, xs array<float>, r row<a int, b array<str>>): "
    "(1, [1.5, null, -0.0], [7, ['x', 'y']])@0 (2, [], [null, []])@1 (1, null, null)@1 (2, [0.0], [7, null])@2 "
    "(3, [1.5, null, 0.0], [7, ['x', 'y']])@3 (1, [0.0], [8, ['x']])@4"
)
LONG = "window(range 5)"
PLANS = {
    "filter": f"{S} | filter(p > decimal '0.10' or at >= timestamp '2026-01-01 00:00:01')",
    "map": f"{S} | map(p * decimal '1.5' as x, cast(at as date) as day, cast(p as str) as t, d as d)",
    "spans": f"{S} | filter(w > day_interval '0 00:00:00') | map(w + w as v, at as at)",
    "now": f"{S} | {LONG} | filter(p < cast(now as decimal(9, 2)))",
    "groups": f"{S} | {LONG} | group(p, d; count(*) as n, max(at) as last, sum(p) as s)",
    "total": f"{S} | {LONG} | total(sum(p) as s, avg(p) as m, min(d) as first)",
    "distinct": f"{S} | {LONG} | map(at as at, p as p) | distinct",
    "join": f"join({S} | {LONG}, {T} | {LONG}; p = q)",
    "join by moments": f"leftjoin({S} | {LONG}, {T} | {LONG}; at = until)",
    "join by order": f"join({S} | {LONG}, {T} | {LONG}; at < until and p <> q)",
    "difference": f"difference({S} | {LONG} | map(p as p, at as at), {T} | {LONG})",
    "rows": f"{S} | window(partition by p rows 1)",
    "first": f"{S} | {LONG} | limit(1 per k; p desc, at)",
    "arrays": f"{A} | filter(cardinality(xs) > 0) | map(xs as xs, array_get(xs, 1) as x, field(r, 'b') as b)",
    "elements": f"{A} | unnest(xs as x)",
    "elements below a window": f"{A} | unnest(xs as x numbered n) | {LONG} | group(x; count(*) as m)",
    "outer elements": f"{A} | {LONG} | unnest(field(r, 'b') as t or null) | distinct",
    "elements by key": f"{A} | unnest(xs as x) | window(partition by k rows 1)",
    "distinct arrays": f"{A} | {LONG} | map(xs as xs, r as r) | distinct",
    "groups of arrays": f"{A} | {LONG} | group(xs; count(*) as n, array_agg(k) as ks)",
    "join of rows": f"semijoin({A} | {LONG}, {A} | window(range 2); left.r = right.r)",
}


@pytest.mark.usefixtures("spark")
@pytest.mark.parametrize("text", PLANS.values(), ids=PLANS)
def test_oracle_types(text: str) -> None:
    plan = parse_plan(text)
    expected = evaluate(plan, STREAMS, HORIZON)
    assert any(expected.snapshots)
    assert SparkEngine(spread=APART).run(plan, STREAMS, HORIZON).to_logical(HORIZON) == expected


@pytest.mark.parametrize(
    "text", ["S(t time)", "S(m month_interval)", "S(x array<time>) | distinct", "S(x row<a month_interval>) | distinct"]
)
def test_other_types_are_refused_by_name(text: str) -> None:
    plan = parse_plan(text)
    assert not SparkEngine().supports(plan)
    with pytest.raises(Unsupported, match=f"Spark: {plan.sources()['S'].types[0].name} does not run there yet"):
        SparkEngine().run(plan, {})


NOON = datetime(2026, 3, 8, 12)
READ: list[tuple[str, str, Any]] = [
    ("DECIMAL(6, 2)", "CAST(1.5 AS DECIMAL(4, 1))", Decimal("1.50")),
    ("DECIMAL(6, 2)", "CAST(1.5 AS DECIMAL(38, 18))", Decimal("1.50")),
    ("DECIMAL(6, 2)", "7", Decimal("7.00")),
    ("DECIMAL(6, 2)", "' -12.340 '", Decimal("-12.34")),
    ("TIMESTAMP", "TIMESTAMP_NTZ'2026-03-08 12:00:00'", NOON),
    ("TIMESTAMP", "TIMESTAMP'2026-03-08 12:00:00+00:00'", NOON),
    ("TIMESTAMP", "'2026-03-08T14:00:00+02:00'", NOON),
    ("TIMESTAMP", "DATE'2026-03-08'", datetime(2026, 3, 8)),
    ("TIMESTAMP", "TIMESTAMP'1969-12-31 23:59:59.999999+00:00'", datetime(1969, 12, 31, 23, 59, 59, 999999)),
    ("DATE", "DATE'1582-10-04'", date(1582, 10, 4)),
    ("DATE", "'2026-03-08'", date(2026, 3, 8)),
    ("INTERVAL DAY TO SECOND", "INTERVAL '1 02:00:00.5' DAY TO SECOND", timedelta(days=1, hours=2, seconds=0.5)),
]


def theirs(spark: SparkSession) -> SparkSession:
    """A session in which clocks jump on the day of these times."""
    session = spark.newSession()
    session.conf.set("spark.sql.session.timeZone", "America/New_York")
    session.conf.set("spark.sql.ansi.enabled", "false")
    return session


def test_values_of_dataframes_are_read_without_loss(spark: SparkSession) -> None:
    columns: list[Column] = [f.expr(text).alias(f"v{i}") for i, (_, text, _) in enumerate(READ)]
    data = theirs(spark).range(1).select(*columns, f.lit(0).alias("t"))
    declared = ", ".join(f"v{i} {type_}" for i, (type_, _, _) in enumerate(READ))
    wanted = ", ".join(f"v{i}" for i in range(len(READ)))
    query = f"CREATE STREAM S({declared}, t INT) ORDERED BY t; SELECT {wanted} FROM S"
    (row,) = sql(query, {"S": data}).collect()
    assert list(row)[: len(READ)] == [value for _, _, value in READ]


@pytest.mark.parametrize(
    ("type_", "value"),
    [("DECIMAL(6, 2)", "1.005BD"), ("DECIMAL(6, 2)", "'1.005'"), ("DECIMAL(3, 2)", "123"), ("DATE", "'yesterday'")],
)
def test_what_would_be_rounded_is_an_error(spark: SparkSession, type_: str, value: str) -> None:
    data = theirs(spark).range(1).select(f.expr(value).alias("v"), f.lit(0).alias("t"))
    found = sql(f"CREATE STREAM S(v {type_}, t INT) ORDERED BY t; SELECT v FROM S", {"S": data})
    with pytest.raises(PySparkException, match=r"StreamError: S: column v: .* does not fit; expected "):
        found.collect()


def test_columns_declare_themselves(spark: SparkSession) -> None:
    data = spark.range(1).selectExpr("2.50BD AS price", "DATE'2026-03-08' AS day", "0L AS _start", "5L AS _end")
    found = sql("SELECT price * 2 AS twice, day FROM S WHERE price > 2.4", {"S": data})
    assert [tuple(row) for row in found.collect()] == [(Decimal("5.00"), date(2026, 3, 8), 0, 5, 1)]
