"""Sail as an engine for any plan, through the code of the engine spark; a process of its own runs both sides of it."""

import atexit
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from physical.adapters.environments import ENVIRONMENTS
from physical.adapters.worker_process import WorkerProcess
from semantics import Plan

if TYPE_CHECKING:
    from physical.adapters.sail.requests import FilesAnswer, QueryFiles
    from physical.columns.stream import PhysicalStream
    from physical.runtime.run_whole import AnyStream

SAIL: Final = ENVIRONMENTS["sail"]
PROCESS: Final = WorkerProcess(SAIL, "physical.adapters.sail.worker", {"RUST_LOG": "error"})
"""One server for everything that this process asks of Sail."""
atexit.register(PROCESS.stop)


class SailEngine:
    """The algebra on Sail, on this machine; the server starts with the first plan."""

    name = "sail"
    knows_now = True
    knows_functions = True
    knows_all_aggregates = True
    lifts = True
    """A job costs more than a case, so checkers should run many cases in one plan."""

    time_limit = 300.0
    """Seconds that a run may take; the first run starts the server."""

    def __init__(self, partitions: int | None = None) -> None:
        self.partitions = partitions

    def supports(self, plan: Plan) -> bool:  # noqa: ARG002  # all of them
        return True

    def run(self, plan: Plan, sources: Mapping[str, "AnyStream"], horizon: int | None = None) -> "PhysicalStream":
        SAIL.check_installed()
        from physical.adapters.sail.requests import RunPlan
        from physical.columns.stream import PhysicalStream

        streams = {name: PhysicalStream.of(sources[name]) for name in plan.sources().keys() & set(sources)}
        found = PROCESS.ask(RunPlan(plan, streams, horizon, self.partitions))
        assert isinstance(found, PhysicalStream)
        return found


def run_query_files(query: "QueryFiles") -> "FilesAnswer":
    """A query over files, on Sail."""
    from physical.adapters.sail.requests import FilesAnswer

    found = PROCESS.ask(query)
    assert isinstance(found, FilesAnswer)
    return found
