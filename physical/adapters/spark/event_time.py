"""Plans by Spark's own event-time operators; the same query runs over a table, or over a stream with a watermark."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f

from physical.adapters.spark.sql_text import spark_aggregate, spark_expression
from physical.engines.spark.frame import END, START, names
from semantics import FOREVER, Expression, Plan, Schema
from semantics import plan as nodes
from semantics.aggregate import CountDistinct, is_basic
from semantics.time import End

INSTANT: Final = "t"
TIME: Final = "ts"
"""INSTANT as a TIMESTAMP: one unit of time is a second, and 0 is the epoch."""


WINDOW_BOUNDS: Final = {"start": START, "end": END}
"""The bounds of a window by Spark's names for them."""


@dataclass(frozen=True, eq=False)
class EventRows:
    """Rows with the time of their event, and the size and slide of the window that makes them valid."""

    data: DataFrame
    schema: Schema
    size: End = 1
    slide: int = 1

    @property
    def columns(self) -> list[str]:
        return names(self.schema)

    def intervals(self, *also: str) -> DataFrame:
        """The columns, _start and _end, and further columns."""
        return self.data.select(*self.columns, *self.validity(INSTANT), *also)

    def validity(self, instant: str) -> list[Column]:
        """The start and the end of a row whose event is at this instant."""
        last = f.col(instant) + int(self.size)
        return [boundary(f.col(instant), self.slide).alias(START), boundary(last, self.slide).alias(END)]


def boundary(t: Column, slide: int) -> Column:
    """The first multiple of the slide at or after t."""
    return t + f.pmod(-t, f.lit(slide))


def event_time_frame(plan: Plan, sources: Mapping[str, DataFrame], *, timed: bool = False) -> DataFrame:
    """The result of Spark's operators over sources with the columns c0, c1, …, t, ts, with _start and _end.

    If duplicates are dropped and `timed` is set, the result also has the event time.
    """
    match plan:
        case nodes.Join():
            return _joined(plan, _event_rows(plan.left, sources), _event_rows(plan.right, sources))
        case nodes.Map(input=nodes.Join() as join):
            return _selected(event_time_frame(join, sources), plan, [START, END])
        case nodes.Aggregation(input=below) | nodes.Grouping(input=below):
            return _grouped(plan, _event_rows(below, sources))
        case nodes.Istream(input=nodes.Distinct(input=nodes.TimeWindow(input=below))):
            live = _event_rows(below, sources)
            return replace(live, data=live.data.dropDuplicates(live.columns)).intervals(*[TIME][: int(timed)])
        case nodes.Distinct(input=below):
            live = _event_rows(below, sources)
            if live.size != 1:
                return _sessions(live)
            return replace(live, data=live.data.dropDuplicates([*live.columns, TIME])).intervals()
        case _:
            return _event_rows(plan, sources).intervals()


def _event_rows(plan: Plan, sources: Mapping[str, DataFrame]) -> EventRows:
    """Sources, windows and operators that treat each row by itself."""
    match plan:
        case nodes.Source(name=name, schema=schema):
            return EventRows(sources[name], schema)
        case nodes.TimeWindow(input=below, size=size, slide=slide):
            return replace(_event_rows(below, sources), size=size, slide=slide)
        case nodes.Filter(input=below, predicate=predicate):
            live = _event_rows(below, sources)
            return replace(live, data=live.data.where(_text(predicate, live.columns)))
        case nodes.Map(input=below):
            live = _event_rows(below, sources)
            return replace(live, data=_selected(live.data, plan, [INSTANT, TIME]), schema=plan.schema)
        case _:
            raise ValueError(f"{plan.operator}: not below another operator of a stream")


def has_event_time_query(plan: Plan, *, streaming: bool) -> bool:
    """Does Spark have a query over event time that should mean this plan?"""
    if any(node.mentions_now for node in plan.walk()):
        return False
    match plan:
        case nodes.Map(input=nodes.Join(left=left, right=right)) | nodes.Join(left=left, right=right):
            return all(_is_simple(one) and _window(one).slide == 1 for one in (left, right))
        case nodes.Aggregation(on_empty=True):
            return False
        case nodes.Aggregation(input=below, aggregates=made) | nodes.Grouping(input=below, aggregates=made):
            distinct = any(isinstance(a, CountDistinct) for a in made)
            if not all(map(is_basic, made)):
                return False
            window = _window(below) if _is_simple(below) else None
            return window is not None and window.slide <= window.size and not (streaming and distinct)
        case nodes.Istream(input=nodes.Distinct(input=nodes.TimeWindow(size=size, slide=1, input=below))):
            return size == FOREVER and _is_simple(below) and _window(below) == Window(1, 1)
        case nodes.Distinct(input=below):
            return _is_simple(below) and _window(below).slide == 1
        case _:
            return _is_simple(plan)


