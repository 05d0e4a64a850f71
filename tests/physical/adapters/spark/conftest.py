"""The one Spark session of the tests."""

from tests.physical.engines.spark.conftest import spark as spark
from tests.physical.engines.spark.conftest import starting as starting
