"""Planted faults are shown on the smallest streams there are: nothing in them could be left out."""

from pathlib import Path

import pytest

from equivalence import check_engine
from equivalence.mutants import MUTANTS
from semantics import parse_plan

EXPECTED = Path(__file__).with_name("minimal_faults.txt")
ENGINES = {mutant.name: mutant.engine for mutant in MUTANTS}
PLANS = {
    "filter": "A(x int) | filter(x > 0)",
    "map": "A(x int, y int) | map(x as x)",
    "union": "union(A(x int), B(x int))",
    "product": "product(A(x int), B(y int))",
    "difference": "difference(A(x float), B(x float))",
    "intersection": "intersection(A(x float), B(x float))",
    "distinct": "A(x float) | distinct",
    "join": "join(A(x int), B(y int); x = y)",
    "semijoin": "semijoin(A(x int), B(y int); x = y)",
    "antijoin": "antijoin(A(x int), B(y int); x = y)",
    "left": "leftjoin(A(x int), B(y int); x = y)",
    "right": "rightjoin(A(x int), B(y int); x = y)",
    "full": "fulljoin(A(x int), B(y int); x = y)",
    "aggregation": "A(x int) | aggregate(sum(x) as s)",
    "total": "A(x int) | total(count(*) as n)",
    "grouping": "A(x int, y int) | group(x; sum(y) as s)",
    "time": "A(x int) | window(range 2 slide 2)",
    "count": "A(x int) | window(rows 2)",
    "ties": "A(x int) | window(rows 1 with ties)",
    "landmark": "A(x int) | window(landmark 1 reset 2)",
    "Istream": "A(x int) | istream",
    "Dstream": "A(x int) | dstream",
}
"""A plan for every operator; the first word of a mutant's name says which it is about."""


def smallest(name: str) -> str:
    verdict = check_engine(ENGINES[name], parse_plan(PLANS[name.split()[0].strip(":")]))
    return str(verdict.counterexample) if verdict.kind == "refuted" else verdict.kind


def expected() -> dict[str, str]:
    parts = [part.partition("\n") for part in EXPECTED.read_text(encoding="utf-8").split("## ")[1:]]
    return {name: text.strip() for name, _, text in parts}


@pytest.mark.parametrize("name", expected())
def test_the_smallest_streams_that_show_a_fault(name: str) -> None:
    assert smallest(name) == expected()[name]


def test_there_are_enough_of_them() -> None:
    assert len(expected()) >= 25
