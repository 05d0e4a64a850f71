"""From signed elements to intervals or occurrences, for instants that are over."""

from physical.columns.stream import PhysicalStream, in_order
from physical.engines.delta.operator import SettledOperator
from physical.engines.delta.row_lifetimes import Lives
from physical.kernels import pieces
from physical.kernels.types import ENDLESS
from semantics import Schema, StreamError


class DeltaToIntervals(SettledOperator):
    """The last operator of a plan whose result is intervals: it gives out the rows up to the watermark, cut there."""

    def __init__(self, schema: Schema) -> None:
        super().__init__("Intervals", (schema,), schema)

    def changes_of(self, lives: list[Lives], since: int, until: int) -> PhysicalStream:
        return lives[0].during(since, until)


class DeltaSplit(SettledOperator):
    """An occurrence for every instant at which a row is there, as windows take them."""

    def __init__(self, schema: Schema, horizon: int = ENDLESS) -> None:
        super().__init__("Split", (schema,), schema)
        self.horizon = horizon

    def changes_of(self, lives: list[Lives], since: int, until: int) -> PhysicalStream:
        part = lives[0].during(since, min(until, self.horizon))
        if bool((part.end == ENDLESS).any()):
            raise StreamError("Split: a row that is there for ever has no end of instants; give a horizon")
        element, start, end = pieces.split(part.start, part.end, 1)
        return in_order(part.take(element).valid_during(start, end))
