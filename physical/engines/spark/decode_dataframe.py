"""Spark DataFrames as streams; a wrong value ends the job with one clear message.

The expressions mean the same in every session, because a DataFrame is computed with the settings of its own one:
nothing here depends on the time zone of the session or on ANSI mode.
"""

from typing import Final

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f
from pyspark.sql import types as t

from physical.engines.spark.errors import marked
from physical.engines.spark.frame import END, SPARK_TYPES, START, Frame, names
from physical.files.counted import counted_schema
from physical.files.decode import MAX_COUNT
from physical.files.errors import FileError
from physical.files.layout import Layout
from physical.kernels.types import ENDLESS
from semantics import SnapeqError, StreamError, Type
from semantics.types import array_of, decimal, row_of

INTEGER_TYPES = (t.ByteType, t.ShortType, t.IntegerType, t.LongType)
MOMENT_TYPES = (t.TimestampType, t.TimestampNTZType, t.DateType)
FITTING_TYPES: dict[Type, tuple[type[t.DataType], ...]] = {
    Type.INT: INTEGER_TYPES,
    Type.FLOAT: (*INTEGER_TYPES, t.FloatType, t.DoubleType),
    Type.BOOL: (t.BooleanType,),
    Type.STR: (t.StringType,),
    Type.TIMESTAMP: MOMENT_TYPES,
    Type.DATE: (t.DateType,),
    Type.DAY_INTERVAL: (t.DayTimeIntervalType,),
}
MICROS_PER_DAY: Final = 86_400_000_000
WITHOUT_OFFSET: Final = r"^\s*[+-]?\d+(-\d{1,2}){0,2}([ T](\d{1,2}(:\d{1,2}){0,2}(\.\d*)?)?)?\s*$"
"""Texts of a date or a time that name no offset: Spark would take that of the session."""
WITH_A_DATE: Final = r"^\s*[+-]?\d+-"
"""Texts that begin with a date: to a time alone, Spark would add the current day."""


def frame_of(data: DataFrame, layout: Layout, where: str) -> Frame:
    """A Spark DataFrame as a stream: its columns by name, each value checked while the job runs."""
    there = {field.name: field.dataType for field in data.schema.fields}
    missing = [name for name in layout.names if name not in there]
    if missing:
        problem = f"there is no column {', '.join(missing)}; there are: {', '.join(there) or 'none'}"
        raise FileError(where, problem, f"columns {', '.join(layout.names)}, in any order")
    schema = counted_schema(layout.schema) if layout.count else layout.schema
    made = [_value(name, there[name], layout, where) for name in layout.schema.names]
    if layout.count:
        made.append(_count(layout.count, there, where))
    start, end = _times(there, layout, where)
    columns = [one.alias(name) for one, name in zip(made, names(schema), strict=True)]
    return Frame(
        _checked(data.select(*columns, start.alias(START), end.alias(END)), where),
        schema,
        chronons=layout.start is not None and layout.end is None,
    )


def _value(name: str, type_: t.DataType, layout: Layout, where: str) -> Column:
    wanted = layout.type_of(name)
    place, expected = f"{where}: column {name}", layout.expected(name)
    if isinstance(type_, t.StringType) and wanted is not Type.DAY_INTERVAL and not wanted.is_nested:
        return _fitting(_from_text(_named(name), wanted), _named(name), wanted, place, expected)
    if wanted.is_decimal and isinstance(type_, (*INTEGER_TYPES, t.DecimalType)):
        return _fitting(_exactly(_named(name), wanted), _named(name), wanted, place, expected)
    if wanted.is_nested and _fits(type_, wanted):
        return _named(name).cast(SPARK_TYPES[wanted])
    if not isinstance(type_, FITTING_TYPES.get(wanted, ())):
        raise FileError(where, f"a column of {type_.simpleString()}", expected, column=name)
    if wanted is Type.TIMESTAMP:
        return _moment(_micros(_named(name), type_))
    return _named(name).cast(SPARK_TYPES[wanted])


