"""Joins of neighbouring instants: windows over both sides, each pair when it begins; nothing is split into instants."""

import random

import pytest

from physical.engines.interval.run_plan import run
from physical.planning.planner import explain
from semantics import RawStream, Schema, parse_plan

A, B = Schema.of(x=int), Schema.of(y=int)


def joined(before: int, after: int) -> str:
    a = f"A(x int) | map(x as x, now as t) | window(range {before + 1})"
    b = f"B(y int) | map(y as y, now as u) | window(range {after + 1})"
    return f"join({a}, {b}; x = y) | filter(now = case when t >= u then t else u end)"


@pytest.mark.parametrize("seed", range(20))
def test_each_pair_of_neighbours_comes_once_when_the_later_row_does(seed: int) -> None:
    chance = random.Random(seed)
    before, after = chance.randrange(5), chance.randrange(5)
    times = [sorted(chance.randrange(20) for _ in range(12)) for _ in "AB"]
    lefts, rights = ([(chance.randrange(2), t) for t in side] for side in times)
    streams = {
        "A": RawStream(A, [((x,), t) for x, t in lefts]),
        "B": RawStream(B, [((y,), u) for y, u in rights]),
    }
    near = [(x, t, y, u) for x, t in lefts for y, u in rights if x == y and u - before <= t <= u + after]
    found = [(row, i.start, i.end) for row, i in run(parse_plan(joined(before, after)), streams).to_interval().elements]
    assert sorted(found) == sorted((pair, max(pair[1], pair[3]), max(pair[1], pair[3]) + 1) for pair in near)


def test_intervals_are_cut_where_the_pair_begins() -> None:
    text = explain(parse_plan(joined(10**9, 10**9)), frozenset({"A", "B"}))
    assert "cuts intervals where the comparisons with now change" in text
    assert "split" not in text
