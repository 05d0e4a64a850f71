"""Intersection (INTERSECT ALL) per snapshot, against DuckDB.

As for the difference, but both multiplicities are needed: they share one running sum. What a bound changes stands in
the lowest two bits of the number that is sorted, so nothing else is moved. Tried at 10⁶ elements a side, in CPU
seconds: the change as a second column 1.0, this one 0.74.
"""

from benchmarks.harness.data import uniform
from benchmarks.harness.table import Inputs
from benchmarks.harness.work import Run, Work
from benchmarks.peers.duck import DuckDB
from semantics import source

LOW_40_BITS = (1 << 40) - 1
ONE = 1 << 32
"""One element of the right stream; elements of the left one count 1."""

SQL = f"""
WITH bounds AS (
    SELECT (k << 42) | (_start << 2) | 1 AS bound FROM A
    UNION ALL SELECT (k << 42) | (_end << 2) FROM A
    UNION ALL SELECT (k << 42) | (_start << 2) | 3 FROM B
    UNION ALL SELECT (k << 42) | (_end << 2) | 2 FROM B),
swept AS (
    SELECT bound >> 2 AS point, lead(bound) OVER () >> 2 AS next,
           (sum(CASE bound & 3 WHEN 0 THEN -1 WHEN 1 THEN 1 WHEN 2 THEN -{ONE} ELSE {ONE} END)
            OVER (ROWS UNBOUNDED PRECEDING))::BIGINT AS state
    FROM (SELECT * FROM bounds ORDER BY bound)),
counted AS (SELECT point, next, least(state & {ONE - 1}, state >> 32) AS n FROM swept WHERE point < next)
SELECT point >> 40 AS k, point & {LOW_40_BITS} AS _start, next & {LOW_40_BITS} AS _end, n AS _count
FROM counted WHERE n > 0
"""


def intersection(rows: int = 1000, length: int = 1000) -> Work:
    """Two streams of the same size; by default every row is there once on average, on either side, at any time."""

    def inputs(size: int) -> Inputs:
        return {"A": uniform(size, 1, length=length, k=rows), "B": uniform(size, 2, length=length, k=rows)}

    task = Run(source("A", k=int).intersection(source("B", k=int)))
    return Work("intersection", task, inputs, (DuckDB(SQL),), goal=3)
