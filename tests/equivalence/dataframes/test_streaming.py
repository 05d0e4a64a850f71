"""A query over streaming DataFrames, with a sink of the user's own, judged as any other job is."""

from collections.abc import Callable, Iterator

import pytest
from pyspark.sql import DataFrame, SparkSession

from equivalence.dataframes.check_job import check_job
from physical.engines.spark.continuous.running_query import QUERY_SETTINGS
from physical.engines.spark.spark_session import set_for_now
from snapeq import spark as frames

SCHEMA = """
    CREATE STREAM a(k INT, x INT, at TIMESTAMP) ORDERED BY at;
    CREATE STREAM b(k INT, y INT, at TIMESTAMP) ORDERED BY at;
"""
JOINED = SCHEMA + "SELECT x, y FROM a WINDOW(RANGE 20 SECONDS), b WINDOW(RANGE 60 SECONDS) WHERE a.k = b.k"


@pytest.fixture
def with_state(spark: SparkSession) -> Iterator[SparkSession]:
    with set_for_now(spark, QUERY_SETTINGS):
        yield spark


def streamed(query: str) -> Callable[[DataFrame, DataFrame], DataFrame]:
    """A job that is the query itself; the last row, which ends the streams, may be far ahead."""

    def job(a: DataFrame, b: DataFrame) -> DataFrame:
        found = frames.sql(query, {"a": a, "b": b}, partitions=2, ahead=2**40)
        assert a.isStreaming
        assert found.isStreaming
        return found

    return job


def test_what_comes_out_is_the_right_answer(with_state: SparkSession) -> None:
    verdict = check_job(streamed(JOINED), JOINED, spark=with_state, streaming=True, examples=100)
    assert verdict.kind in ("agreed", "unknown"), verdict
    assert verdict.evidence["output"] == "intervals"
