"""Plans in standard SQL mean, on every snapshot, what the reference says: DuckDB evaluates them."""

import duckdb
import pytest

from equivalence.cases.choices import SeededChoices
from equivalence.cases.random_cases import choose_case
from equivalence.cases.random_plans import choose_plan
from equivalence.conformance.subject.tolerance import close
from semantics import ArithmeticOverflow, Multiset, Plan, Type, evaluate, parse_plan, show
from semantics.plan import Source
from semantics.sql.to_text.standard import standard_sql

DUCKDB_TYPES = {Type.INT: "BIGINT", Type.FLOAT: "DOUBLE", Type.BOOL: "BOOLEAN", Type.STR: "VARCHAR"}
PLANS = [
    "A(x int, s str) | filter(x > 1 or s is null)",
    "A(x int, s str) | map(x + 1 as y, coalesce(s, 'none') as t)",
    "A(x int, s str) | distinct",
    "A(x int, s str) | aggregate(count(*) as n, sum(x) as total)",
    "A(x int, s str) | group(s; count(*) as n, avg(x) as m, median(x) as d)",
    "difference(A(x int, s str), D(x int, s str))",
    "intersection(A(x int, s str) | map(x is null as b), D(x int, s str) | map(x is null as b))",
    "union(A(x int, s str), D(x int, s str))",
    "semijoin(A(x int, s str), D(x int, s str); left.x = right.x)",
    "antijoin(A(x int, s str), D(x int, s str); left.x = right.x)",
    "fulljoin(A(x int, s str), B(y int, f float); x = y)",
    "leftjoin(A(x int, s str), B(y int, f float); x < y)",
    "A(x int, s str) | map(x / 2 as h, x mod 3 as m)",
    "A(x int, s str) | filter(not (x = 1 and s is distinct from 'a')) | map(-(x) as n, x in (1, 2, null:int) as i)",
    "A(x int, s str) | map(case when x > 0 then s else 'it''s' end as c, s like 'a!_%' escape '!' as l)".replace(
        "''", "\\'"
    ),
    "A(x int, s str) | map(true as t, 1.5 as f, 1e300 as g, -2 as n, inf as i, -inf as j, nan as k)",
    "A(x int, s str) | total(count(x) as n, min(s) as a, max(x) as b, var_pop(x) as v, stddev_pop(x) as d)",
    "product(A(x int, s str), B(y int, f float)) | rstream",
    "rightjoin(A(x int, s str), B(y int, f float); x = y)",
]


def in_duckdb(plan: Plan, tables: dict[str, Multiset]) -> Multiset:
    connection = duckdb.connect()
    for name, schema in plan.sources().items():
        columns = ", ".join(f'"{c.name}" {DUCKDB_TYPES[c.type]}' for c in schema.columns)
        connection.execute(f'CREATE TABLE "{name}" ({columns})')
        for row in tables[name]:
            connection.execute(f'INSERT INTO "{name}" VALUES ({", ".join("?" * len(row))})', list(row))
    text = standard_sql(plan)
    assert text is not None
    return Multiset(plan.schema.row(row, "row") for row in connection.execute(text).fetchall())


def check_snapshots(plan: Plan, seed: object) -> int:
    """Compare the snapshots of one random case; how many of them held a row?"""
    case = choose_case(SeededChoices(f"standard/{seed}"), plan.sources(), awkward=False)
    expected = evaluate(plan, case, 6).snapshots
    inputs = {name: evaluate(Source(name, schema), case, 6).snapshots for name, schema in plan.sources().items()}
    for t in range(0, 6, 2):
        found = in_duckdb(plan, {name: snapshots[t] for name, snapshots in inputs.items()})
        assert close(expected[t], found, 1e-9), f"{show(plan)}\n{standard_sql(plan)}\n{expected[t]}\n{found}"
    return sum(map(bool, expected[::2]))


@pytest.mark.parametrize("text", PLANS)
def test_each_operator_means_the_same_in_duckdb(text: str) -> None:
    assert sum(check_snapshots(parse_plan(text), seed) for seed in range(3)) > 0


def test_random_plans_mean_the_same_in_duckdb() -> None:
    seen = 0
    for seed in range(30):
        plan = choose_plan(SeededChoices(seed), depth=2, awkward=False)
        if standard_sql(plan) is None:
            continue
        try:
            seen += check_snapshots(plan, seed)
        except ArithmeticOverflow:
            continue
    assert seen > 4


@pytest.mark.parametrize(
    "text", ["A(x int) | window(rows 2)", "A(x int) | istream", "A(x int) | aggregate(top(x, 2) as y)"]
)
def test_what_standard_sql_cannot_say_has_no_text(text: str) -> None:
    assert standard_sql(parse_plan(text)) is None
