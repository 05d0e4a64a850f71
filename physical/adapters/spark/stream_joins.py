"""Spark's joins of two streams, outer joins included: all rows that they append until both streams have ended."""

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from physical.adapters.spark.event_time import INSTANT, TIME
from physical.adapters.spark.event_time_engine import chronons
from physical.adapters.spark.feed import EventFeed, drained
from physical.adapters.spark.sql_engine import own_session
from physical.engines.spark.frame import names
from physical.runtime.run_whole import AnyStream
from semantics import Row, Schema

Kind = Literal["inner", "left", "right", "full", "left_semi"]
KINDS: Final[tuple[Kind, ...]] = ("inner", "left", "right", "full", "left_semi")


def stream_join_rows(
    kind: Kind, sources: Mapping[str, AnyStream], equal: int, within: int, feed: EventFeed
) -> list[Row]:
    """Pairs of rows of the two sources, in the order of their names, with equal first columns and near times.

    The right row comes at the same time or at most `within` later. Each side has its columns, then its time.
    """
    spark = own_session(True)
    streams = {side: chronons(sources[name]) for side, name in zip("lr", sorted(sources), strict=True)}
    with tempfile.TemporaryDirectory() as folder:
        sides = {side: feed.live(spark, stream, Path(folder) / side) for side, stream in streams.items()}
        wanted = [column for side, stream in streams.items() for column in _wanted(kind, side, stream.schema)]
        joined = _joined(kind, sides, equal, within).select(wanted)
        return _rows(drained(spark, joined)[0], feed)


def _wanted(kind: Kind, side: str, schema: Schema) -> list[str]:
    return [] if kind == "left_semi" and side == "r" else [f"{side}{name}" for name in [*names(schema), INSTANT]]


def _joined(kind: Kind, sides: Mapping[str, DataFrame], equal: int, within: int) -> DataFrame:
    left, right = (data.select([f.col(c).alias(f"{s}{c}") for c in data.columns]) for s, data in sides.items())
    same = [f"lc{i} = rc{i}" for i in range(equal)]
    near = [f"r{TIME} >= l{TIME}", f"r{TIME} <= l{TIME} + INTERVAL {within} SECONDS"]
    return left.join(right, f.expr(" AND ".join([*same, *near])), kind)


def _rows(found: pa.Table, feed: EventFeed) -> list[Row]:
    """The rows with the original times, without those of sentinels."""
    times = {name for name in found.column_names if name.endswith(INSTANT)}
    last = feed.shift + feed.end
    real = [row for row in found.to_pylist() if all(row[name] is None or row[name] < last for name in times)]
    return [tuple(v - feed.shift if v is not None and n in times else v for n, v in row.items()) for row in real]
