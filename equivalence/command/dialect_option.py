"""The option --dialect, and what a dialect decides that nobody has said."""

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Final

import typer

from equivalence.command.late_options import LateOptions

if TYPE_CHECKING:
    from equivalence.command.recorded_output import OutputOptions
    from equivalence.query_files.query_over_files import QueryOverFiles
    from semantics.sql.dialects.reading import Reading

NAMES: Final = "snapeq, flink, spark, risingwave, materialize, feldera, arroyo, ksqldb, calcite, cql, duckdb, postgres"
Dialect = Annotated[
    str | None, typer.Option("--dialect", metavar="NAME", help=f"Whose SQL the query is: {NAMES}. [default: snapeq]")
]
PER_ROW: Final = ("flink", "risingwave", "arroyo", "feldera")
"""Engines whose watermark goes on with every row, so that their policy needs no further option."""


def late_by_dialect(arrival: LateOptions, query: "QueryOverFiles") -> LateOptions:
    """The dialect's policy and watermarks, unless the options say something."""
    reading = query.reading
    if arrival.given() or reading is None or not reading.watermarks:
        return arrival
    marks = [f"{name}={column} - {delay // 1000} MILLISECONDS" for name, (column, delay) in reading.watermarks.items()]
    from semantics.plan import SessionWindow

    sessions = any(isinstance(node, SessionWindow) for node in query.plan.walk())
    if reading.kind == "panes" and reading.dialect in PER_ROW and not sessions:
        return LateOptions(marks, policy=reading.dialect)
    return LateOptions(marks, late="keep")


def output_by_dialect(
    said: "OutputOptions", query: "QueryOverFiles", names: list[str]
) -> "tuple[OutputOptions, QueryOverFiles]":
    """What a file is by the dialect where it does not show it itself, and the query to judge it by.

    An answer that changes, without its changes, is the last one. Rows of a stream that have no time are all its rows.
    """
    reading = query.reading
    if reading is None or said.kind is not None or said.at is not None or not names:
        return said, query
    shown = {name.lower().lstrip("_") for name in names}
    there = {role: name for role, name in reading.roles.items() if name.lower() in shown}
    if shown & {"op", "before", "after", "start", "rowkind", "row_kind"}:
        return _of_changes(said, query, reading, there)
    if reading.kind == "panes" and {"window start", "window end"} & there.keys():
        return _as_panes(said, there), query
    if reading.kind == "events" and "time" in there:
        return replace(said, kind="events", names={**said.names, "time": said.names["time"] or there["time"]}), query
    from semantics import FOREVER
    from semantics.plan import TimeWindow

    plan = TimeWindow(query.plan, FOREVER) if reading.kind in ("panes", "events") else query.plan
    return replace(said, kind="snapshot", at="end"), replace(query, plan=plan)


def _as_panes(said: "OutputOptions", there: dict[str, str]) -> "OutputOptions":
    given = {what: name if name is not None else there.get(what) for what, name in said.names.items()}
    return replace(said, kind="panes", names=given)


def _of_changes(
    said: "OutputOptions", query: "QueryOverFiles", reading: "Reading", there: dict[str, str]
) -> "tuple[OutputOptions, QueryOverFiles]":
    """A file with operations: of panes that are final these are inserts only; others are followed as they change."""
    if reading.kind != "panes" or not {"window start", "window end"} & there.keys():
        return said, query
    if not reading.lasting:
        return _as_panes(said, there), query
    from semantics.sql import parse_script

    plan = parse_script(";\n".join((*reading.declarations, reading.lasting))).plan
    return said, replace(query, plan=plan)
