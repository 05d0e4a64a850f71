"""Equijoin of two streams, window 1,000: key equality and overlap, against DuckDB.

A partner starts within one validity before or after, and a bucket is at least two validities long, so every element
looks into one bucket or two; wider buckets mean fewer second looks, but more candidates in each. Tried at 10⁶ elements
and 10⁴ keys, in CPU seconds: hash join on the key with the overlap as a filter 3.2, three joins of neighbouring buckets
0.46, buckets by UNNEST 0.34, buckets with the ends carried along 0.18 … 0.22, this one 0.16 … 0.22. The overlap
as a range join (IEJoin) takes 10 at 10⁵ elements already.
"""

from benchmarks.data import uniform
from benchmarks.peers.duck import DuckDB
from benchmarks.table import Inputs
from benchmarks.work import Run, Work
from semantics import col, source

SQL = """
WITH probe AS (
    SELECT k, x, _start, ((_start + {first}) >> {bits} << 20) | k AS cell FROM A
    UNION ALL
    SELECT k, x, _start, ((_start + {last}) >> {bits} << 20) | k FROM A
    WHERE (_start + {first}) >> {bits} <> (_start + {last}) >> {bits}),
build AS (SELECT y, _start, ((_start + {bucket}) >> {bits} << 20) | l AS cell FROM B)
SELECT k, x, k AS l, y, greatest(P._start, Q._start) AS _start, least(P._start, Q._start) + {length} AS _end
FROM probe P JOIN build Q
ON P.cell = Q.cell AND P._start < Q._start + {length} AND Q._start < P._start + {length}
"""


def sql(keys: int, length: int) -> str:
    """Buckets of 2^bits instants, such that a bucket holds half an element per key, or is two validities long."""
    bits = max((2 * length).bit_length(), keys.bit_length() - 2)
    bucket = 1 << bits
    return SQL.format(bits=bits, bucket=bucket, length=length, first=bucket - length + 1, last=bucket + length - 1)


def equijoin(keys: int, length: int = 1000, values: int = 10**6) -> Work:
    """Two streams of the same size with the same keys."""

    def inputs(size: int) -> Inputs:
        return {
            "A": uniform(size, 1, length=length, k=keys, x=values),
            "B": uniform(size, 2, length=length, l=keys, y=values),
        }

    query = source("A", k=int, x=int).join(source("B", l=int, y=int), col("k") == col("l"))
    return Work(f"equijoin/{keys} keys", Run(query), inputs, (DuckDB(sql(keys, length)),), goal=10)
