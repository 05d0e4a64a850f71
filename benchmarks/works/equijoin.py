"""Equijoin of two streams, window 1,000: key equality and overlap, against DuckDB.

Three queries, tried at 10⁶ elements in CPU seconds with 10⁴ and 10⁵ keys:

- what a user would write, a hash join on the key with the overlap as a filter: 2.4 and 0.56. The overlap as a range
  join (IEJoin) takes 10 at 10⁵ elements already.
- valid for any intervals: every element goes into each time bucket that it touches, and pairs meet in the bucket where
  the later one starts: 0.41 and 0.37; buckets of 2¹³ instants are the best of 2¹¹ … 2¹⁵.
- hand-packed, for this data only: all elements live equally long, so a bucket that is at least two validities long
  needs one look or two, and key and bucket share one number: 0.22 and 0.15.
"""

from benchmarks.harness.data import uniform
from benchmarks.harness.table import Inputs
from benchmarks.harness.work import Run, Work
from benchmarks.peers.duck import DuckDB
from semantics import col, source

PLAIN = """
SELECT k, x, l, y, greatest(A._start, B._start) AS _start, least(A._end, B._end) AS _end
FROM A JOIN B ON k = l AND A._start < B._end AND B._start < A._end
"""

BUCKETS = """
WITH P AS (SELECT *, unnest(range(_start >> 13, ((_end - 1) >> 13) + 1)) AS bucket FROM A),
Q AS (SELECT *, unnest(range(_start >> 13, ((_end - 1) >> 13) + 1)) AS bucket FROM B)
SELECT k, x, l, y, greatest(P._start, Q._start) AS _start, least(P._end, Q._end) AS _end
FROM P JOIN Q ON k = l AND P.bucket = Q.bucket AND P._start < Q._end AND Q._start < P._end
WHERE P.bucket = greatest(P._start, Q._start) >> 13
"""

PACKED = """
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

MAX_PAIRS = 4 * 10**9
"""Pairs with equal keys that the plain join can test in a minute or two."""


def packed(keys: int, length: int) -> str:
    """Buckets of 2^bits instants, such that a bucket holds half an element per key, or is two validities long."""
    bits = max((2 * length).bit_length(), keys.bit_length() - 2)
    bucket = 1 << bits
    return PACKED.format(bits=bits, bucket=bucket, length=length, first=bucket - length + 1, last=bucket + length - 1)


def equijoin(keys: int, length: int = 1000, values: int = 10**6) -> Work:
    """Two streams of the same size with the same keys."""

    def inputs(size: int) -> Inputs:
        return {
            "A": uniform(size, 1, length=length, k=keys, x=values),
            "B": uniform(size, 2, length=length, l=keys, y=values),
        }

    query = source("A", k=int, x=int).join(source("B", l=int, y=int), col("k") == col("l"))
    peers = (
        DuckDB(PLAIN, "DuckDB overlap join", largest=int((MAX_PAIRS * keys) ** 0.5)),
        DuckDB(BUCKETS, "DuckDB time buckets"),
        DuckDB(packed(keys, length), "DuckDB hand-packed", special="all elements live equally long; keys below 2²⁰"),
    )
    return Work(f"equijoin/{keys} keys", Run(query), inputs, peers, goal=10)
