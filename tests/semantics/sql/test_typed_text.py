"""Types and constants in SQL: which value a text is, and that printing gives a text of the same value."""

from decimal import Decimal

import pytest

from semantics import (
    AggregateFunction,
    Date,
    DayInterval,
    MonthInterval,
    Schema,
    SchemaError,
    Time,
    Timestamp,
    Type,
    Value,
    array_of,
    decimal,
    parse_plan,
    row_of,
)
from semantics.expression import Constant
from semantics.plan import Map
from semantics.sql import Catalogue, Declaration, parse_query, read_script, to_sql
from semantics.sql.to_text.declarations import declaration_to_sql
from semantics.sql.to_text.standard import standard_sql

CATALOGUE = Catalogue.of({"S": Schema.of(x=int, f=float)})
DAYS, MONTHS = Type.DAY_INTERVAL, Type.MONTH_INTERVAL
CONSTANTS: list[tuple[str, Value, Type]] = [
    ("DATE '2024-02-29'", Date("2024-02-29"), Type.DATE),
    ("TIME '23:59:59.5'", Time("23:59:59.5"), Type.TIME),
    ("TIMESTAMP '2024-02-29 12:00:00+02:00'", Timestamp("2024-02-29 10:00:00"), Type.TIMESTAMP),
    ("TIMESTAMP WITH LOCAL TIME ZONE '2024-02-29'", Timestamp("2024-02-29 00:00:00"), Type.TIMESTAMP),
    ("DECIMAL '12.50'", Decimal("12.50"), decimal(4, 2)),
    ("DECIMAL(10, 2) '12.5'", Decimal("12.50"), decimal(10, 2)),
    ("NUMERIC(3) '7'", Decimal(7), decimal(3, 0)),
    ("INTERVAL '5' MINUTE", DayInterval("0 00:05:00"), DAYS),
    ("INTERVAL 5 MINUTES", DayInterval("0 00:05:00"), DAYS),
    ("INTERVAL '0.5' SECOND", DayInterval(500_000), DAYS),
    ("INTERVAL - '2' WEEK", DayInterval("-14 00:00:00"), DAYS),
    ("INTERVAL '1 02:30' DAY TO MINUTE", DayInterval("1 02:30:00"), DAYS),
    ("INTERVAL '-1 05' DAY TO HOUR", DayInterval("-1 05:00:00"), DAYS),
    ("INTERVAL '30:15' MINUTE TO SECOND", DayInterval("0 00:30:15"), DAYS),
    ("INTERVAL '+1 00:00' DAY(3) TO SECOND(6)", DayInterval("1 00:00:00"), DAYS),
    ("INTERVAL '2 hours 5 minutes'", DayInterval("0 02:05:00"), DAYS),
    ("INTERVAL '1 02:30'", DayInterval("1 02:30:00"), DAYS),
    ("INTERVAL '1-2' YEAR TO MONTH", MonthInterval(14), MONTHS),
    ("INTERVAL '3' QUARTERS", MonthInterval(9), MONTHS),
    ("INTERVAL '1.5' YEAR", MonthInterval(18), MONTHS),
    ("INTERVAL '1 year -2 months'", MonthInterval(10), MONTHS),
    ("ARRAY[1, NULL, 2.5]", (1.0, None, 2.5), array_of(Type.FLOAT)),
    ("ARRAY[NULL, 'x']", (None, "x"), array_of(Type.STR)),
    ("ARRAY[DATE '2024-01-31', TIMESTAMP '2024-01-31 10:00:00']",
     (Timestamp("2024-01-31 00:00:00"), Timestamp("2024-01-31 10:00:00")), array_of(Type.TIMESTAMP)),
    ("CAST(ARRAY[] AS ARRAY<INT>)", (), array_of(Type.INT)),
    ("CAST(ARRAY[1, NULL] AS DECIMAL(5, 2) ARRAY)", (Decimal("1.00"), None), array_of(decimal(5, 2))),
    ("CAST(ROW(1, ARRAY['2024-01-31']) AS ROW<a INT, b ARRAY<DATE>>)", (1, (Date("2024-01-31"),)),
     row_of(("a", Type.INT), ("b", array_of(Type.DATE)))),
    ("CAST(ROW(1, 'x') AS ROW(a INT, b TEXT))", (1, "x"), row_of(("a", Type.INT), ("b", Type.STR))),
    ("CAST(ROW(ROW(1)) AS STRUCT<a: STRUCT<b: BIGINT>>)", ((1,),), row_of(("a", row_of(("b", Type.INT))))),
    ("CAST(NULL AS TIMESTAMP(3) WITH LOCAL TIME ZONE)", None, Type.TIMESTAMP),
    ("CAST(NULL AS TIMESTAMP WITHOUT TIME ZONE)", None, Type.TIMESTAMP),
    ("CAST(NULL AS INTERVAL YEAR(4) TO MONTH)", None, MONTHS),
    ("CAST(NULL AS INTERVAL DAY TO SECOND(3))", None, DAYS),
    ("CAST(NULL AS INTERVAL)", None, DAYS),
    ("CAST(NULL AS DOUBLE PRECISION)", None, Type.FLOAT),
    ("CAST(NULL AS CHARACTER VARYING(9))", None, Type.STR),
    ("CAST(NULL AS INT ARRAY ARRAY)", None, array_of(array_of(Type.INT))),
]  # fmt: skip


