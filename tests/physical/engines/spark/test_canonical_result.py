"""The canonical form of a plan's result: in its last stage if rows that are the same are together there, else after."""

from collections.abc import Callable
from dataclasses import replace
from itertools import cycle, islice
from unittest.mock import Mock

import pytest
from pyspark.sql import SparkSession

from physical import PhysicalStream
from physical.engines.spark import canonical_jobs as spark_canonical
from physical.engines.spark.canonical_jobs import canonical_result, last_stage
from physical.engines.spark.compile import Compiler
from physical.engines.spark.exchange import Spread
from physical.engines.spark.frame import Frame, to_frame
from physical.engines.spark.spark_session import session
from physical.engines.spark.stage import stage
from semantics import Interval, Plan, Schema, evaluate, parse_plan
from tests.physical.engines.spark.lookahead import asked_ahead

HORIZON = 40
EVEN = Spread(3, heaviest=None)
A, B = "A(k int, x float)", "B(k int, x float) | map(k as l, x as y)"
JOINED = f"join({A}, {B}; k = l)"
THERE = [
    f"{A} | group(k; sum(x) as s)",
    f"{A} | distinct",
    f"difference({A}, {A} | filter(x > 0.0))",
    f"{JOINED} | map(k as k, y as y)",
    f"{JOINED} | group(k; count(*) as n) | filter(n > 1)",
]
"""Rows that are the same are together in the last stage."""
AFTER = [
    f"{JOINED} | map(x as x, y as y)",
    f"{A} | group(k; count(*) as n) | map(n as n)",
    f"fulljoin({A}, {B}; k = l)",
    f"{A} | map(k as k)",
    f"{A} | total(count(*) as n)",
]
"""They are not, or there is no such stage."""


def stream(seed: int, rows: int = 60) -> PhysicalStream:
    """Few keys, values with two zeros and a NaN, rows that overlap and meet."""
    values = islice(cycle([0.0, 1.0, -0.0, float("nan"), 1.0, None]), seed, seed + rows)
    lengths = cycle([3, 1, 5])
    elements = [((i * seed % 4, x), Interval(i // 2, i // 2 + next(lengths))) for i, x in enumerate(values)]
    return PhysicalStream.from_elements(Schema.of(k=int, x=float), elements)


def frames(spark: SparkSession) -> dict[str, Frame]:
    return {"A": to_frame(spark, stream(1)), "B": to_frame(spark, stream(3))}


def runs(plan: Plan, spread: Spread = EVEN) -> list[str]:
    found = canonical_result(plan, Compiler(frames(session()), spread, HORIZON)).runs.collected()
    return sorted(repr(element) for element in found.to_interval().elements)


def expected(plan: Plan) -> list[str]:
    streams = {"A": stream(1).to_interval(), "B": stream(3).to_interval()}
    result = PhysicalStream.of(evaluate(plan, streams, HORIZON))
    return sorted(repr(((*row, n), span)) for row, span, n in result.canonical().to_runs())


answered = asked_ahead(lambda text: runs(parse_plan(text)), [*THERE, *AFTER])


@pytest.mark.parametrize("text", [*THERE, *AFTER])
def test_oracle_runs_are_whole(answered: Callable[[str], list[str]], text: str) -> None:
    assert answered(text) == expected(parse_plan(text))
    assert len(answered(text)) > 10


@pytest.mark.parametrize("text", [*THERE, *AFTER])
def test_only_what_keeps_its_keys_is_done_there(text: str) -> None:
    assert (last_stage(parse_plan(text)) is not None) == (text in THERE)


@pytest.mark.usefixtures("spark")
def test_a_planted_fault_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows are taken apart by a key that they have lost: what is the same is in several places."""
    plan = parse_plan(f"{A} | group(k; count(*) as n) | map(n as n)")
    monkeypatch.setattr(spark_canonical, "last_stage", lambda plan: replace(stage(plan), over_time=False))
    assert runs(plan) != expected(plan)


@pytest.mark.usefixtures("spark")
def test_a_heavy_key_is_still_cut_over_time(monkeypatch: pytest.MonkeyPatch) -> None:
    after = Mock(wraps=spark_canonical.canonical)
    monkeypatch.setattr(spark_canonical, "canonical", after)
    plan = parse_plan(f"{A} | group(k; sum(x) as s)")
    assert runs(plan, Spread(3, heaviest=0.5)) == expected(plan)
    after.assert_called_once()
