"""Streams as Spark DataFrames: columns by position, and when each row is valid."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import pyarrow as pa
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.types import (
    ArrayType,
    BooleanType,
    DataType,
    DateType,
    DayTimeIntervalType,
    DecimalType,
    DoubleType,
    LongType,
    StringType,
    StructField,
    StructType,
    TimestampNTZType,
)

from physical.columns.arrow import table_stream, to_arrow
from physical.columns.arrow_types import arrow_type
from physical.columns.column import rows
from physical.columns.stream import PhysicalStream, in_order
from physical.engines.spark.errors import readable_errors
from physical.kernels.spans import inspected
from semantics import Row, Schema, Type, Unsupported

START: Final = "_start"
END: Final = "_end"


class SparkTypes(dict[Type, DataType]):
    """Spark's types; a TIMESTAMP has no time zone there, so no setting of a session can move it."""

    def __missing__(self, type_: Type) -> DataType:
        if type_.element is not None:
            return ArrayType(self[type_.element])
        if type_.fields is not None:
            return StructType([StructField(name, self[field]) for name, field in type_.fields])
        if type_.sizes is None:
            raise Unsupported(f"Spark: there are no columns of {type_.name} yet")
        return DecimalType(*type_.sizes)


SPARK_TYPES: Final = SparkTypes(
    {
        Type.INT: LongType(),
        Type.FLOAT: DoubleType(),
        Type.BOOL: BooleanType(),
        Type.STR: StringType(),
        Type.TIMESTAMP: TimestampNTZType(),
        Type.DATE: DateType(),
        Type.DAY_INTERVAL: DayTimeIntervalType(),
    }
)


@dataclass(frozen=True, eq=False)
class Frame:
    """A stream in Spark. Its columns are called c0, c1, …, because Spark may not distinguish `a` from `A`.

    The end of a row that is valid for ever is ENDLESS. The order of the rows means nothing.
    """

    data: DataFrame
    schema: Schema
    chronons: bool = False
    """Is every row valid for one instant only?"""
    clock_unit: int | None = None
    """Milliseconds per instant, if instants are timestamps and count from 1970."""

    @property
    def columns(self) -> list[Column]:
        return [f.col(name) for name in names(self.schema)]

    def of(self, data: DataFrame) -> "Frame":
        """Other rows of the same columns."""
        return replace(self, data=data)

    def collected(self) -> PhysicalStream:
        """The whole stream, in order, on this machine: for results that fit."""
        with readable_errors():
            return from_batches(self.data.toArrow(), self.schema)

    def first(self) -> tuple[Row, int] | None:
        """The first row by start, and its start."""
        found = self.of(self.data.orderBy(START, *self.columns).limit(1)).collected()
        return (rows(found.columns)[0], int(found.start[0])) if len(found) else None


def names(schema: Schema) -> list[str]:
    """What Spark calls the columns of a schema."""
    return [f"c{i}" for i in range(len(schema))]


def spark_schema(schema: Schema) -> StructType:
    """The columns of a frame with this schema."""
    fields = [StructField(n, SPARK_TYPES[t]) for n, t in zip(names(schema), schema.types, strict=True)]
    return StructType([*fields, StructField(START, LongType(), False), StructField(END, LongType(), False)])


def to_frame(spark: SparkSession, stream: PhysicalStream) -> Frame:
    """A stream from this machine's memory."""
    chronons = bool(inspected(stream.start, stream.end)[1])
    data = spark.createDataFrame(to_table(stream), spark_schema(stream.schema))
    return Frame(data, stream.schema, chronons)


def to_table(stream: PhysicalStream) -> pa.Table:
    """A stream in the columns that a frame has, text as plain text."""
    table = to_arrow(stream)
    arrays = [plain(column, t) for column, t in zip(table.columns, stream.schema.types, strict=False)]
    return pa.table([*arrays, pa.array(stream.start), pa.array(stream.end)], [*names(stream.schema), START, END])


def plain(column: pa.ChunkedArray, type_: Type) -> pa.ChunkedArray:
    """A column without a dictionary."""
    return column if column.type == arrow_type(type_) else column.cast(arrow_type(type_))


def from_batches(table: pa.Table, schema: Schema) -> PhysicalStream:
    """The stream that the columns of a frame hold, in the order of its starts."""
    found = table_stream(table.select([*names(schema), START, END]), START, END)
    return in_order(PhysicalStream(schema, found.columns, found.start, found.end))


def clipped(frame: Frame, horizon: int | None) -> Frame:
    """The part of a frame that is valid before the horizon."""
    if horizon is None:
        return frame
    before = frame.data.where(f.col(START) < horizon)
    return frame.of(before.withColumn(END, f.least(f.col(END), f.lit(horizon))))


def unioned(frames: Sequence[Frame]) -> Frame:
    """The rows of all frames."""
    first, *others = frames
    data = _anew(first)
    for other in others:
        data = data.unionAll(_anew(other))
    return replace(first, data=data, chronons=all(frame.chronons for frame in frames))


def _anew(frame: Frame) -> DataFrame:
    """The same columns under new names that are the old ones: Sail loses those of `mapInArrow` in a nested union."""
    return frame.data.select(*(f.col(name).alias(name) for name in (*names(frame.schema), START, END)))
