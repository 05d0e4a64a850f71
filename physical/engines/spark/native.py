"""Stateless operators as Spark expressions, which its optimiser understands."""

from collections.abc import Sequence

from pyspark.sql import Column
from pyspark.sql import functions as f

from physical.engines.spark.dialect import SPARK, Dialect
from physical.engines.spark.errors import OVERFLOW, marked
from physical.engines.spark.expressions import column, is_native, overflows, risks
from physical.engines.spark.frame import END, START, Frame, clipped, names
from physical.kernels.types import ENDLESS
from semantics import FOREVER, Expression, Plan, StreamError
from semantics.expression import Ref
from semantics.plan import Filter, LandmarkWindow, Map, Rstream, TimeWindow

Stateless = Filter | Map | TimeWindow | LandmarkWindow | Rstream


def has_native_form(plan: Plan, dialect: Dialect = SPARK) -> bool:
    """Can Spark compute this operator with its own expressions?"""
    match plan:
        case Filter() if not dialect.evaluates_expressions:
            return False
        case Map(expressions=expressions) if not dialect.evaluates_expressions:
            return all(isinstance(one, Ref) for one in expressions)
        case Filter(predicate=predicate):
            return is_native(predicate)
        case Map(expressions=expressions):
            return all(map(is_native, expressions))
        case _:
            return isinstance(plan, Stateless)


def applied(plan: Stateless, frame: Frame, horizon: int | None) -> Frame:
    """A stateless operator applied to a frame; results at the horizon or later do not matter."""
    match plan:
        case Filter(predicate=predicate):
            watched = _watched(frame, [predicate])
            return watched.of(watched.data.where(column(predicate, frame.columns)))
        case Map():
            return _mapped(plan, _watched(frame, plan.expressions))
        case TimeWindow():
            return _time_window(plan, split(clipped(frame, horizon)))
        case LandmarkWindow():
            return _landmark_window(plan, split(clipped(frame, horizon)))
        case Rstream():
            return frame


def _mapped(plan: Map, frame: Frame) -> Frame:
    made = [column(expression, frame.columns) for expression in plan.expressions]
    named = [one.alias(name) for one, name in zip(made, names(plan.schema), strict=True)]
    return Frame(frame.data.select(*named, START, END), plan.schema, frame.chronons)


def _watched(frame: Frame, expressions: Sequence[Expression]) -> Frame:
    """The same frame, but an overflow of any part of these expressions is an error, for every row.

    The added filter is TRUE or raises the error. It depends on a hash of the values and on the partition, so Spark's
    optimiser cannot know that, and neither moves nor removes it.
    """
    wrong = [overflows(part, frame.columns) for expression in expressions for part in risks(expression)]
    if not wrong:
        return frame
    raised = f.raise_error(f.lit(marked(OVERFLOW))).cast("boolean")
    seen = (
        f.xxhash64(*(f.when(one, raised).otherwise(one) for one in wrong)).bitwiseAND(f.lit(1)) + f.spark_partition_id()
        >= 0
    )
    return frame.of(frame.data.where(seen))


def split(frame: Frame) -> Frame:
    """One row for every instant at which a row is valid."""
    if frame.chronons:
        return frame
    endless = StreamError("Split: an element that is valid for ever has no end of pieces; give a horizon")
    last = f.when(f.col(END) == ENDLESS, f.raise_error(marked(endless)).cast("long")).otherwise(f.col(END) - 1)
    instants = f.explode(f.sequence(f.col(START), last)).alias(START)
    pieces = frame.data.select(*names(frame.schema), instants)
    return Frame(pieces.withColumn(END, f.col(START) + 1), frame.schema, True)


def _time_window(plan: TimeWindow, frame: Frame) -> Frame:
    size, slide = ENDLESS if plan.size == FOREVER else int(plan.size), plan.slide
    start = f.col(START)
    endless = start > max(ENDLESS - size - slide, -1)
    end = f.when(endless, f.lit(ENDLESS)).otherwise(_boundary(start + size, slide))
    data = frame.data.withColumn(END, end).withColumn(START, _boundary(start, slide))
    chronons = size == 1 and slide == 1
    return Frame(data if slide == 1 else data.where(f.col(START) < f.col(END)), frame.schema, chronons)


def _boundary(t: Column, slide: int) -> Column:
    """The first multiple of the slide at or after t."""
    return t if slide == 1 else _sum(t, f.pmod(-t, f.lit(slide)))


def _sum(t: Column, units: Column) -> Column:
    """The instant that much later, or ∞ if there is no such number, in every session."""
    return f.coalesce(f.try_add(t, units), f.lit(ENDLESS))


def _landmark_window(plan: LandmarkWindow, frame: Frame) -> Frame:
    start, first = f.col(START), plan.start
    end = f.lit(ENDLESS)
    if plan.reset is not None:
        end = _sum(start - (start - first) % plan.reset, f.lit(plan.reset).cast("long"))
    return Frame(frame.data.where(start >= first).withColumn(END, end), frame.schema)
