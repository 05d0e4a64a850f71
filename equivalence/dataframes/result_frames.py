"""DataFrames that hold results: their own columns, `_start`, and where they have them `_end` and `_count`."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from equivalence.dataframes.query_over_dataframes import column_named, frame_by_layout
from physical.engines.spark.decode_dataframe import INTEGER_TYPES, MOMENT_TYPES, type_from_spark
from physical.engines.spark.errors import marked
from physical.engines.spark.frame import Frame
from physical.files.layout import COUNT, END, START, Layout
from semantics import Column, Schema, SnapeqError, StreamError, Type, Unsupported

TIMES = (START, END, COUNT)
MILLISECOND = 1
"""How long an instant is where nothing but a TIMESTAMP says so."""


def result_frame(data: DataFrame, where: str, schema: Schema | None = None, milliseconds: int = MILLISECOND) -> Frame:
    """A result with its count as the last column; without a schema its own columns are taken."""
    there = {field.name.lower(): field.dataType for field in data.schema.fields}
    if START not in there:
        raise SnapeqError(f"{where}: there is no column {START}; expected a result, with {START}, {END} and {COUNT}")
    wanted = own_schema(data, where) if schema is None else schema
    end = END if END in there else None
    moments = tuple(name for name in (START, end) if name and isinstance(there[name], MOMENT_TYPES))
    layout = Layout(wanted, START, end, COUNT, moments, milliseconds)
    return frame_by_layout(_exact(data, wanted, where), layout, where)


def own_schema(data: DataFrame, where: str) -> Schema:
    """The columns of a result other than times and count."""
    columns = []
    for field in data.schema.fields:
        if field.name.lower() not in TIMES:
            own = type_from_spark(field.dataType)
            if own is None:
                shown = field.dataType.simpleString()
                raise Unsupported(f"{where}: column {field.name} is {shown}, which streams do not have: cast it first")
            columns.append(Column(field.name, own))
    if not columns:
        raise SnapeqError(f"{where}: there is no column beside times; expected at least one more")
    return Schema(tuple(columns))


def _exact(data: DataFrame, wanted: Schema, where: str) -> DataFrame:
    """Integers that are wanted as floats must not be rounded: two that differ might become the same."""
    integers = {field.name.lower() for field in data.schema.fields if isinstance(field.dataType, INTEGER_TYPES)}
    for name, type_ in zip(wanted.names, wanted.types, strict=True):
        if type_ is Type.FLOAT and name.lower() in integers:
            number = column_named(name).cast("long")
            rounded = number.cast("double")
            error = f.raise_error(f.lit(marked(StreamError(f"{where}: column {name} holds an integer beyond 2^53"))))
            same = number.eqNullSafe(rounded.try_cast("long"))
            data = data.withColumn(name, f.when(same, rounded).otherwise(error.cast("double")))
    return data