def value_of(text: str) -> Constant:
    plan = parse_query(f"SELECT {text} AS v FROM S", CATALOGUE)
    assert isinstance(plan, Map)
    (found,) = plan.expressions
    assert isinstance(found, Constant)
    return found


@pytest.mark.parametrize(("text", "value", "type_"), CONSTANTS, ids=[text for text, _, _ in CONSTANTS])
def test_a_text_is_this_value_and_prints_as_one_that_is(text: str, value: Value, type_: Type) -> None:
    found = value_of(text)
    assert (found.value, repr(found.value), found.type) == (value, repr(value), type_)
    plan = parse_query(f"SELECT {text} AS v FROM S", CATALOGUE)
    assert parse_query(to_sql(plan), CATALOGUE) == plan


@pytest.mark.parametrize(
    "text",
    [
        "S(x int, f float) | map(decimal '1.5' + f as a, cast(x as decimal(5, 2)) * 2 as b)",
        "S(x int, f float) | filter(cast(f as decimal(10, 2)) in (decimal '1.50', decimal '2.5'))",
        "S(x int, f float) | map(decimal '1.5' > 0.25 as a, coalesce(decimal '1.5', f) as b, decimal '1.5' / 1e3 as c)",
        "S(x int, f float) | map(date '2024-01-31' + day_interval '1 00:00:00' * x as a)",
        "S(x int, f float) | over(sum(x) rows 3 as a, first(f) range 5 as b, lead(x, 2) as c per x)",
        "S(x int, f float) | window(partition by x session 5 touching)",
    ],
)
def test_plans_with_types_and_frames_print_and_read_back(text: str) -> None:
    plan = parse_plan(text)
    assert parse_query(to_sql(plan), CATALOGUE) == plan


