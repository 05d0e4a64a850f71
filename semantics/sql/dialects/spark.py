"""Apache Spark SQL, batch and streaming."""

from sqlglot.dialects.spark import Spark as SqlglotSpark
from sqlglot.parsers.spark import SparkParser as SqlglotSparkParser

from semantics.sql.dialects import function_names
from semantics.sql.dialects.parsing import StreamingSyntax
from semantics.sql.dialects.profile import Profile, timed_by_timestamp
from semantics.sql.units import TimeUnit


class SparkParser(StreamingSyntax, SqlglotSparkParser):
    """Spark's grammar with windows as functions."""


class Spark(SqlglotSpark):
    Parser = SparkParser


SPARK = Profile(
    "spark",
    Spark,
    TimeUnit.MILLISECOND,
    exact_division=True,
    functions=function_names.SPARK,
    window_calls=("WINDOW", "SESSION_WINDOW"),
    completed=timed_by_timestamp,
)
