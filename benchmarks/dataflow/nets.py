"""Streams and queries of the experiments, and how a net runs them."""

from collections.abc import Sequence
from time import process_time

import numpy as np

from physical.columns.column import ColumnVector
from physical.columns.stream import PhysicalStream
from physical.engines.dataflow.query_net import QueryNet, Setting
from physical.kernels.types import ENDLESS
from physical.planning.planner import physical_plan
from semantics import Type, col, source
from semantics.builder.query import Query

S = source("S", created=int, a=int)
VALUES = 10_000
"""Values of the attribute are 0 … 9,999: a hundredth of a percent is one of them."""


def stream(size: int, seed: int = 0) -> PhysicalStream:
    """A stream of this many chronons with a uniformly distributed attribute."""
    values = np.random.default_rng(seed).integers(0, VALUES, size)
    at = np.arange(size, dtype=np.int64)
    return PhysicalStream(S.schema, (ColumnVector(Type.INT, at), ColumnVector(Type.INT, values)), at, at + 1)


def between(low: int, high: int) -> Query:
    """The elements whose attribute is in a range."""
    return S.filter((col("a") >= low) & (col("a") < high))


def chain(queries: int) -> Query:
    """A chain of queries each of which gives everything to the next one."""
    query = S
    for i in range(queries):
        query = query.filter(col("a") >= -i)
    return query


def wired(queries: Sequence[Query], setting: Setting) -> QueryNet:
    """A net of queries that is ready to run."""
    graph = QueryNet(setting)
    for query in queries:
        graph.add(physical_plan(query.plan, frozenset("S")))
    return graph


def run(graph: QueryNet, batches: Sequence[PhysicalStream]) -> list[float]:
    """Bring batch after batch; the seconds of the processor that each one takes until its results are delivered.

    One thread does it all, so on a machine without other work these are the seconds that pass.
    """
    seconds = []
    (inlet,) = graph.sources["S"]
    for batch in batches:
        begin = process_time()
        inlet.push(batch, 0)
        seconds.append(process_time() - begin)
    inlet.heartbeat(ENDLESS, 0, force=True)
    return seconds


def in_batches(whole: PhysicalStream, size: int, most: int | None = None) -> list[PhysicalStream]:
    """The stream in batches of this size, or the first ones of them."""
    count = -(-len(whole) // size)
    return [whole.take(np.s_[i * size : (i + 1) * size]) for i in range(count if most is None else min(count, most))]
