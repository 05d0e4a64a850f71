"""The one Spark session of the tests."""

from tests.physical.spark.conftest import spark as spark
from tests.physical.spark.conftest import starting as starting
