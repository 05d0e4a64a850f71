"""The option --dialect, and what a dialect decides that nobody has said."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Final, TypeVar

import typer

from equivalence.command.late_options import LateOptions
from equivalence.command.terminal import warn

if TYPE_CHECKING:
    from equivalence.command.recorded_output import OutputOptions
    from equivalence.query_files.query_over_files import QueryOverFiles
    from equivalence.recordings.first_rows import FirstRows
    from equivalence.recordings.operations import Operation
    from semantics.sql.dialects.reading import Reading

NAMES: Final = "snapeq, flink, spark, risingwave, materialize, feldera, arroyo, ksqldb, calcite, cql, duckdb, postgres"
Dialect = Annotated[
    str | None, typer.Option("--dialect", metavar="NAME", help=f"Whose SQL the query is: {NAMES}. [default: snapeq]")
]
T = TypeVar("T")
NO_TIMES: Final = "nothing in it says when rows hold, so these are all that"
PER_ROW: Final = ("flink", "risingwave", "arroyo", "feldera", "ksqldb")
"""Engines whose watermark goes on with every row, so that their policy needs no further option."""

LEAVE_OUT_NULLS: Final = ("spark",)
"""Engines whose JSON has no fields for NULL."""
ALL_VERSIONS: Final = ("ksqldb",)
"""Engines that write each change of a pane as a new row, unless a query asks for the final ones."""
CHANGELOGS: Final = ("retract", "debezium", "upsert")


def late_by_dialect(arrival: LateOptions, query: "QueryOverFiles") -> LateOptions:
    """The dialect's policy and watermarks, unless the options say something."""
    reading = query.reading
    if arrival.watermarks or reading is None or not reading.watermarks:
        return arrival
    marks = [f"{name}={column} - {delay // 1000} MILLISECONDS" for name, (column, delay) in reading.watermarks.items()]
    if arrival.given():
        return replace(arrival, watermarks=marks)
    from semantics.plan import SessionWindow

    has_bins = not any(isinstance(node, SessionWindow) for node in query.plan.walk())
    if reading.kind == "panes" and reading.dialect in PER_ROW and (has_bins or reading.dialect != "arroyo"):
        return LateOptions(marks, policy=_policy(reading))
    return LateOptions(marks, late="keep")


def _policy(reading: "Reading") -> str:
    """The dialect's own; ksqlDB leaves open windows out where only final rows are given out."""
    final = reading.dialect in ALL_VERSIONS and not reading.lasting
    return f"{reading.dialect}-final" if final else reading.dialect


def in_any_order(work: "Callable[[LateOptions], T]", arrival: LateOptions, query: "QueryOverFiles") -> "T":
    """Do the work; if rows of another dialect's table turn out not to be in the order of time, once more without it.

    Only our own streams promise an order.
    """
    from physical.files.reader import UnorderedFile

    try:
        return work(arrival)
    except UnorderedFile as error:
        if query.reading is None or arrival.given():
            raise
        warn(f"snapeq: {error.path}: rows are not in the order of time; they are taken in that order")
        return work(LateOptions(late="keep"))


