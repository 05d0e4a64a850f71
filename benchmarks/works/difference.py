"""Difference (EXCEPT ALL) per snapshot, against DuckDB.

The running sum of changes, those of the right stream negated, is the multiplicity of the difference where it is
positive. The bounds are sorted by one number made of row and time; every row ends with nothing, so the sum needs no
partition. Tried at 10⁶ elements a side, in CPU seconds: windows partitioned by row 7.6, this one 0.85.
"""

from benchmarks.harness.data import uniform
from benchmarks.harness.table import Inputs
from benchmarks.harness.work import Run, Work
from benchmarks.peers.duck import DuckDB
from semantics import source

LOW_40_BITS = (1 << 40) - 1
SQL = f"""
WITH bounds AS (
    SELECT (k << 40) | _start AS point, 1 AS change FROM A
    UNION ALL SELECT (k << 40) | _end, -1 FROM A
    UNION ALL SELECT (k << 40) | _start, -1 FROM B
    UNION ALL SELECT (k << 40) | _end, 1 FROM B),
swept AS (
    SELECT point, lead(point) OVER () AS next, (sum(change) OVER (ROWS UNBOUNDED PRECEDING))::BIGINT AS n
    FROM (SELECT * FROM bounds ORDER BY point))
SELECT point >> 40 AS k, point & {LOW_40_BITS} AS _start, next & {LOW_40_BITS} AS _end, n AS _count
FROM swept WHERE n > 0 AND point < next
"""


def difference(rows: int = 1000, length: int = 1000) -> Work:
    """Two streams of the same size; by default every row is there once on average, on either side, at any time."""

    def inputs(size: int) -> Inputs:
        return {"A": uniform(size, 1, length=length, k=rows), "B": uniform(size, 2, length=length, k=rows)}

    task = Run(source("A", k=int).difference(source("B", k=int)))
    return Work("difference", task, inputs, (DuckDB(SQL),), goal=3)