def _fits(type_: t.DataType, wanted: Type) -> bool:
    """Is every value of the first type one of the second, part by part?"""
    if wanted.element is not None:
        return isinstance(type_, t.ArrayType) and _fits(type_.elementType, wanted.element)
    if wanted.fields is not None:
        if not isinstance(type_, t.StructType) or [f.name for f in type_.fields] != [name for name, _ in wanted.fields]:
            return False
        return all(_fits(f.dataType, part) for f, (_, part) in zip(type_.fields, wanted.fields, strict=True))
    if wanted.is_decimal:
        return type_from_spark(type_) is wanted
    return isinstance(type_, FITTING_TYPES.get(wanted, ())) and not isinstance(type_, t.TimestampType)


def _named(name: str) -> Column:
    return f.col("`" + name.replace("`", "``") + "`")


def _fitting(value: Column, given: Column, wanted: Type, where: str, expected: str) -> Column:
    """The value; an error if one was given that does not fit."""
    wrong = _raised(where, given, expected).cast(SPARK_TYPES[wanted])
    return f.when(given.isNotNull() & value.isNull(), wrong).otherwise(value)


def _from_text(text: Column, wanted: Type) -> Column:
    """The value that a text stands for, or NULL if it stands for none."""
    if wanted is Type.BOOL:
        return f.when(text.isin("1"), True).when(text.isin("0"), False).otherwise(text.try_cast("boolean"))
    if wanted is Type.TIMESTAMP:
        return _moment(_micros_of_text(text))
    if wanted.sizes is not None:
        digits = rf"^\s*[+-]?\d*\.?\d{{0,{wanted.sizes[1]}}}0*\s*$"
        return f.when(text.rlike(digits), text.try_cast(SPARK_TYPES[wanted]))
    return text.try_cast(SPARK_TYPES[wanted])


def _exactly(number: Column, wanted: Type) -> Column:
    """The number as a decimal with all its digits, or NULL if there are too many."""
    rounded = number.try_cast(SPARK_TYPES[wanted])
    return f.when(rounded == number, rounded)


def _moment(micros: Column) -> Column:
    """The point in time so many microseconds after 1970; no time zone of a session takes part in it."""
    days = f.call_function("div", micros - f.pmod(micros, f.lit(MICROS_PER_DAY)), f.lit(MICROS_PER_DAY)).cast("int")
    seconds = f.pmod(micros, f.lit(MICROS_PER_DAY)).cast("decimal(18,0)") / 1_000_000
    midnight = f.date_from_unix_date(days).cast("timestamp_ntz")
    zero = f.lit(0)
    return midnight + f.make_dt_interval(zero, zero, zero, seconds.cast("decimal(18,6)"))


def _raised(where: str, value: Column, expected: str) -> Column:
    error = marked(StreamError(f"{where}: "))
    shown = f.coalesce(value.cast("string"), f.lit("nothing"))
    return f.raise_error(f.concat(f.lit(error), shown, f.lit(f" does not fit; expected {expected}")))


def refusing(frame: Frame, wrong: Column, error: SnapeqError) -> Frame:
    """The same frame, but a wrong row ends the job with this error."""
    raised = f.raise_error(f.lit(marked(error))).cast("long")
    return frame.of(frame.data.withColumn(START, f.when(wrong, raised).otherwise(f.col(START))))


def _count(name: str, there: dict[str, t.DataType], where: str) -> Column:
    if name not in there:
        return f.lit(1).cast("long")
    count = _named(name).try_cast("long")
    wrong = count.isNull() | (count < 1) | (count > MAX_COUNT)
    return f.when(wrong, _raised(f"{where}: column {name}", count, "a whole number from 1 on").cast("long")).otherwise(
        count
    )


