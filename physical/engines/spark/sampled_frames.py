"""Results at the instants at which recordings are judged: at single ones, or at the last instants of panes."""

from collections.abc import Iterable

from pyspark.sql import Column
from pyspark.sql import functions as f

from physical.engines.spark.errors import readable_errors
from physical.engines.spark.frame import END, START, Frame
from physical.kernels.types import ENDLESS
from semantics import Instant, Unsupported


def last_start(frames: Iterable[Frame]) -> Instant:
    """The latest start of all rows; 0 if there are none."""
    with readable_errors():
        found = [frame.data.agg(f.max(START)).collect()[0][0] for frame in frames]
    return max((int(last) for last in found if last is not None), default=0)


def later(frame: Frame, delay: int) -> Frame:
    """The same rows, later by so much; what is there at every instant stays so."""
    if not delay:
        return frame
    start, end = f.col(START), f.col(END)
    always = (start == 0) & (end == ENDLESS)
    moved_end = f.when(end >= ENDLESS - delay, f.lit(ENDLESS)).otherwise(end + delay)
    data = frame.data.withColumns({START: f.when(always, f.lit(0)).otherwise(start + delay), END: moved_end})
    return frame.of(data)


def at_instant(frame: Frame, at: Instant) -> Frame:
    """What is there at one instant, for that instant."""
    there = frame.data.where((f.col(START) <= at) & (f.col(END) > at))
    return frame.of(there.withColumns({START: f.lit(at).cast("long"), END: f.lit(at + 1).cast("long")}))


def at_panes(frame: Frame, step: int, offset: int, delay: int) -> Frame:
    """A piece of each run for each pane that ends within it, moved back by a delay: [e − 1, e)."""
    with readable_errors():
        if frame.data.where(f.col(END) == ENDLESS).limit(1).count():
            raise Unsupported("panes: the query holds a row for ever, so its panes never end; expected a --horizon")
    first, last = _floor(START, offset + delay, step) + 1, _floor(END, offset + delay, step)
    ends = f.explode(f.sequence(first, last)).alias("_pane")
    pieces = frame.data.where(last >= first).select("*", ends)
    end = f.col("_pane") * step + offset
    return frame.of(pieces.withColumns({START: end - 1, END: end}).where(end >= 1).drop("_pane"))


def _floor(name: str, offset: int, step: int) -> Column:
    """How many whole steps lie between an offset and a time."""
    return f.floor((f.col(name) - offset - f.pmod(f.col(name) - offset, f.lit(step))) / step).cast("long")
