"""Spark's event-time operators as an engine under test, over tables or over streams."""

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from physical.adapters.spark.sql_engine import own_session
from physical.columns.stream import PhysicalStream
from semantics import Plan, Schema, StreamError

if TYPE_CHECKING:
    import pyarrow as pa

    from physical.adapters.spark.feed import EventFeed
    from physical.runtime.run_whole import AnyStream


class SparkEventTimeEngine:
    """`window()`, stream joins and `dropDuplicates`; its sources are raw streams."""

    lifts = True
    time_limit = 300.0

    def __init__(self, *, streaming: bool = True, feed: "EventFeed | None" = None, timed: bool = False) -> None:
        self.streaming = streaming
        self.feed = feed
        self.timed = timed
        """Does the query also select the event time? That should not change which rows there are."""
        self.name = "spark-streaming" if streaming else "spark-event-time"
        self.late = 0
        """Rows that the last run dropped because they came too late."""

    def supports(self, plan: Plan) -> bool:
        from physical.adapters.spark.event_time import has_event_time_query

        return has_event_time_query(plan, streaming=self.streaming)

    def run(self, plan: Plan, sources: Mapping[str, "AnyStream"], horizon: int) -> PhysicalStream:
        from physical.adapters.spark.event_time import event_time_frame
        from physical.adapters.spark.feed import EventFeed, drained
        from physical.engines.spark.errors import readable_errors
        from physical.engines.spark.frame import to_frame

        spark, feed = own_session(True), self.feed or EventFeed()
        streams = {name: chronons(sources[name]) for name in plan.sources()}
        with readable_errors(), tempfile.TemporaryDirectory() as folder:
            if self.streaming:
                live = {n: feed.live(spark, s, Path(folder) / str(i)) for i, (n, s) in enumerate(streams.items())}
                found, self.late = drained(spark, event_time_frame(plan, live, timed=self.timed))
            else:
                live = {n: feed.timed(to_frame(spark, s).data, s) for n, s in streams.items()}
                found = event_time_frame(plan, live).toArrow()
        return moved(found, plan.schema, -feed.shift, horizon)


def chronons(stream: "AnyStream") -> PhysicalStream:
    """The stream itself; raises an error unless every element is valid for one instant only."""
    whole = PhysicalStream.of(stream)
    if len(whole) and int((whole.end - whole.start).max()) > 1:
        raise StreamError("Source: rows of Spark have one event time, got an element that is valid for longer")
    return whole


def moved(found: "pa.Table", schema: Schema, by: int, horizon: int) -> PhysicalStream:
    """The rows as a stream, moved in time, up to the horizon."""
    import pyarrow.compute as pc

    from physical.engines.spark.frame import END, START, from_batches

    for name in (START, END):
        found = found.set_column(found.column_names.index(name), name, pc.add(found.column(name), by))
    return from_batches(found.filter(pc.less(found.column(START), horizon)), schema)