@dataclass(frozen=True)
class Window:
    """A time window; size 1 and slide 1 mean no window."""

    size: End
    slide: int


def _window(plan: Plan) -> Window:
    match plan:
        case nodes.TimeWindow(size=size, slide=slide):
            return Window(size, slide)
        case nodes.Filter(input=below) | nodes.Map(input=below):
            return _window(below)
        case _:
            return Window(1, 1)


def _is_simple(plan: Plan) -> bool:
    """Does it have at most one finite window, and otherwise operators that treat each row by itself?"""
    match plan:
        case nodes.Source():
            return True
        case nodes.Filter(input=below) | nodes.Map(input=below):
            return _is_simple(below)
        case nodes.TimeWindow(input=below, size=size):
            return size != FOREVER and _is_simple(below) and _window(below) == Window(1, 1)
        case _:
            return False


def _grouped(plan: nodes.Aggregation | nodes.Grouping, live: EventRows) -> DataFrame:
    """By `window()`: if e is the instant after a boundary, Spark's window that ends before e is ours from e − 1 on."""
    size, slide = int(live.size), live.slide
    offset = (1 - size) % slide
    window = f.window(TIME, f"{size} seconds", f"{slide} seconds", f"{offset} seconds").alias("w")
    keys = plan.keys if isinstance(plan, nodes.Grouping) else ()
    groups = live.data.groupBy(window, *(f.col(f"c{key}").alias(f"k{i}") for i, key in enumerate(keys)))
    made = [f.expr(spark_aggregate(a, live.columns)).alias(f"a{i}") for i, a in enumerate(plan.aggregates)]
    found = groups.agg(*made) if made else groups.count()
    start = f.col("w.end").cast("long") - 1
    columns = [*(f"k{i}" for i in range(len(keys))), *(f"a{i}" for i in range(len(made)))]
    named = [f.col(old).alias(new) for old, new in zip(columns, names(plan.schema), strict=True)]
    return found.select(*named, start.alias(START), (start + slide).alias(END))


def _sessions(live: EventRows) -> DataFrame:
    """By `session_window()`: a session of equal rows continues while the next row comes within the gap."""
    session = f.session_window(TIME, f"{int(live.size)} seconds").alias("w")
    found = live.data.groupBy(session, *live.columns).count()
    return found.select(
        *live.columns, *(f.col(f"w.{side}").cast("long").alias(name) for side, name in WINDOW_BOUNDS.items())
    )


def _joined(plan: nodes.Join, left: EventRows, right: EventRows) -> DataFrame:
    """Two rows are joined if one is still valid when the other comes."""
    sides = {"l": left, "r": right}
    data = [live.data.select([f.col(c).alias(f"{s}{c}") for c in live.data.columns]) for s, live in sides.items()]
    columns = [f"{side}{column}" for side, live in sides.items() for column in live.columns]
    on = [_text(plan.condition, columns), _before("l", "r", right), _before("r", "l", left)]
    found = data[0].join(data[1], f.expr(" AND ".join(f"({one})" for one in on)))
    valid = [live.validity(f"{side}{INSTANT}") for side, live in sides.items()]
    named = [f.col(old).alias(new) for old, new in zip(columns, names(plan.schema), strict=True)]
    start, end = f.greatest(valid[0][0], valid[1][0]), f.least(valid[0][1], valid[1][1])
    return found.select(*named, start.alias(START), end.alias(END))


def _before(one: str, other: str, live: EventRows) -> str:
    """One comes before the other ends."""
    return f"{one}{TIME} < {other}{TIME} + INTERVAL {int(live.size)} SECONDS"


def _selected(data: DataFrame, plan: nodes.Map, kept: Sequence[str]) -> DataFrame:
    columns = names(plan.input.schema)
    made = [f.expr(_text(e, columns)).alias(n) for e, n in zip(plan.expressions, names(plan.schema), strict=True)]
    return data.select(*made, *kept)


def _text(expression: Expression, columns: Sequence[str]) -> str:
    return spark_expression(expression, columns, guarded=True)
