"""One Spark session for all tests here: its start takes longer than most of them."""

from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

from physical.spark import session as sessions


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    yield sessions.session("local[2]", settings={"spark.sql.codegen.wholeStage": "false"})
    sessions.stop()
