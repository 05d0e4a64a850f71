"""Apache Spark SQL, batch and streaming."""

from sqlglot import Token
from sqlglot.dialects.spark import Spark as SqlglotSpark
from sqlglot.parsers.spark import SparkParser as SqlglotSparkParser

from semantics.sql.dialects import function_names
from semantics.sql.dialects.ddl import matching
from semantics.sql.dialects.own_meanings import of_spark
from semantics.sql.dialects.parsing import StreamingSyntax
from semantics.sql.dialects.profile import Prepared, Profile, timed_by_timestamp
from semantics.sql.units import TimeUnit


class SparkParser(StreamingSyntax, SqlglotSparkParser):
    """Spark's grammar with windows as functions."""


class Spark(SqlglotSpark):
    Parser = SparkParser


def without_streaming_words(found: list[Token], text: str) -> Prepared:  # noqa: ARG001
    """FROM STREAM(t) and FROM t WATERMARK c DELAY OF INTERVAL … as FROM t: what is late is not for a query to say."""
    words, kept, i = [token.text.upper() for token in found], list[Token](), 0
    while i < len(found):
        if words[i] == "STREAM" and words[i - 1] in ("FROM", "JOIN", ","):
            end = matching(found, i + 1) if words[i + 1] == "(" else i + 1
            kept += found[i + 2 : end] if words[i + 1] == "(" else [found[end]]
            i = end + 1
        elif words[i] == "WATERMARK" and words[i + 2 : i + 4] == ["DELAY", "OF"]:
            i += 7
        else:
            kept.append(found[i])
            i += 1
    return Prepared(kept)


SPARK = Profile(
    "spark",
    Spark,
    TimeUnit.MILLISECOND,
    exact_division=True,
    whole_elements=True,
    first_position=0,
    functions=function_names.SPARK,
    window_calls=("WINDOW", "SESSION_WINDOW"),
    prepare=without_streaming_words,
    completed=timed_by_timestamp,
    calls=of_spark,
    nulls_in_arrays=False,
)
