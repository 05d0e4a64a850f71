"""Equivalence of two streams, against DuckDB and Polars.

No canonical form is needed: two streams are equivalent iff per row and instant the starts of one and the ends of the
other are as many as the other way round. The streams are equivalent, so nobody gets away early. Tried at 10⁶
elements, the second stream having half of them cut in two, in CPU seconds: DuckDB with a full join of counts 1.3,
sorted and swept 1.1, as two sorted lists 1.0, with EXCEPT ALL 1.0, grouped 0.93 (but 16 at 10⁷), two sorted columns
side by side 0.75 (7.5 at 10⁷); Polars grouped 0.31, two sorted series 0.12.
"""

from benchmarks.harness.data import cut_in_two, uniform
from benchmarks.harness.table import Inputs
from benchmarks.harness.work import Equivalence, Work
from benchmarks.peers.bears import Frames, Polars, polars
from benchmarks.peers.duck import DuckDB
from semantics import source

LOW_40_BITS = (1 << 40) - 1
SQL = """
WITH coming AS (SELECT (k << 40) | _start AS point FROM A UNION ALL SELECT (k << 40) | _end FROM B),
going AS (SELECT (k << 40) | _end AS point FROM A UNION ALL SELECT (k << 40) | _start FROM B)
SELECT count(*) = 0 AS equivalent
FROM (SELECT * FROM coming ORDER BY point) C POSITIONAL JOIN (SELECT * FROM going ORDER BY point) G
WHERE C.point IS DISTINCT FROM G.point
"""


def in_polars(frames: Frames) -> bool:
    """Starts of A with ends of B, and ends of A with starts of B, both sorted."""
    pl, a, b = polars(), frames["A"], frames["B"]
    left, right = a["k"] * (LOW_40_BITS + 1), b["k"] * (LOW_40_BITS + 1)
    coming = pl.concat([left + a["_start"], right + b["_end"]]).sort()
    going = pl.concat([left + a["_end"], right + b["_start"]]).sort()
    return bool((coming == going).all())


def equivalence(rows: int = 1000, length: int = 1000) -> Work:
    """A stream, and the same with half its elements cut in two."""

    def inputs(size: int) -> Inputs:
        whole = uniform(size, 1, length=length, k=rows)
        return {"A": whole, "B": cut_in_two(whole, 2)}

    task = Equivalence(source("A", k=int), source("B", k=int))
    return Work("equivalence", task, inputs, (DuckDB(SQL), Polars(in_polars)), goal=3)
