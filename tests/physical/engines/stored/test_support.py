"""The table of operators in docs/engines/storage.md says what the engine does."""

import pytest

from equivalence.cases.random_plans import OPERATORS
from physical.engine import ENGINES
from physical.engines.stored.operator_state import StateStores
from physical.runtime.run_whole import run_whole
from semantics import parse, parse_plan
from tests.paths import ROOT

A, B = "A(x int)", "B(x int)"
PLANS = {
    "Filter": f"{A} | filter(x > 0)",
    "Map": f"{A} | map(x as x)",
    "Rstream": f"{A} | rstream",
    "TimeWindow": f"{A} | window(range 2)",
    "LandmarkWindow": f"{A} | window(landmark 1)",
    "Product": f"product({A}, {B} | map(x as y))",
    "Join": f"join({A}, {B} | map(x as y); x = y)",
    "Aggregation": f"{A} | aggregate(sum(x) as s)",
    "Grouping": f"{A} | group(x; count(*) as n)",
    "Limit": f"{A} | limit(1; x)",
    "Distinct": f"{A} | distinct",
    "Difference": f"difference({A}, {B})",
    "Intersection": f"intersection({A}, {B})",
    "Semijoin": f"semijoin({A}, {B}; left.x = right.x)",
    "Antijoin": f"antijoin({A}, {B}; left.x = right.x)",
    "LeftJoin": f"leftjoin({A}, {B} | map(x as y); x = y)",
    "RightJoin": f"rightjoin({A}, {B} | map(x as y); x = y)",
    "FullJoin": f"fulljoin({A}, {B} | map(x as y); x = y)",
    "Istream": f"{A} | istream",
    "Dstream": f"{A} | dstream",
    "CountWindow": f"{A} | window(rows 2)",
    "PartitionedWindow": f"{A} | window(partition by x rows 2)",
    "SessionWindow": f"{A} | window(session 2)",
    "Over": f"{A} | over(lag(x, 1) as before)",
    "Union": f"union({A}, {B})",
}
SOURCES = {name: parse("raw(x int): (1)@0 (2)@1 (1)@3") for name in "AB"}


def table() -> dict[str, tuple[str, str]]:
    """For every operator whether it is supported, and where its state is."""
    text = (ROOT / "docs" / "engines" / "storage.md").read_text(encoding="utf-8")
    lines = text.split("| operator | supported | state in stores |\n|---|---|---|\n")[1].split("\n\n")[0].splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {name: (supported, state) for names, supported, state in rows for name in names.split(", ")}


def test_the_table_has_every_operator() -> None:
    assert set(table()) == set(PLANS) == {operator.__name__ for operator in OPERATORS}


@pytest.mark.parametrize("name", PLANS)
def test_the_table_says_what_is_supported_and_what_is_in_stores(name: str) -> None:
    supported, state = table()[name]
    plan, stores = parse_plan(PLANS[name]), StateStores()
    run_whole(stores.algebra, plan, SOURCES, 9)
    assert (supported == "yes") == ENGINES["stored"].supports(plan)
    assert (state not in ("none is kept", "no, in memory")) == bool(stores.stores)
