"""What SQL over snapshots says beyond plain columns: OVER, casts, functions, decimals and times."""

from itertools import product

import pytest

from equivalence.cases.choices import SeededChoices
from equivalence.cases.typed_expressions import choose_telling
from equivalence.conformance.subject.load import run_engine
from equivalence.conformance.subject.tolerance import close
from physical.adapters.environments import ENVIRONMENTS
from physical.adapters.sql.sql_engine import SqlEngine
from physical.engine import OTHERS
from semantics import IntervalStream, Row, Schema, StreamError, Type, decimal, evaluate, parse, parse_plan
from semantics.casts import castable
from semantics.expression import Cast, Ref
from semantics.plan import Map, Source
from semantics.schema import Column
from tests.physical.adapters.sql_calls import arguments_of, calls, differences
from tests.semantics.functions.arguments import TEMPORAL

FUNCTIONS_AT_LEAST = {"apsw": 25, "datafusion": 70, "duckdb": 90, "polars": 5, "postgres": 90, "sqlite": 25}
CASTS_AT_LEAST = {"apsw": 3, "datafusion": 20, "duckdb": 20, "polars": 3, "postgres": 20, "sqlite": 3}
NAMES = tuple(FUNCTIONS_AT_LEAST)
WITH_TYPES = ("datafusion", "duckdb", "postgres")
DECIMALS = (decimal(9, 3), decimal(12, 5), decimal(20, 2), decimal(38, 3))
TYPES = (Type.INT, Type.FLOAT, Type.BOOL, Type.STR, Type.TIMESTAMP, Type.DATE, Type.TIME, *DECIMALS)
PLAIN = "S(x int, f float, s str)"
PLAIN_ROWS = (
    "interval(x int, f float, s str): "
    "(1, 0.5, 'ab')@[0,3) (2, 1.5, '')@[1,4) (null, -1.0, null)@[2,6) (2, 2.0, 'a')@[2,3)"
)
TYPED = "S(x int, p decimal(9, 3), d date, at timestamp)"
TYPED_ROWS = (
    "interval(x int, p decimal(9, 3), d date, at timestamp): "
    "(1, decimal '1.250', date '2024-01-31', timestamp '2024-01-31 12:30:00.5')@[0,3) "
    "(2, decimal '-3.125', date '2023-02-28', null)@[1,4) "
    "(null, null, null, timestamp '1969-12-31 23:59:59.000001')@[2,6) "
    "(2, decimal '0.001', date '1970-01-01', timestamp '1970-01-01 00:00:00')@[2,3)"
)


def installed(name: str) -> SqlEngine:
    if name in ENVIRONMENTS and not ENVIRONMENTS[name].is_installed:
        pytest.skip(f"{name} is not installed: snapeq engines install {name}")
    engine = OTHERS[name]
    assert isinstance(engine, SqlEngine)
    return engine


def check(engine: SqlEngine, query: str, rows: str, horizon: int = 8) -> None:
    plan, stream = parse_plan(query), parse(rows)
    assert isinstance(stream, IntervalStream)
    expected = evaluate(plan, {"S": stream}, horizon)
    found = run_engine(engine, plan, {"S": stream}, horizon)
    for t in range(horizon):
        assert close(expected.at(t), found.at(t), engine.tolerance), (t, expected.at(t), found.at(t))


@pytest.mark.parametrize(
    "over",
    [
        "over(sum(x) rows 2 as a, count(x) rows unbounded as b)",
        "over(max(f) range 2 as a per x)",
        "over(lag(s, 1) as a, first(x) rows 1 as b per s; x)",
        "over(lead(x, 2) as a; x desc)",
        "over(rank() as a, row_number() as b, dense_rank() as c; x nulls last)",
    ],
)
@pytest.mark.parametrize("name", NAMES)
def test_over_goes_through_the_rows_of_all_snapshots(name: str, over: str) -> None:
    engine = installed(name)
    if name == "polars" and "range" in over:
        assert not engine.supports(parse_plan(f"{PLAIN} | {over}"))
    else:
        check(engine, f"{PLAIN} | {over}", PLAIN_ROWS)


def test_the_edge_of_a_range_is_not_said() -> None:
    assert not installed("sqlite").supports(parse_plan(f"{PLAIN} | over(last(x) range 2 as a)"))


def test_what_lead_needs_may_be_too_late_for_a_table_of_instants() -> None:
    plan = parse_plan("S(x int) | window(range 5000) | over(lead(x, 1) as a)")
    with pytest.raises(StreamError, match="sqlite: LEAD needs rows up to 50"):
        installed("sqlite").run(plan, {"S": parse("raw(x int): (7)@0")}, 3)


@pytest.mark.parametrize(
    "query",
    [
        "map(p + p as a, p * p as b, p - x as c)",
        "group(d; max(at) as m, sum(p) as s, count(distinct p) as c)",
        "filter(d < at) | distinct",
        "over(min(at) rows 1 as a, lag(d, 1) as b per p)",
    ],
)
@pytest.mark.parametrize("name", WITH_TYPES)
def test_decimals_and_times_are_values(name: str, query: str) -> None:
    check(installed(name), f"{TYPED} | {query}", TYPED_ROWS)


@pytest.mark.parametrize("name", NAMES)
def test_functions_mean_the_same(name: str) -> None:
    """Every function that the dialect has a template for, for all its types and words, on telling values."""
    engine, tried = installed(name), 0
    for made in calls():
        rows, types = arguments_of(made)
        if engine.dialect.template(made) is not None and all(map(engine.dialect.has_type, [*types, made.type])):
            assert differences(engine, made, ordinary(engine, rows), types) == []
            tried += 1
    assert tried >= FUNCTIONS_AT_LEAST[name]


@pytest.mark.parametrize("name", NAMES)
def test_casts_mean_the_same(name: str) -> None:
    engine, tried = installed(name), 0
    for source, target in product(TYPES, TYPES):
        if source is target or not castable(source, target):
            continue
        made = Cast(Ref(0, source), target)
        if engine.supports(Map(Source("S", Schema((Column("x", source),))), (made,), ("v",))):
            assert differences(engine, made, ordinary(engine, values(source)), [source]) == []
            tried += 1
    assert tried >= CASTS_AT_LEAST[name]


def values(type_: Type) -> list[Row]:
    choices = SeededChoices(type_.name)
    return [(value,) for value in TEMPORAL.get(type_) or [choose_telling(choices, type_) for _ in range(40)]]


def ordinary(engine: SqlEngine, rows: list[Row]) -> list[Row]:
    """Without NaN, where the adapter declares that it is no value like any other."""
    if "special floats" not in engine.differences:
        return rows
    return [row for row in rows if not any(value != value for value in row)]
