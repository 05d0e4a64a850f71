"""Whose folder it is: a query writes down what it is before its first batch, and goes on only in its own folders."""

import json
from collections.abc import Mapping
from typing import Final

from pyspark.sql import SparkSession
from pyspark.sql import functions as f

from physical.engines.spark.continuous.sink import FolderSink, read_or_empty
from physical.engines.spark.continuous.stored_files import files_at
from physical.engines.spark.read import literal_path
from semantics import SnapeqError

END_COLUMNS: Final = "part int, until long, about string"
NO_PART: Final = -1
"""The part number of the row that describes the query of a folder."""
OUT: Final = "out"


def claim(spark: SparkSession, sink: FolderSink, wanted: Mapping[str, object]) -> None:
    """Raise an error unless the folders are new or belong to the same query.

    A query that was killed before it had written down what it is has not begun, so anyone may have its folder.
    """
    wanted = {**wanted, OUT: _out(sink)}
    found = _descriptions(spark, sink)
    if not found:
        _check_unused(spark, sink)
        mine = spark.createDataFrame([(NO_PART, 0, json.dumps(wanted))], END_COLUMNS)
        mine.coalesce(1).write.mode("append").parquet(ends_of(sink))
        found = _descriptions(spark, sink)
    if not found:
        raise SnapeqError(f"continuous: {ends_of(sink)} must say whose folder it is, but it cannot be read back")
    _agree(sink, found, wanted)
    _remove_leftovers(spark, sink)


def ends_of(sink: FolderSink) -> str:
    """Where the ends of the streams are written down, and what the query is."""
    return f"{sink.state}/ends"


def _out(sink: FolderSink) -> str | None:
    """Where results go, unless the state is inside: then both may move together."""
    return None if sink.state.startswith(f"{sink.folder}/") else sink.folder


def _descriptions(spark: SparkSession, sink: FolderSink) -> list[str]:
    rows = read_or_empty(spark, literal_path(ends_of(sink)), END_COLUMNS).where(f.col("part") == NO_PART).collect()
    return [row["about"] for row in rows]


def _check_unused(spark: SparkSession, sink: FolderSink) -> None:
    """Raise an error if there are results of a query whose state is elsewhere: ours would be mixed with them."""
    if sink.written(spark).limit(1).count():
        expected = "the --checkpoint of that query, or another --out"
        raise SnapeqError(
            f"continuous: {sink.folder} has results of a query whose state is not in {sink.state}; expected {expected}"
        )


def _agree(sink: FolderSink, found: list[str], wanted: Mapping[str, object]) -> None:
    for text in found:
        there = json.loads(text)
        out = there.get(OUT, wanted[OUT])
        if {**there, OUT: out} == {**wanted, OUT: out} and out != wanted[OUT]:
            where = out or "the folder around it"
            problem = f"has the state of a query whose results are in {where}, and cannot go on in {sink.folder}"
            raise SnapeqError(f"continuous: {sink.state} {problem}; expected --out {where}, or another --checkpoint")
        if {**there, OUT: out} != wanted:
            mine = json.dumps(wanted)
            raise SnapeqError(f"continuous: {sink.folder} was started with {text} and cannot go on with {mine}")


def _remove_leftovers(spark: SparkSession, sink: FolderSink) -> None:
    """Remove what a query that was killed at its start has left, because Spark wants an empty folder for a new one.

    Without `metadata` no batch has begun.
    """
    checkpoint = sink.checkpoint
    files = files_at(spark, checkpoint)
    if files is not None and files.names(checkpoint) and files.text(f"{checkpoint}/metadata") is None:
        files.remove(checkpoint)
