"""CREATE statements about the streams of a continuous query: which constraints are checked, when, and which are not.

A stream that never ends has no moment at which it could be checked as a whole. Constraints on tables are checked before
the query starts, and those on single rows when a row comes in. All others are assumed to hold, with a warning.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from equivalence.command.on_spark import SparkQueryRun, check_constraints
from equivalence.command.terminal import warn
from equivalence.query_files.constraint_queries import ConstraintQuery, constraint_queries
from semantics.plan import Filter, Source

if TYPE_CHECKING:
    from physical.engines.spark.exchange import Spread
    from physical.engines.spark.frame import Frame


def with_constraints_checked(run: SparkQueryRun, frames: "Mapping[str, Frame]", spread: "Spread") -> "dict[str, Frame]":
    """The frames, in which a row that violates a constraint ends the query with an error."""
    from physical.engines.spark.compile import Compiler

    queries, remarks = constraint_queries(run.query, run.addresses)
    tables = {name for name, frame in frames.items() if not frame.data.isStreaming}
    at_once = [query for query in queries if query.violations.sources().keys() <= tables]
    by_row = [query for query in queries if query not in at_once and _is_by_row(query)]
    check_constraints(at_once, Compiler(frames, spread), run.addresses)
    _warn_of_unchecked([query for query in queries if query not in at_once and query not in by_row], remarks)
    return _with_rows_checked(frames, by_row, run.addresses)


def _is_by_row(query: ConstraintQuery) -> bool:
    return isinstance(query.violations, Filter) and isinstance(query.violations.input, Source)


def _with_rows_checked(
    frames: "Mapping[str, Frame]", queries: Sequence[ConstraintQuery], addresses: Mapping[str, str]
) -> "dict[str, Frame]":
    from physical.engines.spark.decode_dataframe import refusing
    from physical.engines.spark.expressions import column

    checked = dict(frames)
    for query in queries:
        assert isinstance(query.violations, Filter)
        name, frame = query.source, checked[query.source]
        wrong = column(query.violations.predicate, frame.columns)
        checked[name] = refusing(frame, wrong, query.error(addresses[name], (), 0))
    return checked


def _warn_of_unchecked(unchecked: Sequence[ConstraintQuery], remarks: Sequence[str]) -> None:
    titles = list(dict.fromkeys(query.title for query in unchecked))
    if titles:
        warn(f"snapeq: --continuous: taken for granted, not checked: {', '.join(titles)}")
    for remark in remarks:
        warn(f"snapeq: {remark}")
