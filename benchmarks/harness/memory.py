"""Does a session over an endless stream keep its memory? Three queries over 5·10⁷ elements, a window of 1,000 each.

The first tenth warms up. The peer of the row is the session's own second tenth, its time multiplied; `rss_mb` are the
megabytes of the process after every tenth, `held` the elements in all operators.
"""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.harness.duel import Row, Say
from semantics import Query, Schema, Type, col, count, source, sum_

SIZE = 5 * 10**7
BATCH = 10**5
TENTHS = 10
ALLOWED_GROWTH = 1.1
"""Up to this factor, more memory than after the first tenth does not count as a leak."""


def queries() -> dict[str, Query]:
    """A join, a grouping and a distinct, all over windows of one raw stream."""
    a = source("A", k=int, v=int).window(1000)
    other = source("B", l=int, w=int).window(1000)
    return {
        "join": a.join(other, col("k") == col("l")),
        "grouping": a.group_by("k").aggregate(total=sum_("v"), n=count()),
        "distinct": a.select("k").distinct(),
    }


def memory(size: int, say: Say) -> Row:
    """Push this many elements, half of them to each source, and measure the memory of the process."""
    begin, marks, rss, held, results = time.perf_counter(), [], [], [], 0
    for done, found, state in pushed(size):
        marks.append(time.perf_counter() - begin)
        rss.append(resident_mb())
        held.append(state)
        results += found
        say(f"memory: {done:,} elements, {rss[-1]:.0f} MB, {held[-1]:,} held, {results:,} results")
    took, first = marks[-1] - marks[0], (marks[1] - marks[0]) * (TENTHS - 1)
    return {
        "name": "memory", "size": size, "ours_s": took, "peer": "its second tenth", "peer_s": first,
        "ratio": first / took, "goal": 1 / 1.3, "cpu_ratio": first / took, "special": "", "limit_s": 0.0,
        "noise": 0.0, "rss_mb": rss, "held": held, "flat": rss[-1] <= ALLOWED_GROWTH * rss[0],
    }  # fmt: skip


def pushed(size: int) -> Iterator[tuple[int, int, int]]:
    """After every tenth: how many elements went in, how many results came out since, and how many are held."""
    from physical import Session

    schemas = {name: node.schema for name, node in (("A", source("A", k=int, v=int)), ("B", source("B", l=int, w=int)))}
    session, counts, done = Session(schemas, raw=("A", "B")), [0], 0
    for name, query in queries().items():
        session.add(name, query)
        session.subscribe(name, lambda batch: counts.append(counts.pop() + len(batch)))
    for tenth in range(1, TENTHS + 1):
        while done < size * tenth // TENTHS:
            for name in schemas:
                session.push(name, batch(name, schemas[name], done // 2))
            done += 2 * BATCH
        yield done, counts[0], session.state.elements
        counts[0] = 0


def batch(name: str, schema: Schema, first: int) -> Any:
    """One element per instant, from the first on."""
    from physical.columns.column import ColumnVector
    from physical.columns.stream import PhysicalStream

    random = np.random.default_rng([first, ord(name)])
    start = np.arange(first, first + BATCH, dtype=np.int64)
    columns = (
        ColumnVector(Type.INT, random.integers(0, 10**4, BATCH)),
        ColumnVector(Type.INT, random.integers(0, 10**6, BATCH)),
    )
    return PhysicalStream(schema, columns, start, start + 1)


def resident_mb() -> float:
    """The memory of this process as the system sees it (Linux)."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096 / 2**20
