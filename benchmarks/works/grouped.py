"""SUM, COUNT, MIN, MAX, AVG per group and snapshot, against DuckDB and Polars.

All of them sort the 2n bounds by one number made of group and time. The running sum of all changes is then the sum
of the group at hand, because every group ends with nothing; sum and count share one number. In DuckDB windows
without ORDER BY over a sorted subquery stream. MIN and MAX cannot be undone by subtraction. Where one element is
valid they are its value, which is the sum.

DuckDB looks the other places up in a join by group and time bucket; if all elements live equally long, and no longer
than a bucket, each is in one bucket or in two. Tried at 10⁶ elements, in CPU seconds: MIN and MAX over a RANGE frame,
partitioned by group, 1.6; cuts joined with all elements and grouped 1.1; each bucket that an element touches, for any
intervals, 0.65; one or two 0.63. SUM, COUNT, AVG alone: windows partitioned by group 1.1; one ordered window 0.67;
streaming 0.47.

Polars does the same join, for any intervals, in 0.5; with equal validities it has windows by a range of the sorting
number: 0.38.
"""

from typing import Any

from benchmarks.harness.data import uniform
from benchmarks.harness.table import Inputs
from benchmarks.harness.work import Run, Work
from benchmarks.peers.bears import Frames, Polars, polars
from benchmarks.peers.duck import DuckDB
from semantics import avg, count, max_, min_, source, sum_

ONE = 1 << 40
"""One element in the running state, whose sum is in the lower 40 bits; also one group in the sorting number."""

LOW_40_BITS = ONE - 1
SQL = f"""
WITH bounds AS (
    SELECT (g << 40) | _start AS point, v + {ONE} AS change FROM A
    UNION ALL
    SELECT (g << 40) | _end, -v - {ONE} FROM A),
swept AS (
    SELECT point, lead(point) OVER () AS next, (sum(change) OVER (ROWS UNBOUNDED PRECEDING))::BIGINT AS state
    FROM (SELECT * FROM bounds ORDER BY point)),
pieces AS MATERIALIZED (
    SELECT point >> 40 AS g, point & {LOW_40_BITS} AS _start, next & {LOW_40_BITS} AS _end,
        state & {LOW_40_BITS} AS total, state >> 40 AS n
    FROM swept WHERE state > 0 AND point < next),
elements AS ({{elements}}),
crowded AS (
    SELECT P.g, P._start, any_value(P._end) AS _end, any_value(total) AS total, any_value(n) AS n,
           min(v) AS low, max(v) AS high
    FROM (SELECT *, _start >> {{bits}} AS bucket FROM pieces WHERE n > 1) P
    JOIN elements E ON E.g = P.g AND E.bucket = P.bucket AND E._start <= P._start AND P._start < E._end
    GROUP BY P.g, P._start)
SELECT g, total, n, total AS low, total AS high, total / n AS mean, _start, _end FROM pieces WHERE n = 1
UNION ALL
SELECT g, total, n, low, high, total / n, _start, _end FROM crowded
"""


ANY = "SELECT *, unnest(range(_start >> {bits}, ((_end - 1) >> {bits}) + 1)) AS bucket FROM A"
SHORT = """
    SELECT *, _start >> {bits} AS bucket FROM A
    UNION ALL
    SELECT *, (_end - 1) >> {bits} FROM A WHERE (_end - 1) >> {bits} <> _start >> {bits}"""


def sql(elements: str, bits: int) -> str:
    """The query with buckets of 2^bits instants, and this way to put elements into buckets."""
    return SQL.format(bits=bits, elements=elements.format(bits=bits))


def in_polars(frames: Frames, bits: int) -> Any:
    """Sums and counts from one sorted frame of bounds, extremes by a join of what is crowded with its bucket."""
    pl, a = polars(), frames["A"]
    point, change, state, bucket = pl.col("point"), pl.col("change"), pl.col("state"), 1 << bits
    group, value = pl.col("g") * ONE, pl.col("v") + ONE
    starts = a.select(point=group + pl.col("_start"), change=value)
    ends = a.select(point=group + pl.col("_end"), change=-value)
    swept = pl.concat([starts, ends]).sort("point").select(point, next=point.shift(-1), state=change.cum_sum())
    pieces = swept.filter((state > 0) & (point < pl.col("next"))).select(
        g=point // ONE,
        total=state & LOW_40_BITS,
        n=state // ONE,
        _start=point & LOW_40_BITS,
        _end=pl.col("next") & LOW_40_BITS,
    )
    cells = pl.int_ranges(pl.col("_start") // bucket, (pl.col("_end") - 1) // bucket + 1)
    elements = a.select("g", "v", since="_start", until="_end", bucket=cells).explode("bucket")
    crowded = pieces.filter(pl.col("n") > 1).with_columns(bucket=pl.col("_start") // bucket)
    met = crowded.join(elements, on=["g", "bucket"]).filter(pl.col("_start").is_between("since", pl.col("until") - 1))
    found = met.group_by("g", "_start").agg(pl.first("total", "n", "_end"), low=pl.min("v"), high=pl.max("v"))
    alone = pieces.filter(pl.col("n") == 1).with_columns(low=pl.col("total"), high=pl.col("total"))
    return pl.concat([alone, found.select(alone.columns)]).with_columns(mean=pl.col("total") / pl.col("n"))


def in_polars_equal(frames: Frames, length: int) -> Any:
    """Every aggregate from one sorted frame of bounds."""
    pl, a = polars(), frames["A"]
    point, change, state, window = pl.col("point"), pl.col("change"), pl.col("state"), f"{length}i"
    group, value = pl.col("g") * ONE, pl.col("v") + ONE
    starts = a.select(point=group + pl.col("_start"), change=value)
    ends = a.select(point=group + pl.col("_end"), change=-value)
    swept = pl.concat([starts, ends]).sort("point").select(
        point,
        next=point.shift(-1),
        state=change.cum_sum(),
        low=pl.when(change > 0).then(change).otherwise(2 * ONE).rolling_min_by("point", window, closed="right") - ONE,
        high=change.rolling_max_by("point", window, closed="right") - ONE,
    )  # fmt: skip
    pieces = swept.filter((state > 0) & (point < pl.col("next")))
    total, n = state & LOW_40_BITS, state // ONE
    bounds = {"_start": point & LOW_40_BITS, "_end": pl.col("next") & LOW_40_BITS}
    return pieces.select("low", "high", g=point // ONE, total=total, n=n, mean=total / n, **bounds)


def grouped(groups: int = 10**4, length: int = 1000, values: int = 10**6) -> Work:
    """One stream of groups and values."""

    def inputs(size: int) -> Inputs:
        return {"A": uniform(size, 1, length=length, g=groups, v=values)}

    bits = max(length.bit_length(), groups.bit_length() - 2)
    equal = "all elements live equally long"
    peers = (
        DuckDB(sql(ANY, bits)),
        Polars(lambda frames: in_polars(frames, bits), shown=in_polars),
        DuckDB(sql(SHORT, bits), "DuckDB hand-packed", special=equal),
        Polars(lambda frames: in_polars_equal(frames, length), in_polars_equal, "Polars hand-packed", special=equal),
    )
    aggregates = {"total": sum_("v"), "n": count(), "low": min_("v"), "high": max_("v"), "mean": avg("v")}
    plan = source("A", g=int, v=int).group_by("g").aggregate(**aggregates)
    return Work("grouped", Run(plan), inputs, peers, goal=3)
