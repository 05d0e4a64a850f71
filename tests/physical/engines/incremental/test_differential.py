"""Thousands of rows, so that baskets and indexes grow and shrink: both engines against the interval engine."""

import numpy as np
import pytest

from physical.columns.column import ColumnVector, coded
from physical.columns.stream import PhysicalStream
from physical.engines.incremental.engine import IncrementalEngine, ReevaluationEngine
from physical.engines.interval.engine import IntervalEngine
from semantics import Type, parse_plan

S, T = "S(k int, x int, f float, s str)", "T(l int, y int, g float, r str)"
W, V = f"{S} | window(range 90 slide 15)", f"{T} | window(range 70 slide 20)"
PLANS = [
    f"{W} | filter(x > 20) | group(k; sum(x) as a, avg(f) as b, min(s) as c, count(distinct x) as d)",
    f"{W} | aggregate(median(x) as a, sum(f) as b, top(x, 3) as c)",
    f"{S} | window(range 50 slide 20) | total(count(*) as n, stddev_pop(x) as d)",
    f"{S} | window(rows 300 slide 50) | group(s; max(x) as a, count(f) as n)",
    f"{S} | window(partition by k rows 5) | distinct",
    f"{S} | window(landmark 40 reset 300) | group(k; count(*) as n, sum(f) as t)",
    f"join({W}, {V}; k = l) | aggregate(max(x) as a, avg(y) as b)",
    f"join({W}, {V}; k = l and x < y) | group(s; count(*) as n)",
    f"join({W}, {V}; s = r and k = l) | group(k; sum(y) as n)",
    f"leftjoin({W} | filter(x < 5), {V} | filter(y < 9); k = l)",
    f"antijoin({W}, {V} | filter(y < 4); k = l)",
    f"semijoin({W}, {V} | filter(y < 4); f < g)",
    f"difference({W} | map(k as a), {V} | map(l as a))",
    f"{W} | group(k; count(*) as n) | window(range 30 slide 30) | aggregate(sum(n) as m)",
]


def stream(text: str, seed: int, size: int = 2500) -> PhysicalStream:
    """Rows in bursts and silences, some of their values NULL."""
    draw = np.random.default_rng(seed)
    start = np.sort(draw.choice(np.concatenate([np.arange(0, 300), np.arange(520, 800)]), size))
    k, x, f = draw.integers(0, 40, size), draw.integers(0, 60, size), draw.integers(-50, 50, size) / 7
    words = np.array([f"w{i}" for i in draw.integers(0, 9, size)], object)
    nulls = [draw.random(size) < 0.9 for _ in range(2)]
    columns = (
        ColumnVector(Type.INT, k),
        ColumnVector(Type.INT, x * nulls[0], nulls[0]),
        ColumnVector(Type.FLOAT, f),
        coded(words, nulls[1]),
    )
    return PhysicalStream(parse_plan(text).schema, columns, start, start + 1)


@pytest.mark.parametrize("text", PLANS)
def test_differential_in_bulk(text: str) -> None:
    plan, sources = parse_plan(text), {"S": stream(S, 1), "T": stream(T, 2)}
    expected = IntervalEngine().run(plan, sources)
    assert len(expected) > 20
    for engine in (IncrementalEngine(), IncrementalEngine(chunks=4), ReevaluationEngine()):
        assert engine.run(plan, sources).equivalent(expected), engine.name
