"""What is measured against each other gives the same."""

from collections.abc import Callable

import pytest
from pyspark.sql import SparkSession

from benchmarks.spark.profile import drained, same
from benchmarks.spark.works import PLANS, Job
from physical.columns.stream import PhysicalStream
from physical.engines.spark.frame import END, START, Frame, names
from physical.engines.spark.spark_session import session
from tests.physical.engines.spark.lookahead import asked_ahead


def ours_and_theirs(name: str) -> tuple[PhysicalStream, PhysicalStream]:
    job = Job(name, session().newSession(), 3000, 2)
    ours, theirs = job.ours(), job.by_sql()
    columns = [column for column in theirs.columns if column not in (START, END, "copy")]
    found = Frame(theirs.select(*columns, START, END).toDF(*names(ours.schema), START, END), ours.schema)
    return ours.collected(), found.collected()


results = asked_ahead(ours_and_theirs, PLANS)


@pytest.mark.parametrize("name", PLANS)
def test_differential_pure_spark_sql_gives_the_same(
    results: Callable[[str], tuple[PhysicalStream, PhysicalStream]], name: str
) -> None:
    ours, theirs = results(name)
    assert len(ours) > 500
    assert ours.equivalent(theirs)


def test_the_floor_is_that_of_all_rows(spark: SparkSession) -> None:
    job = Job("join", spark, 3000, 2)
    exchanged = job.exchanged()
    assert exchanged.mapInArrow(same, exchanged.schema).count() == 2 * job.size
    assert exchanged.mapInArrow(drained, exchanged.schema).count() == 0