def _times(there: dict[str, t.DataType], layout: Layout, where: str) -> tuple[Column, Column]:
    if layout.start is None:
        return f.lit(0).cast("long"), f.lit(ENDLESS)
    start = _instant(layout.start, there[layout.start], layout, where)
    late = f"{where}: column {layout.start}"
    known = f.when(start.isNull() | (start < 0), _raised(late, start, layout.expected(layout.start)).cast("long"))
    start = known.otherwise(start)
    if layout.end is None:
        return start, start + 1
    return start, f.coalesce(_instant(layout.end, there[layout.end], layout, where), f.lit(ENDLESS))


def _instant(name: str, type_: t.DataType, layout: Layout, where: str) -> Column:
    """A time column as a number of units; timestamps count from 1970 in UTC, in any time zone of the session."""
    if name not in layout.timestamps:
        if isinstance(type_, MOMENT_TYPES):
            problem = f"a column of {type_.simpleString()}"
            raise FileError(where, problem, f"whole numbers, or {name} TIMESTAMP in CREATE STREAM", column=name)
        return _value(name, type_, layout, where)
    if isinstance(type_, t.StringType):
        text = _named(name)
        unread = _raised(f"{where}: column {name}", text, layout.expected(name)).cast("long")
        micros = _micros_of_text(text)
        micros = f.when(text.isNotNull() & micros.isNull(), unread).otherwise(micros)
    elif isinstance(type_, MOMENT_TYPES):
        micros = _micros(_named(name), type_)
    else:
        raise FileError(where, f"a column of {type_.simpleString()}", layout.expected(name), column=name)
    unit = layout.unit * 1000
    uneven = _raised(f"{where}: column {name}", _named(name), f"a whole number of units of {layout.unit} ms")
    return f.when(micros % unit != 0, uneven.cast("long")).otherwise(f.call_function("div", micros, f.lit(unit)))


def _micros(moment: Column, type_: t.DataType) -> Column:
    """Microseconds since 1970 in UTC; a date, or a time without a zone, is in UTC already."""
    if isinstance(type_, t.TimestampType):
        return f.unix_micros(moment)
    midnight = f.unix_date(moment.cast("date")).cast("long") * MICROS_PER_DAY
    if isinstance(type_, t.DateType):
        return midnight
    seconds = f.hour(moment).cast("long") * 3600 + f.minute(moment) * 60
    fraction = f.date_part(f.lit("SECOND"), moment) * 1_000_000
    return midnight + seconds * 1_000_000 + fraction.cast("long")


def _micros_of_text(text: Column) -> Column:
    """Microseconds since 1970, by the offset in the text, or in UTC if there is none; NULL if it cannot be read."""
    in_utc = _micros(text.try_cast("timestamp_ntz"), t.TimestampNTZType())
    by_offset = f.when(text.rlike(WITH_A_DATE), f.unix_micros(text.try_cast("timestamp")))
    return f.when(text.rlike(WITHOUT_OFFSET), in_utc).otherwise(by_offset)


def _checked(data: DataFrame, where: str) -> DataFrame:
    """The same rows; an end that is not after its start ends the job."""
    start, end = f.col(START).cast("string"), f.col(END).cast("string")
    both = f.concat(f.lit("the interval ["), start, f.lit(", "), end, f.lit(")"))
    wrong = _raised(where, both, "an end after its start").cast("long")
    return data.withColumn(END, f.when(f.col(END) <= f.col(START), wrong).otherwise(f.col(END)))


def type_from_spark(type_: t.DataType) -> Type | None:
    """Our type for the values of a Spark column; None if none fits."""
    if isinstance(type_, t.ArrayType):
        element = type_from_spark(type_.elementType)
        return None if element is None else array_of(element)
    if isinstance(type_, t.StructType):
        parts = [(field.name, type_from_spark(field.dataType)) for field in type_.fields]
        known = [(name, part) for name, part in parts if part is not None]
        return row_of(*known) if known and len(known) == len(parts) else None
    if isinstance(type_, t.DecimalType):
        return decimal(type_.precision, type_.scale) if 0 <= type_.scale <= type_.precision else None
    if isinstance(type_, t.DateType):
        return Type.DATE
    return next((ours for ours, fitting in FITTING_TYPES.items() if isinstance(type_, fitting)), None)
