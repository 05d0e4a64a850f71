"""Queries and canonical forms as lazy DataFrames."""

from collections.abc import Mapping

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f

from equivalence.dataframes.declare import Times
from equivalence.dataframes.query_over_dataframes import lazy_spread, over_dataframes, plan_that_runs
from equivalence.dataframes.result_frames import result_frame
from equivalence.dataframes.streaming import Arrival, streaming_result
from physical.engines.spark.canonical_jobs import canonical_of_counted, canonical_result
from physical.engines.spark.compile import Compiler
from physical.engines.spark.frame import END, START, Frame, names
from physical.engines.spark.supported import check_supported
from physical.engines.spark.worker_python import by_this_python
from physical.files.layout import COUNT
from physical.kernels.types import ENDLESS
from semantics import SnapeqError


@by_this_python()
def sql(
    query: str,
    inputs: Mapping[str, DataFrame],
    *,
    time: Times | None = None,
    horizon: int | None = None,
    partitions: int | None = None,
    timestamps: bool = False,
    slack: int = 0,
    ahead: int | None = None,
    allow_unbounded: bool = False,
    optimize: bool = True,
    skewed: bool = False,
) -> DataFrame:
    """The result of a query over DataFrames, as a DataFrame in the same session; no job runs until it is used.

    It has the query's columns, and `_start`, `_end` and `_count`: the row is valid this often from the start until just
    before the end, which is NULL if it never ends. Every run of one count is one row. Instants are numbers of the
    query's time unit since 1970, or TIMESTAMP columns with `timestamps`.

    An input that no CREATE statement declares is what its columns say: with `_start` and `_end` a stream of intervals,
    with a single TIMESTAMP a stream in its order, without times a table. `time` names the time column of an input, or
    says None for a table. `partitions` are as many as `spark.sql.shuffle.partitions` says, unless a number is given.

    If an input is a streaming DataFrame, so is the result, for any sink in append mode: pieces of the result that are
    final, each of them once. An element may come this many units after a later one (`slack`); later ones are left out.
    One that is more than `ahead` units in the future is an error, because all others would be late after it. Static
    inputs are read at once. A query whose state grows for ever is refused, unless that is allowed.

    With `skewed`, keys with far more rows than others are cut over time, so that no task has all of them. To find them
    the job looks at its inputs twice. A streaming query has no use for it.

    What runs is the cheapest equal plan that is found, unless `optimize` is off. It does not rely on declared
    constraints, because nothing checks them here; a streaming query runs as it is written.
    """
    asked = over_dataframes(query, inputs, time or {})
    if asked.streams:
        if horizon is not None:
            raise SnapeqError("horizon: only where no input is a streaming DataFrame")
        pieces = streaming_result(asked, Arrival(slack, ahead), partitions, allow_unbounded)
        return _named(pieces, asked.milliseconds if timestamps else None)
    check_supported(asked.query.plan)
    compiler = Compiler(asked.frames, lazy_spread(asked.spark, partitions, skewed), horizon)
    runs = canonical_result(plan_that_runs(asked, optimize), compiler).runs
    return _named(runs, asked.milliseconds if timestamps else None)


@by_this_python()
def canonical(data: DataFrame, *, partitions: int | None = None) -> DataFrame:
    """The same stream with one row for every run of a constant count; two streams are equal if these DataFrames are.

    `_end` and `_count` may be missing: then rows are valid for one instant, and once.
    """
    frame = result_frame(data, "canonical")
    return _named(canonical_of_counted(frame, lazy_spread(data.sparkSession, partitions)), None)


def _named(runs: Frame, milliseconds: int | None) -> DataFrame:
    """Runs with the column names of the query; times as TIMESTAMP, if it is said how long an instant is."""
    called = names(runs.schema)
    end = f.when(f.col(END) != ENDLESS, f.col(END))
    start, end = (_time(one, milliseconds) for one in (f.col(START), end))
    data = runs.data.select(*called[:-1], start.alias(START), end.alias(END), called[-1])
    return data.toDF(*runs.schema.names[:-1], START, END, COUNT)


def _time(instant: Column, milliseconds: int | None) -> Column:
    return instant if milliseconds is None else f.timestamp_millis(instant * f.lit(milliseconds))