def output_by_dialect(
    said: "OutputOptions", query: "QueryOverFiles", rows: "FirstRows"
) -> "tuple[OutputOptions, QueryOverFiles]":
    """What a file is by the dialect where it does not show it itself, and the query to judge it by.

    An answer that changes, without its changes, is the last one. Rows of a stream that have no time are all its rows.
    """
    reading = query.reading
    if reading is None:
        return said, query
    said = replace(said, missing_is_null=reading.dialect in LEAVE_OUT_NULLS)
    if said.at is not None or not rows.names:
        return said, query
    said = _with_key(said, query, reading)
    shown = {name.lower() for name in rows.names}
    there = {role: name for role, name in reading.roles.items() if name.lower() in shown}
    if said.kind is not None:
        return _as_said(said, query, there)
    if "_start" in shown or reading.kind not in ("panes", "events"):
        if "_start" in shown or _has_changes(rows):
            return said, query
        return replace(
            said, kind="snapshot", at="end", by_dialect=f"{NO_TIMES} {reading.dialect} has by the end"
        ), query
    if reading.lasting and _has_changes(rows) and _has_windows(there):
        return said, _lasting(query, reading)
    if _has_windows(there) and not _takes_back(rows.operations) and not _pads_windows(query):
        panes = _as_panes(said, there)
        if reading.dialect in ALL_VERSIONS and reading.lasting:
            why = f"{reading.dialect} gives out every version of a row"
            return replace(panes, kind="updates", key=said.key or _pane_key(query), by_dialect=why), query
        return panes, query
    if reading.kind == "events" and "time" in there and not _has_changes(rows):
        return replace(said, kind="events", names={**said.names, "time": said.names["time"] or there["time"]}), query
    kind = None if _has_changes(rows) else "snapshot"
    why = f"{NO_TIMES} {reading.dialect} ever gives out"
    return replace(said, kind=kind, at="settled", by_dialect=why), _all_rows(query)


def _as_said(
    said: "OutputOptions", query: "QueryOverFiles", there: dict[str, str]
) -> "tuple[OutputOptions, QueryOverFiles]":
    """Somebody has said the kind: what is left to find out is which columns hold the windows."""
    if said.kind in ("snapshot", "events", "intervals") or not _has_windows(there) or _pads_windows(query):
        return said, query
    if said.kind in CHANGELOGS and query.reading is not None and query.reading.lasting:
        return said, _lasting(query, query.reading)
    return replace(_as_panes(said, there), kind=said.kind), query


def _with_key(said: "OutputOptions", query: "QueryOverFiles", reading: "Reading") -> "OutputOptions":
    """The key of the table that the query fills is that of its output."""
    names = {name.lower(): name for name in query.plan.schema.names}
    if said.key is not None or not reading.keys or any(key.lower() not in names for key in reading.keys):
        return said
    return replace(said, key=",".join(names[key.lower()] for key in reading.keys))


def _has_changes(rows: "FirstRows") -> bool:
    shown = {name.lower() for name in rows.names}
    return bool(rows.operations - {"insert"}) or {"before", "after"} <= shown


def _has_windows(there: dict[str, str]) -> bool:
    return "window end" in there


def _takes_back(operations: "frozenset[Operation]") -> bool:
    """Are rows of panes replaced? Then they are not final, as an engine's panes are by its documentation."""
    return bool(operations - {"insert"})


def _pads_windows(query: "QueryOverFiles") -> bool:
    """May a row of the answer be in no window, since an outer join had nothing to put there?"""
    from semantics.plan import FullJoin, LeftJoin, RightJoin

    return any(isinstance(node, LeftJoin | RightJoin | FullJoin) for node in query.plan.walk())


def _all_rows(query: "QueryOverFiles") -> "QueryOverFiles":
    """Every row that ever is in the answer, as often as it is given out."""
    from semantics import FOREVER
    from semantics.plan import TimeWindow

    return replace(query, plan=TimeWindow(query.plan, FOREVER))


def _pane_key(query: "QueryOverFiles") -> str | None:
    from equivalence.recordings.output_key import key_within_panes

    key = key_within_panes(query.plan)
    return None if key is None else ",".join(key)


def _as_panes(said: "OutputOptions", there: dict[str, str]) -> "OutputOptions":
    given = {what: name if name is not None else there.get(what) for what, name in said.names.items()}
    return replace(said, kind="panes", names=given)


def _lasting(query: "QueryOverFiles", reading: "Reading") -> "QueryOverFiles":
    """The query whose rows stay: an engine writes down how the rows of its panes change."""
    from semantics.sql import parse_script

    return replace(query, plan=parse_script(";\n".join((*reading.declarations, reading.lasting))).plan)
