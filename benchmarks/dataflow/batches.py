"""Batch processing: average latency of a tuple by the batch size, with separate baskets.

Tuples are created at a steady rate. A batch is complete when its last tuple is there, and is treated when the one
before is done; how long that takes is measured, so a run needs no waiting. Of very small batches only the first ones
are treated, and the others are taken to need as long.
"""

from random import Random
from statistics import median

import numpy as np

from benchmarks.dataflow.nets import VALUES, between, in_batches, run, stream, wired
from benchmarks.dataflow.shape import Claim, best
from physical.engines.dataflow.query_net import Setting
from physical.engines.dataflow.sharing import SEPARATE
from semantics.builder.query import Query

TUPLES_PER_SECOND = 22_000
"""Tuples a second: what the chapter's sensor could send at most."""
BATCHES = (1, 10, 100, 1_000, 10_000, 100_000)
QUERIES = (4, 16, 64)
BATCHES_MEASURED = 100
"""The batches of each size that are measured."""
WARM_UP_BATCHES = 3


def ranges(queries: int, seed: int = 0) -> list[Query]:
    """Queries that select random ranges of a tenth of all values."""
    random, width = Random(seed), VALUES // 10
    return [between(low, low + width) for low in (random.randrange(VALUES - width) for _ in range(queries))]


def latencies(size: int) -> dict[int, dict[int, float]]:
    """Per number of queries and batch size the average latency in seconds."""
    return {
        queries: {batch: latency(size, queries, batch) for batch in BATCHES if batch <= size} for queries in QUERIES
    }


def latency(size: int, queries: int, batch: int) -> float:
    graph = wired(ranges(queries), Setting(SEPARATE, "query", batch))
    seconds = run(graph, in_batches(stream(size), batch, BATCHES_MEASURED))
    typical = median(seconds[WARM_UP_BATCHES:] or seconds)
    return simulated(size, batch, [typical] * -(-size // batch))


def simulated(size: int, batch: int, service: list[float]) -> float:
    """The average time from a tuple's creation to its delivery.

    >>> simulated(4, 2, [0.0, 0.0]) == 0.5 / TUPLES_PER_SECOND
    True
    """
    created = np.arange(size) / TUPLES_PER_SECOND
    done, total = 0.0, 0.0
    for i, seconds in enumerate(service):
        own = created[i * batch : (i + 1) * batch]
        done = max(done, float(own[-1])) + seconds
        total += float((done - own).sum())
    return total / size


def claims(found: dict[int, dict[int, float]]) -> list[Claim]:
    return [claim for queries, row in found.items() for claim in _of_row(queries, row)]


def _of_row(queries: int, row: dict[int, float]) -> list[Claim]:
    ratio, least = row[1] / min(row.values()), best(row)
    last = max(row)
    return [
        Claim(
            f"{queries} queries: batches gain about three orders of magnitude (100 … 10,000)",
            f"× {ratio:,.0f}",
            100 <= ratio <= 10_000,
        ),
        Claim(
            f"{queries} queries: very large batches are worse again",
            f"{row[last] / row[least]:,.1f} × the best at {last:,}",
            row[last] > 1.1 * row[least],
        ),
        Claim(
            f"{queries} queries: the best batch size is about 10³ (100 … 10,000)", f"{least:,}", 100 <= least <= 10_000
        ),
    ]
