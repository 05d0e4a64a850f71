"""The results of the delta engine as it makes them: signed elements, of which every minus ends what a plus began."""

from collections import defaultdict
from collections.abc import Iterator, Mapping

from physical.engines.delta.algebra import run_deltas
from physical.engines.delta.engine import DeltaEngine
from physical.runtime.run_whole import AnyStream
from semantics import FOREVER, Interval, IntervalStream, Plan, Row
from semantics.stream import IntervalElement
from semantics.value import identical_row


class SignedElements(DeltaEngine):
    """The delta engine, read by its signs."""

    name = "signed elements"

    def run(self, plan: Plan, sources: Mapping[str, AnyStream], horizon: int | None = None) -> IntervalStream:  # type: ignore[override]  # a stream of rows
        found = sorted(_intervals(plan, sources, horizon), key=lambda element: element[1].start)
        return IntervalStream(plan.schema, found)


def _intervals(plan: Plan, sources: Mapping[str, AnyStream], horizon: int | None) -> Iterator[IntervalElement]:
    begun: dict[Row, list[int]] = defaultdict(list)
    signed = run_deltas(plan, sources, horizon).to_elements()
    for sign, row, t in sorted(signed, key=lambda element: (element[2], element[0] != "+")):
        known = begun[identical_row(row)]
        if sign == "+":
            known.append(t)
        elif (since := known.pop(0)) < t:
            yield row, Interval(since, t)
    yield from ((row, Interval(t, FOREVER)) for row, starts in begun.items() for t in starts)
