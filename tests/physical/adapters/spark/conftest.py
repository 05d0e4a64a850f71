"""The one Spark session of the tests. Other sessions have one partition: what Spark answers must not depend on it."""

from collections.abc import Iterator

import pytest

from physical.engines.spark.spark_session import SESSION_SETTINGS, SHUFFLE_PARTITIONS
from tests.physical.engines.spark.conftest import spark as spark
from tests.physical.engines.spark.conftest import starting as starting


@pytest.fixture(scope="module", autouse=True)
def one_partition() -> Iterator[None]:
    """A batch of a stream costs as much for each partition of its state, however few rows there are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(SESSION_SETTINGS, SHUFFLE_PARTITIONS, "1")
        yield
