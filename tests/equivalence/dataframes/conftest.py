"""The Spark session of the tests of the engine."""

from tests.physical.engines.spark.conftest import spark, starting

__all__ = ["spark", "starting"]
