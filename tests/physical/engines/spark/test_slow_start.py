"""Spark gives the Python process of a query ten seconds to start; on a busy machine the query begins once more."""

from collections.abc import Iterator
from unittest.mock import Mock

import pytest
from pyspark.errors import StreamingQueryException

from physical.engines.spark.continuous.running_query import RESTARTS, RunningQuery
from physical.engines.spark.continuous.sink import FolderSink
from physical.engines.spark.errors import SlowStart, SparkFailed
from semantics import parse_plan

PLAN = parse_plan("S(x int) | window(range 4)")


def slow(reason: str = "Python worker failed to connect back.") -> Mock:
    """A query that ends with an error as soon as somebody waits for it."""
    error = StreamingQueryException(f"Query [id = 7] terminated with exception: {reason}")
    return Mock(**{"awaitTermination.side_effect": error, "processAllAvailable.side_effect": error})


def running(queries: Iterator[Mock]) -> RunningQuery:
    return RunningQuery(Mock(), PLAN, FolderSink(PLAN.schema, "out", "state", False), 1, lambda: next(queries))


def test_it_begins_again_and_goes_on() -> None:
    last = Mock()
    query = running(iter([slow(), slow(), last]))
    query.wait()
    query.drain()
    last.awaitTermination.assert_called_once_with()
    last.processAllAvailable.assert_called_once_with()


def test_it_gives_up_at_last_and_other_errors_are_told_at_once() -> None:
    queries = iter([slow() for _ in range(RESTARTS + 2)])
    with pytest.raises(SlowStart, match="the machine is too busy"):
        running(queries).drain()
    assert len(list(queries)) == 1
    others = iter([slow("it is broken"), Mock()])
    with pytest.raises(SparkFailed, match="it is broken"):
        running(others).wait()
    assert len(list(others)) == 1


def test_what_was_stopped_meanwhile_does_not_begin_again() -> None:
    queries = iter([slow(), Mock()])
    query = running(queries)
    query.stop()
    with pytest.raises(SlowStart):
        query.wait()
    assert len(list(queries)) == 1
