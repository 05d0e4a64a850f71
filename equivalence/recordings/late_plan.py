"""Where in a plan lateness matters: each window over a stream decides for itself which rows it still takes."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from equivalence.query_files.constraint_checks import unordered_checks
from equivalence.query_files.query_over_files import QueryOverFiles
from equivalence.query_files.query_run import QueryRun
from equivalence.query_files.stream_files import raw_sources
from equivalence.recordings.late_policy import Lateness
from equivalence.recordings.late_rows import NO_WINDOW, LateStream
from equivalence.recordings.late_sessions import LateSessions
from physical.files.reader import FileReader
from physical.files.run_in_batches import Batches
from semantics import FOREVER, Plan, Unsupported
from semantics.expression import Ref
from semantics.now_in_expressions import now_as_column
from semantics.plan import (
    CountWindow,
    Filter,
    Grouping,
    LandmarkWindow,
    Map,
    PartitionedWindow,
    SessionWindow,
    Source,
    TimeWindow,
    Union,
)
from semantics.time import End

WINDOWS = (TimeWindow, CountWindow, PartitionedWindow, LandmarkWindow, SessionWindow)
BY_WINDOW = ("drop-pane", "drop-bin")
"""What is late depends on the window."""


def late_run(run: QueryRun, lateness: Lateness, step: int | None = None, offset: int = 0) -> tuple[QueryRun, list[str]]:
    """The same run over rows in the order of arrival; with remarks on constraints that cannot be checked.

    `step` is the distance between panes, if the query is looked at in panes: its windows need not say it.
    """
    late = LatePlan(run.query, run.readers, lateness, step, offset)
    plan = late.rewritten(run.query.plan)
    remarks = [r for name in late.used for r in unordered_checks(run.readers[name], run.query.declaration(name))[1]]
    others = {name: reader for name, reader in run.readers.items() if name not in late.raw}
    query = QueryOverFiles(plan, run.query.catalogue)
    return replace(run, query=query, readers=others, inputs={**run.inputs, **late.inputs}), remarks


class LatePlan:
    """Replaces each stream by one per window size: its rows hold for as long as that window would hold them."""

    def __init__(
        self,
        query: QueryOverFiles,
        readers: Mapping[str, FileReader],
        lateness: Lateness,
        step: int | None,
        offset: int,
    ) -> None:
        self.query, self.readers, self.lateness, self.step, self.offset = query, readers, lateness, step, offset
        self.raw = raw_sources(query) & readers.keys()
        self.used: dict[str, None] = {}
        self.inputs: dict[str, Callable[[], Batches]] = {}

    def rewritten(self, plan: Plan) -> Plan:
        """The plan over the new streams. What a window did is done, so it only takes samples where it slides."""
        match plan:
            case Source(name) if name in self.raw:
                return self._late(plan, NO_WINDOW, 1)
            case LandmarkWindow(reset=int()) if self._has_panes(plan):
                return TimeWindow(self._windowed(plan.input, NO_WINDOW, self.step or 1, plan), NO_WINDOW)
            case TimeWindow() if self._has_panes(plan):
                step = self.step or (plan.slide if plan.slide > 1 else 1)
                return TimeWindow(self._windowed(plan.input, plan.size, step), NO_WINDOW, plan.slide)
            case SessionWindow() if self.lateness.late == "drop-pane" and self._is_over_late_rows(plan.input):
                return self._sessions(plan)
            case TimeWindow() | CountWindow() | PartitionedWindow() | LandmarkWindow() | SessionWindow() if (
                self._needs_panes(plan)
            ):
                raise Unsupported(
                    f"--late {self.lateness.late}: {plan.operator} over {plan.inputs[0].operator} has no panes of its "
                    "own; expected WINDOW(RANGE …) over a stream, or --late drop-row or keep"
                )
            case _:
                return plan.with_inputs(*map(self.rewritten, plan.inputs))

    def _sessions(self, plan: SessionWindow) -> Plan:
        """The rows of a session window, with the sessions that arrival and watermark make of them."""
        names = plan.sources().keys() & self.raw
        if len(names) != 1 or any(isinstance(node, Union) for node in plan.walk()):
            raise Unsupported(f"--late {self.lateness.late}: sessions over several streams at once")
        (source,) = names
        self.used[source] = None
        made = LateSessions(plan, LateStream(self.readers[source], self.query, source, self.lateness))
        name = f"{source} in sessions {len(self.inputs)}"
        self.inputs[name] = made.batches
        return Source(name, plan.schema)

    def _has_panes(self, plan: TimeWindow | LandmarkWindow) -> bool:
        return self.lateness.late in BY_WINDOW and self._is_over_late_rows(plan.input)

    def _needs_panes(self, plan: Plan) -> bool:
        """Do late rows reach this window? What a window below it gives out is final."""
        return self.lateness.late in BY_WINDOW and any(map(self._lets_late_rows_through, plan.inputs))

    def _lets_late_rows_through(self, plan: Plan) -> bool:
        if isinstance(plan, Source):
            return plan.name in self.raw
        return not isinstance(plan, WINDOWS) and any(map(self._lets_late_rows_through, plan.inputs))

    def _has_late_rows(self, plan: Plan) -> bool:
        return bool(plan.sources().keys() & self.raw)

    def _is_over_late_rows(self, plan: Plan) -> bool:
        """Is there nothing but work on single rows between the window and its streams? Then it may be done later.

        Work that asks for the instant asks for the row's own: that is a column of the late stream.
        """
        below = list(plan.walk())
        if not all(isinstance(node, Filter | Map | Union | Source) for node in below) or not self._has_late_rows(plan):
            return False
        return all(isinstance(node.inputs[0], Source) for node in below if node.mentions_now)

    def _windowed(self, plan: Plan, size: End, step: int, landmark: LandmarkWindow | None = None) -> Plan:
        if isinstance(plan, Source):
            if plan.name not in self.raw:
                raise Unsupported(
                    f"--late {self.lateness.late}: a window over {plan.name} and a stream of rows at once"
                )
            return self._late(plan, size, step, landmark)
        if plan.mentions_now:
            return self._at_own_instant(plan, size, step, landmark)
        return plan.with_inputs(*(self._windowed(child, size, step, landmark) for child in plan.inputs))

    def _at_own_instant(self, plan: Plan, size: End, step: int, landmark: LandmarkWindow | None) -> Plan:
        """A map or filter that asks for now, over rows that have their instant as a last column."""
        source = plan.inputs[0]
        assert isinstance(source, Source)
        width = len(source.schema)
        timed = self._late(source, size, step, landmark, timed=True)
        if isinstance(plan, Map):
            expressions = tuple(now_as_column(expression, width) for expression in plan.expressions)
            return Map(timed, expressions, plan.names)
        assert isinstance(plan, Filter)
        kept = Filter(timed, now_as_column(plan.predicate, width))
        return Map(kept, tuple(Ref(i, type_) for i, type_ in enumerate(source.schema.types)), source.schema.names)

    def _late(
        self, source: Source, size: End, step: int, landmark: LandmarkWindow | None = None, *, timed: bool = False
    ) -> Source:
        by_window = self.lateness.late in BY_WINDOW
        reset = None if landmark is None or landmark.reset is None else (landmark.start, landmark.reset)
        held = f"held {size} by {step}" if reset is None else f"since {reset[0]} by {reset[1]}"
        name = f"{source.name}{' timed' * timed} {held}" if by_window else source.name
        reader = self.readers[source.name]
        self.used[source.name] = None
        keys = partition_columns(self.query.plan, source.name) if self.lateness.late == "drop-key" else ()
        look_back = look_back_of(self.query.plan)
        late = LateStream(
            reader, self.query, source.name, self.lateness, size, step, self.offset, reset, keys, look_back, timed
        )
        self.inputs[name] = late.batches
        return Source(name, late.schema)


def look_back_of(plan: Plan) -> int | None:
    """How far back the windows of a plan look; None if one has no end."""
    sizes = [node.size for node in plan.walk() if isinstance(node, TimeWindow)]
    largest = max(sizes, default=FOREVER)
    return None if largest == FOREVER else int(largest) - 1


def partition_columns(plan: Plan, source: str) -> tuple[int, ...]:
    """The columns of a source by which the plan groups or partitions its rows: the key of an OVER window."""
    for node in plan.walk():
        keys = node.keys if isinstance(node, Grouping | PartitionedWindow) else ()
        places = [place for key in keys if (place := _place_in(node.inputs[0], key, source)) is not None]
        if keys and len(places) == len(keys):
            return tuple(places)
    return ()


def _place_in(plan: Plan, column: int, source: str) -> int | None:
    """The column of a source that a column of a plan is, if only work on single rows lies between."""
    match plan:
        case Source(name):
            return column if name == source else None
        case Map(below, expressions):
            expression = expressions[column]
            return _place_in(below, expression.index, source) if isinstance(expression, Ref) else None
        case Filter(below) | TimeWindow(below) | CountWindow(below) | LandmarkWindow(below):
            return _place_in(below, column, source)
        case _:
            return None


def last_watermark(run: QueryRun, lateness: Lateness) -> int:
    """The watermark after all rows, the least of all streams: later panes are still open."""
    streams = [LateStream(run.readers[name], run.query, name, lateness) for name in lateness.watermarks]
    return min((stream.last_watermark() for stream in streams), default=-1)
