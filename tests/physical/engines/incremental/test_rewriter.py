"""The rewriter: the class of every operator, what is pushed below a merge, and what the docs say of both."""

import re

import pytest

from equivalence.cases.random_plans import OPERATORS
from physical.engine import ENGINES
from physical.engines.incremental.operator_classes import OperatorClass
from physical.engines.incremental.rewriter import explain, pushed, rewritten
from semantics import parse_plan, show
from tests.paths import ROOT

PAGE = (ROOT / "docs" / "engines" / "incremental.md").read_text(encoding="utf-8")
W = "S(x int, f float) | window(range 60 slide 10)"
V = "T(y int, g float) | window(range 60 slide 10)"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (f"{W} | filter(x > 1)", OperatorClass.CONCATENATION),
        (f"{W} | map(x + 1 as y)", OperatorClass.CONCATENATION),
        (f"union({W}, {V})", OperatorClass.CONCATENATION),
        (f"{W} | rstream", OperatorClass.CONCATENATION),
        (f"{W} | distinct", OperatorClass.COMPENSATION),
        (f"difference({W}, {V})", OperatorClass.COMPENSATION),
        (f"intersection({W}, {V})", OperatorClass.COMPENSATION),
        (f"{W} | aggregate(sum(x) as s)", OperatorClass.COMPENSATION),
        (f"{W} | aggregate(avg(x) as s)", OperatorClass.EXPANSION),
        (f"{W} | aggregate(sum(x) as s, max(f) as m)", OperatorClass.SYNCHRONOUS),
        (f"{W} | group(x; sum(f) as s)", OperatorClass.SYNCHRONOUS),
        (f"{W} | aggregate(top(x, 3) as s)", OperatorClass.COMPENSATION),
        (f"{W} | aggregate(median(x) as s)", OperatorClass.AFTER),
        (f"{W} | distinct | map(x + 1 as y)", OperatorClass.AFTER),
        (f"join({W}, {V}; x = y)", OperatorClass.GRID),
        (f"product({W}, {V})", OperatorClass.GRID),
        (f"leftjoin({W}, {V}; x = y)", OperatorClass.GRID_COMPENSATION),
        (f"antijoin({W}, {V}; x = y)", OperatorClass.GRID_COMPENSATION),
        (f"{W} | istream", OperatorClass.CHANGES),
        ("S(x int) | window(landmark 3)", OperatorClass.CUMULATIVE),
        ("S(x int) | window(range unbounded)", OperatorClass.CUMULATIVE),
        ("S(x int)", OperatorClass.SPLIT),
    ],
)
def test_the_class_of_an_operator(text: str, kind: OperatorClass) -> None:
    assert rewritten(parse_plan(text)).kind is kind


@pytest.mark.parametrize(
    ("window", "detail"),
    [
        ("range 60 slide 10", "n = 6, each of 10 instants"),
        ("range 50 slide 15", "n = 7, of 5 and 10 instants by turns"),
        ("range 5 slide 15", "n = 1, of 5 instants"),
        ("range 60", "at most 60, one for every instant with elements"),
        ("rows 60 slide 20", "n = 3, each of 20 rows"),
        ("partition by x rows 3", "one for every set of rows that come and go together"),
    ],
)
def test_how_a_window_is_split(window: str, detail: str) -> None:
    assert rewritten(parse_plan(f"S(x int) | window({window})")).detail == detail


def test_filters_go_below_a_merge_where_they_test_the_same_rows() -> None:
    below = show(pushed(parse_plan(f"{W} | group(f, x; count(*) as n) | filter(x > 1)")))
    assert below == f"{W} | filter(x > 1) | group(f, x; count(*) as n)"


@pytest.mark.parametrize(
    "text",
    [
        f"{W} | group(x; count(*) as n) | filter(n > 1)",
        f"{W} | group(x; sum(x) as n) | filter(x > 1)",
        f"{W} | group(x; min(x + 1) as n) | filter(x > 1)",
    ],
    ids=["a filter of an aggregate", "a sum that may overflow", "an argument that may overflow"],
)
def test_filters_stay_above_a_merge_that_has_more_to_say(text: str) -> None:
    assert show(pushed(parse_plan(text))) == text


def test_what_is_above_a_merge_is_said_to_be() -> None:
    text = explain(parse_plan(f"join({W} | group(x; avg(f) as a) | filter(a > 1.0), {V}; x = y) | distinct"))
    assert [line.strip().split(" — ")[1].split(":")[0] for line in text.splitlines()] == [
        "after the merge", "after the merge", "after the merge", "expanding replication",
        "split into basic windows", "split into basic windows", "split into basic windows", "split into basic windows",
    ]  # fmt: skip


def table() -> dict[str, tuple[str, str]]:
    """Operator, support, class: as the page has it."""
    rows = re.findall(r"^\| `(\w+)` \| (\w+) \| ([^|]+) \|", PAGE, re.MULTILINE)
    return {operator: (support, kind.strip()) for operator, support, kind in rows}


def test_the_page_has_every_operator_and_no_other() -> None:
    assert set(table()) == {operator.__name__ for operator in OPERATORS}


@pytest.mark.parametrize(
    ("text", "operator"),
    [
        (f"{W} | filter(x > 1)", "Filter"),
        (f"{W} | distinct", "Distinct"),
        (f"difference({W}, {V})", "Difference"),
        (f"join({W}, {V}; x = y)", "Join"),
        (f"fulljoin({W}, {V}; x = y)", "FullJoin"),
        (f"{W} | dstream", "Dstream"),
        ("S(x int) | window(landmark 3)", "LandmarkWindow"),
        ("S(x int) | window(range 6 slide 2)", "TimeWindow"),
        ("S(x int) | window(rows 6)", "CountWindow"),
        ("S(x int)", "Source"),
    ],
)
def test_the_page_tells_the_class_and_the_support(text: str, operator: str) -> None:
    plan = parse_plan(text)
    if operator in table():
        assert table()[operator] == ("yes", str(rewritten(plan).kind))
    assert ENGINES["incremental"].supports(plan)
