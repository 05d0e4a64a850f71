"""Distinct per snapshot, against DuckDB.

Of every element that part is new which lies behind the latest end so far of its row; rows are in the high bits of one
number, so the running maximum needs no partition. If all elements are valid for the same time, a row is there from each
start to its end or to the next start of the same row. Tried at 10⁶ elements, in CPU seconds: running counts over 2n
bounds 0.44, lead() partitioned by row 0.31, the running maximum 0.30, with equal validities 0.15.
"""

from benchmarks.harness.data import uniform
from benchmarks.harness.table import Inputs
from benchmarks.harness.work import Run, Work
from benchmarks.peers.duck import DuckDB
from semantics import source

LOW_40_BITS = (1 << 40) - 1
SQL = f"""
WITH spans AS (SELECT (k << 40) | _start AS point, (k << 40) | _end AS stop FROM A ORDER BY point),
swept AS (SELECT point, stop, max(stop) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS reached FROM spans)
SELECT point >> 40 AS k, greatest(point, coalesce(reached, 0)) & {LOW_40_BITS} AS _start, stop & {LOW_40_BITS} AS _end
FROM swept WHERE reached IS NULL OR stop > reached
"""

EQUAL = f"""
WITH starts AS (SELECT (k << 40) | _start AS point FROM A ORDER BY point),
swept AS (SELECT point, lead(point, 1, {2**62}) OVER () AS next FROM starts)
SELECT point >> 40 AS k, point & {LOW_40_BITS} AS _start, least(point + {{length}}, next) & {LOW_40_BITS} AS _end
FROM swept WHERE point < next
"""


def distinct(rows: int = 1000, length: int = 1000) -> Work:
    """One stream; by default every row is there once on average, at any time."""

    def inputs(size: int) -> Inputs:
        return {"A": uniform(size, 1, length=length, k=rows)}

    task = Run(source("A", k=int).distinct())
    equal = DuckDB(EQUAL.format(length=length), "DuckDB hand-packed", special="all elements live equally long")
    peers = (DuckDB(SQL), equal)
    return Work("distinct", task, inputs, peers, goal=3)
