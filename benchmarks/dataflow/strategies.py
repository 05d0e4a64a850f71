"""Alternative strategies: how long 10⁵ tuples take by the number of queries, in batches of 10³."""

from collections.abc import Callable
from itertools import pairwise
from statistics import median

from benchmarks.dataflow.batches import ranges
from benchmarks.dataflow.nets import VALUES, between, in_batches, run, stream, wired
from benchmarks.dataflow.shape import Claim
from physical.engines.dataflow.query_net import Setting
from physical.engines.dataflow.sharing import STRATEGIES
from semantics.builder.query import Query

BATCH = 1_000
QUERIES = (2, 8, 32, 128)
BATCHES_MEASURED = 40
WARM_UP_BATCHES = 3
RUNS = 3
Times = dict[str, dict[int, float]]
"""Per strategy and number of queries, the seconds."""


def disjoint(queries: int) -> list[Query]:
    """Queries that together select everything, each another range."""
    edges = [VALUES * i // queries for i in range(queries + 1)]
    return [between(low, high) for low, high in pairwise(edges)]


def times(size: int, make: Callable[[int], list[Query]]) -> Times:
    """The best of some runs; strategies take turns, so that a busy machine hits them alike."""
    found: Times = {strategy.name: {} for strategy in STRATEGIES}
    for queries in QUERIES:
        runs = [
            {s.name: seconds(size, Setting(s, "query", BATCH), make(queries)) for s in STRATEGIES} for _ in range(RUNS)
        ]
        for name, row in found.items():
            row[queries] = min(run[name] for run in runs)
    return found


def seconds(size: int, setting: Setting, queries: list[Query]) -> float:
    """The typical time of a batch, for all batches."""
    found = run(wired(queries, setting), in_batches(stream(size), BATCH, BATCHES_MEASURED))
    return median(found[WARM_UP_BATCHES:]) * (size / BATCH)


def tables(size: int) -> dict[str, Times]:
    return {"random ranges of 10 %": times(size, ranges), "disjoint ranges": times(size, disjoint)}


def claims(found: dict[str, Times]) -> list[Claim]:
    return [claim for name, rows in found.items() for claim in _of_table(name, rows)]


def _of_table(name: str, rows: Times) -> list[Claim]:
    separate, shared, partial = (rows[strategy.name] for strategy in STRATEGIES)
    said = []
    for q in QUERIES:
        measured = f"separate {separate[q]:.3f} s, shared {shared[q]:.3f} s, partial {partial[q]:.3f} s"
        said.append(
            Claim(f"{name}, {q} queries: shared is faster than partial deletes", measured, shared[q] < partial[q])
        )
        said.append(
            Claim(
                f"{name}, {q} queries: both are faster than separate baskets",
                measured,
                max(shared[q], partial[q]) < separate[q],
            )
        )
    few, many = (separate[q] - shared[q] for q in (QUERIES[0], QUERIES[-1]))
    said.append(
        Claim(
            f"{name}: the more queries, the more is gained by sharing",
            f"{few:.3f} s with {QUERIES[0]}, {many:.3f} s with {QUERIES[-1]}",
            many > few,
        )
    )
    return said
