"""Apache Flink SQL: Calcite's SQL with watermarks, computed columns and names in backticks."""

from collections.abc import Collection
from dataclasses import replace
from typing import Final

from sqlglot import tokens
from sqlglot.dialects.dialect import Dialect

from semantics.sql.dialects import function_names
from semantics.sql.dialects.ddl import SourceColumn, SourceTable
from semantics.sql.dialects.own_meanings import of_flink
from semantics.sql.dialects.parsing import StreamingSyntax
from semantics.sql.dialects.profile import Profile

ROWTIME: Final = "$rowtime"
"""The time of a record, which every table of Confluent has without saying so."""


class FlinkParser(StreamingSyntax):
    """Standard SQL with windows as functions."""


class Flink(Dialect):
    class Tokenizer(tokens.Tokenizer):
        IDENTIFIERS = ["`"]  # noqa: RUF012  # sqlglot asks for a plain attribute
        QUOTES = ["'"]  # noqa: RUF012

    Parser = FlinkParser


def with_rowtime(table: SourceTable, asked: Collection[str]) -> SourceTable:
    """A table without a watermark is a stream in the order of $rowtime if a query asks for that."""
    if table.time is not None or ROWTIME not in asked:
        return table
    return replace(table, columns=(*table.columns, SourceColumn(ROWTIME, ("TIMESTAMP",))), time=ROWTIME)


FLINK = Profile(
    "flink",
    Flink,
    integer_average=True,
    window_time=True,
    row_for_nothing=False,
    functions=function_names.FLINK,
    window_calls=("TUMBLE", "HOP", "SESSION"),
    timed=with_rowtime,
    implied=frozenset((ROWTIME,)),
    calls=of_flink,
)
