"""Apache Flink SQL: Calcite's SQL with watermarks, computed columns and names in backticks."""

from sqlglot import tokens
from sqlglot.dialects.dialect import Dialect

from semantics.sql.dialects import function_names
from semantics.sql.dialects.parsing import StreamingSyntax
from semantics.sql.dialects.profile import Profile


class FlinkParser(StreamingSyntax):
    """Standard SQL with windows as functions."""


class Flink(Dialect):
    class Tokenizer(tokens.Tokenizer):
        IDENTIFIERS = ["`"]  # noqa: RUF012  # sqlglot asks for a plain attribute
        QUOTES = ["'"]  # noqa: RUF012

    Parser = FlinkParser


FLINK = Profile(
    "flink",
    Flink,
    integer_average=True,
    window_time=True,
    row_for_nothing=False,
    functions=function_names.FLINK,
    window_calls=("TUMBLE", "HOP", "SESSION"),
)