STANDARD = [
    ("map(date '2024-02-29' as v)", "DATE '2024-02-29'"),
    ("map(decimal '1.50' as v)", "CAST('1.50' AS DECIMAL(3, 2))"),
    ("map(cast(x as str) as v)", "CAST(x AS VARCHAR)"),
    ("map(try_cast('x' as int) as v)", "TRY_CAST('x' AS BIGINT)"),
    ("map(decimal '1.5' / x as v)", "CAST((CAST('1.5' AS DECIMAL(2, 1)) / NULLIF(x, 0)) AS DECIMAL(22, 21))"),
    ("map(decimal '1.5' mod x as v)", "MOD(CAST('1.5' AS DECIMAL(2, 1)), NULLIF(x, 0))"),
    ("map(date '2024-02-29' + day_interval '1 00:00:00' as v)", "+ INTERVAL '1 00:00:00' DAY TO SECOND)"),
    ("aggregate(corr(x, f) as v)", "CORR(CAST(x AS DOUBLE PRECISION), CAST(f AS DOUBLE PRECISION))"),
    ("aggregate(count(distinct x) as v)", "COUNT(DISTINCT x)"),
    ("aggregate(sum(distinct x) as v)", "CAST(SUM(DISTINCT x) AS BIGINT)"),
    ("aggregate(percentile_cont(f, 0.25) as v)", "PERCENTILE_CONT(0.25) WITHIN GROUP (ORDER BY CAST(f AS DOUBLE PR"),
]  # fmt: skip


@pytest.mark.parametrize(("step", "expected"), STANDARD)
def test_standard_sql_names_every_type(step: str, expected: str) -> None:
    text = standard_sql(parse_plan(f"S(x int, f float) | {step}"))
    assert text is not None
    assert expected in text


@pytest.mark.parametrize("step", ["mode(x)", "bit_xor(x)", "median(distinct x)", "count(distinct x, f)", "top(x, 2)"])
def test_what_standard_sql_has_not_is_not_written(step: str) -> None:
    assert standard_sql(parse_plan(f"S(x int, f float) | aggregate({step} as v)")) is None


@pytest.mark.parametrize(
    "step", ["window(session 3)", "over(lag(x, 1) as l)", "limit(1; x)", "filter(x > now)", "map(abs(x) as a)"]
)
def test_what_is_no_question_about_one_snapshot_is_not_written(step: str) -> None:
    assert standard_sql(parse_plan(f"S(x int, f float) | {step}")) is None


SCRIPTS = [
    "CREATE STREAM S(x INT, d DECIMAL(5, 2), a ARRAY<INT>, ts TIMESTAMP) ORDERED BY ts",
    "CREATE STREAM S(x INT, ms INT) ORDERED BY ts AS ms * 1000",
    "CREATE STREAM S(x INT, a INT, b INT, UNIQUE (x)) VALID (a, b)",
    "CREATE STREAM S(x INT, ts INT, ONCE (x)) ORDERED BY ts",
    "CREATE TABLE S(id INT, name TEXT, PRIMARY KEY (id))",
]


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_declaration_prints_as_it_is_written(script: str) -> None:
    declared = read_script(script).relations["S"]
    assert isinstance(declared, Declaration)
    assert declaration_to_sql(declared) == script


def test_a_reference_to_a_table_is_printed() -> None:
    table = "CREATE TABLE C(id INT, PRIMARY KEY (id))"
    script = f"{table}; CREATE STREAM S(x INT, ts INT, FOREIGN KEY (x) REFERENCES C(id)) ORDERED BY ts"
    printed = [declaration_to_sql(d) for d in read_script(script).relations.values() if isinstance(d, Declaration)]
    assert "; ".join(printed) == script


def test_a_function_of_the_catalogue_hides_a_built_in_one() -> None:
    catalogue = Catalogue.of({"S": Schema.of(x=int, f=float)})
    catalogue.function("abs", [int], int, lambda x: x)
    with pytest.raises(SchemaError, match="the plan has the built-in abs, the catalogue another one of this name"):
        to_sql(parse_plan("S(x int, f float) | map(abs(x) as a)"), catalogue)


def test_an_aggregate_of_a_frame_must_be_in_the_catalogue() -> None:
    other = AggregateFunction("spread", Type.INT, Type.INT, init=int, merge=max, eval=int)
    plan = parse_plan("S(x int, f float) | over(spread(x) rows 2 as a)", {"spread": other})
    with pytest.raises(SchemaError, match="the catalogue has no function spread like that of the plan"):
        to_sql(plan, CATALOGUE)
