"""`snapeq run --engine sail`: a query over files on a Spark Connect server without Java, in its own environment."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Final

from equivalence.command.on_spark import SparkQueryRun, is_folder
from equivalence.command.terminal import warn, working
from semantics import SnapeqError

if TYPE_CHECKING:
    from physical.files.writer import Results

SAIL: Final = "sail"


def run_on_sail(
    run: SparkQueryRun, out: str | None, results: "Callable[[], AbstractContextManager[Results]]"
) -> "Results | None":
    """Write the result as a folder of Parquet files, or hand it to what prints it or writes one file."""
    from equivalence.query_files.constraint_queries import constraint_queries
    from equivalence.query_files.stream_files import layout
    from physical.adapters.environments import ENVIRONMENTS
    from physical.adapters.sail.engine import run_query_files
    from physical.adapters.sail.requests import QueryFiles

    if run.target.master is not None or run.target.conf:
        raise SnapeqError(f"{run.target.first_option}: only for the engine spark, got {SAIL}")
    ENVIRONMENTS[SAIL].install(warn)
    queries, remarks = constraint_queries(run.query, run.addresses)
    streams = {name: (address, layout(name, run.query)) for name, address in run.addresses.items()}
    folder = out if out is not None and is_folder(out) else None
    violations = tuple(query.violations for query in queries)
    with working("running on Sail"):
        answer = run_query_files(
            QueryFiles(run.query.plan, streams, violations, run.horizon, run.target.partitions, folder)
        )
    if answer.violation is not None:
        broken = queries[answer.violation.constraint]
        raise broken.error(run.addresses[broken.source], answer.violation.row, answer.violation.at)
    for remark in remarks:
        warn(f"snapeq: {remark}")
    if answer.runs is None:
        return None
    with results() as taking:
        taking.take(answer.runs)
        return taking
