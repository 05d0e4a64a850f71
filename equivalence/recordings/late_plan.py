"""Where in a plan lateness matters: each window over a stream decides for itself which rows it still takes."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from equivalence.query_files.constraint_checks import unordered_checks
from equivalence.query_files.query_over_files import QueryOverFiles
from equivalence.query_files.query_run import QueryRun
from equivalence.query_files.stream_files import raw_sources
from equivalence.recordings.late_policy import Lateness
from equivalence.recordings.late_rows import NO_WINDOW, LateStream
from physical.files.reader import FileReader
from physical.files.run_in_batches import Batches
from semantics import Plan, Unsupported
from semantics.plan import (
    CountWindow,
    Filter,
    LandmarkWindow,
    Map,
    PartitionedWindow,
    Source,
    TimeWindow,
    Union,
)
from semantics.time import End

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
            case TimeWindow() if self.lateness.late in BY_WINDOW and self._is_over_late_rows(plan.input):
                step = self.step or (plan.slide if plan.slide > 1 else 1)
                return TimeWindow(self._windowed(plan.input, plan.size, step), NO_WINDOW, plan.slide)
            case TimeWindow() | CountWindow() | PartitionedWindow() | LandmarkWindow() if self._needs_panes(plan):
                raise Unsupported(
                    f"--late {self.lateness.late}: {plan.operator} over {plan.inputs[0].operator} has no panes of its "
                    "own; expected WINDOW(RANGE …) over a stream, or --late drop-row or keep"
                )
            case _:
                return plan.with_inputs(*map(self.rewritten, plan.inputs))

    def _needs_panes(self, plan: Plan) -> bool:
        return self.lateness.late in BY_WINDOW and self._has_late_rows(plan)

    def _has_late_rows(self, plan: Plan) -> bool:
        return bool(plan.sources().keys() & self.raw)

    def _is_over_late_rows(self, plan: Plan) -> bool:
        """Is there nothing but work on single rows between the window and its streams? Then it may be done later."""
        below = list(plan.walk())
        return all(isinstance(node, Filter | Map | Union | Source) for node in below) and self._has_late_rows(plan)

    def _windowed(self, plan: Plan, size: End, step: int) -> Plan:
        if isinstance(plan, Source):
            if plan.name not in self.raw:
                raise Unsupported(
                    f"--late {self.lateness.late}: a window over {plan.name} and a stream of rows at once"
                )
            return self._late(plan, size, step)
        return plan.with_inputs(*(self._windowed(child, size, step) for child in plan.inputs))

    def _late(self, source: Source, size: End, step: int) -> Source:
        by_window = self.lateness.late in BY_WINDOW
        name = f"{source.name} held {size} by {step}" if by_window else source.name
        reader = self.readers[source.name]
        self.used[source.name] = None
        late = LateStream(reader, self.query, source.name, self.lateness, size, step, self.offset)
        self.inputs[name] = late.batches
        return Source(name, source.schema)


def last_watermark(run: QueryRun, lateness: Lateness) -> int:
    """The watermark after all rows, the least of all streams: later panes are still open."""
    streams = [LateStream(run.readers[name], run.query, name, lateness) for name in lateness.watermarks]
    return min((stream.last_watermark() for stream in streams), default=-1)
