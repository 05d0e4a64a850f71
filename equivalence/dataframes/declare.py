"""What a query may know of DataFrames: declarations inferred from their columns, where the query has none.

A DataFrame with `_start` and `_end` is a stream of intervals. One with a single TIMESTAMP is a stream in its order. One
without times is a table. Wherever that is not what is meant, a CREATE statement or `time` says more.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from pyspark.sql import DataFrame
from pyspark.sql import types as t

from physical.engines.spark.decode_dataframe import MOMENT_TYPES, type_from_spark
from physical.files.layout import COUNT, END, START
from semantics import Column, Schema, SnapeqError
from semantics.sql import Declaration

Times = Mapping[str, str | None]
"""The time column of each input; None for a table."""
MOMENTS = tuple(kind for kind in MOMENT_TYPES if kind is not t.DateType)


@dataclass(frozen=True)
class InferredInput:
    """A declaration, and the columns that it leaves out because no type of a query fits."""

    declaration: Declaration
    left_out: Mapping[str, str]


def inferred_input(name: str, data: DataFrame, times: Times) -> InferredInput:
    """What the columns of a DataFrame say about it."""
    there = {field.name: field.dataType for field in data.schema.fields}
    valid = (START, END) if name not in times and {START, END} <= set(there) else None
    ordered = None if valid else _ordered(name, there, times)
    apart = {*(valid or ()), ordered, COUNT if valid else None}
    typed = {column: type_from_spark(kind) for column, kind in there.items() if column not in apart}
    schema = Schema(tuple(Column(column, kind) for column, kind in typed.items() if kind is not None))
    declaration = Declaration(
        name,
        schema,
        tuple(there),
        ordered,
        valid,
        timestamps=tuple(c for c in (*(valid or ()), ordered) if c and isinstance(there[c], MOMENT_TYPES)),
    )
    return InferredInput(declaration, {c: there[c].simpleString() for c, kind in typed.items() if kind is None})


def _ordered(name: str, there: Mapping[str, t.DataType], times: Times) -> str | None:
    """The time column of a stream; None for a table."""
    if name in times:
        return _named_time(name, times[name], there)
    moments = [column for column, kind in there.items() if isinstance(kind, MOMENTS)]
    if len(moments) > 1:
        remedy = f"say which one orders it: time={{{name!r}: {moments[0]!r}}}, or None for a table"
        raise SnapeqError(f"{name} has {len(moments)} timestamps, {', '.join(moments)}; {remedy}")
    return moments[0] if moments else None


def _named_time(name: str, column: str | None, there: Mapping[str, t.DataType]) -> str | None:
    alike = [other for other in there if column is not None and other.lower() == column.lower()]
    if column is not None and not alike:
        raise SnapeqError(f"time of {name}: there is no column {column}; there are: {', '.join(there)}")
    return next((other for other in alike if other == column), alike[0] if alike else None)
