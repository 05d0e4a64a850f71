"""The progress of Spark's jobs, from its status tracker."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread
from typing import Final

from pyspark.sql import SparkSession

SECONDS_BETWEEN_LOOKS: Final = 0.3
"""Seconds between two looks at the status tracker."""

Show = Callable[[int, int], None]
"""Called with the number of tasks that are done, and of all tasks that Spark knows of."""


@contextmanager
def watched(spark: SparkSession, show: Show) -> Iterator[None]:
    """Report Spark's progress meanwhile; a remote session has no status tracker, so it reports nothing."""
    if not hasattr(spark, "_jsc"):
        yield
        return
    done = Event()
    watcher = Thread(target=_watch, args=(spark, show, done), daemon=True, name="snapeq-spark-progress")
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


def _watch(spark: SparkSession, show: Show, done: Event) -> None:
    from py4j.protocol import Py4JError

    with suppress(ConnectionError, Py4JError):  # if Java has ended, the job itself raises the error
        while not done.wait(SECONDS_BETWEEN_LOOKS):
            show(*tasks(spark))


def tasks(spark: SparkSession) -> tuple[int, int]:
    """The tasks of all running stages: how many are done, and how many there are."""
    tracker = spark.sparkContext.statusTracker()
    stages = [tracker.getStageInfo(number) for number in tracker.getActiveStageIds()]
    known = [stage for stage in stages if stage is not None]
    return sum(stage.numCompletedTasks for stage in known), sum(stage.numTasks for stage in known)
