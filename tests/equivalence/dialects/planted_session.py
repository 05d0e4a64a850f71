"""A session with a dialect: it decides by itself which rows are late, and when to tell results."""

from collections.abc import Callable, Sequence

from equivalence.deviations.deviation import Variant, applied
from equivalence.deviations.plant import recorded
from equivalence.deviations.situation import Arrival, Input, Situation
from equivalence.dialects import session_deviations as sessions
from equivalence.recordings.recording import EveryInstant
from physical.columns.stream import PhysicalStream
from semantics import Instant, Interval, IntervalStream, Plan, Row, evaluate_sparse
from semantics.plan import Difference, Source, TimeWindow
from semantics.sparse.stream import SparseStream

HORIZON = 60
Told = tuple[Row, Interval]
OF_SESSIONS = (*sessions.LATE_ROWS, *sessions.WATERMARKS, *sessions.REPORTS, *sessions.ENDS)


class PlantedSession:
    """One query over one stream."""

    def __init__(self, variants: Sequence[Variant], slack: int) -> None:
        self.names = {variant.name for variant in variants}
        self.variants = [one for one in variants if one.deviation not in OF_SESSIONS]
        self.slack = 0 if "slack ignored" in self.names else slack
        self.taken: list[Arrival] = []
        self.now = self.latest = 0
        self.told: list[Told] = []

    def add(self, name: str, plan: Plan) -> None:  # noqa: ARG002  # there is one
        self.plan = plan

    def subscribe(self, name: str, take: Callable[[PhysicalStream], None]) -> None:  # noqa: ARG002
        self.take = take

    def push(self, source: str, batch: PhysicalStream) -> None:
        self.source = source
        for row, start, end in batch.to_elements():
            self.arrive(Arrival(row, Interval(start, end)))
            self.latest = max(self.latest, start)
        if "told on change" in self.names:
            self.tell(max(self.now, self.latest + 1))

    def heartbeat(self, instant: Instant, source: str | None = None) -> None:  # noqa: ARG002  # there is one
        self.now = max(self.now, instant)
        self.tell(self.now)

    @property
    def promised(self) -> Instant:
        return self.now if "only heartbeats" in self.names else max(self.now, self.latest - self.slack)

    def arrive(self, arrival: Arrival) -> None:
        promised = self.promised + ("late at the watermark" in self.names and self.promised > 0)
        if arrival.time >= promised or "late rows count" in self.names:
            self.taken.append(arrival)
        elif "late rows are lost by panes" in self.names:
            self.taken.append(Arrival(arrival.row, arrival.valid, promised))
        elif "late rows are lost by bins" in self.names:
            slide = next((node.slide for node in self.plan.walk() if isinstance(node, TimeWindow)), 1)
            self.taken += [arrival] if arrival.time // slide * slide + slide > promised else []
        elif "late rows are lost" not in self.names:
            raise ValueError(f"{arrival.time} is too late")

    def tell(self, until: Instant) -> None:
        """What of the result before an instant was not told."""
        if "told at the end" in self.names:
            return
        runs = self.result().runs
        if "told on close" in self.names:
            known = [(row, valid) for row, valid, n in runs for _ in range(n) if valid.end <= until]
        else:
            cut = [(row, valid, n) for row, valid, n in runs if valid.start < until]
            known = [(row, Interval(v.start, min(v.end, until))) for row, v, n in cut for _ in range(n)]
        fresh = self.beyond_what_was_told(known)
        self.told += fresh
        self.take(PhysicalStream.from_elements(self.plan.schema, fresh))

    def result(self) -> SparseStream:
        given = Input(self.plan.sources()[self.source], tuple(self.taken))
        situation = Situation(self.plan, {self.source: given}, EveryInstant(HORIZON), "pane")
        return SparseStream.counted(self.plan.schema, recorded(applied(self.variants, situation)), HORIZON)

    def beyond_what_was_told(self, known: list[Told]) -> list[Told]:
        schema = self.plan.schema
        sides = {"known": known, "told": self.told}
        streams = {n: IntervalStream(schema, sorted(e, key=lambda one: one[1].start)) for n, e in sides.items()}
        found = evaluate_sparse(Difference(Source("known", schema), Source("told", schema)), streams, HORIZON)
        return [(row, valid) for row, valid, n in found.runs for _ in range(n)]
