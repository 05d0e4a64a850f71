"""Whole streams through the time-interval algebra: `physical.run`."""

from collections.abc import Mapping

from physical.columns.stream import PhysicalStream
from physical.engines.interval.algebra import WHOLE_ALGEBRA
from physical.runtime.run_whole import AnyStream, run_whole
from semantics.evaluate import Planned


def run(
    query: Planned, sources: Mapping[str, AnyStream], horizon: int | None = None, threads: int | None = None
) -> PhysicalStream:
    """The result of a plan, up to a horizon if one is given.

    Long streams are run on as many threads as `threads` or SNAPEQ_THREADS says, or on all processors.

    >>> from semantics import parse, parse_plan
    >>> plan = parse_plan("S(x int) | window(range 2) | distinct")
    >>> run(plan, {"S": parse("raw(x int): (7)@0 (7)@1")}).to_interval().elements
    (((7,), Interval(start=0, end=3)),)
    """
    return run_whole(WHOLE_ALGEBRA, query, sources, horizon, threads)
