"""The options of `snapeq check` for outputs as engines record them, and how the verdict is told."""

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, assert_never

import typer

from equivalence.command.explained_recording import all_claims, lines_of, with_findings, write_page
from equivalence.command.terminal import FALLS_SHORT, HOLDS, instants, print_json, warn
from semantics import FOREVER, SnapeqError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from equivalence.command.explained_recording import Explaining
    from equivalence.deviations.findings import Findings
    from equivalence.query_files.query_over_files import QueryOverFiles
    from equivalence.query_files.query_run import QueryRun
    from equivalence.recordings.first_rows import FirstRows
    from equivalence.recordings.judge import RecordingVerdict
    from equivalence.recordings.late_policy import Lateness
    from equivalence.recordings.open_recording import OpenRecording, RecordingOptions

ANOMALIES_PRINTED: Final = 5
"""Of each name."""

Kind = Annotated[
    str | None,
    typer.Option(
        "--as",
        metavar="KIND",
        help="FILE is panes, events, retract, debezium, upsert, updates, snapshot or intervals; or what it shows.",
    ),
]
Key = Annotated[str | None, typer.Option(metavar="a,b", help="The key of an upsert log, or of panes.")]
At = Annotated[
    str | None,
    typer.Option(metavar="T", help="When a snapshot was taken: an instant, an ISO time, or end (last input)."),
]
Tolerance = Annotated[float, typer.Option(metavar="R", min=0, help="How much floats may differ, relatively.")]
WindowStart = Annotated[str | None, typer.Option(metavar="NAME", help="The column with the start of a row's window.")]
WindowEnd = Annotated[str | None, typer.Option(metavar="NAME", help="The column with the end of a row's window.")]
OperationColumn = Annotated[str | None, typer.Option("--op", metavar="NAME", help="The column with operations.")]
TimeColumn = Annotated[
    str | None,
    typer.Option("--time", metavar="NAME", help="The column with a row's own time; none: only the end is judged."),
]
Columns = Annotated[
    str | None, typer.Option(metavar="a,b,c", help="The names of the values of Flink's print connector: +I[1, 2, 3].")
]
Offset = Annotated[
    int, typer.Option(metavar="N", callback=instants, help="Windows end at N, N + slide, …, in the query's unit.")
]
Step = Annotated[
    int | None,
    typer.Option(
        metavar="N", min=1, callback=instants, help="Panes of WINDOW(LANDMARK …) end every N units (CUMULATE's step)."
    ),
]

OPTIONS_OF_COLUMNS: Final = {
    "window start": "--window-start",
    "window end": "--window-end",
    "operation": "--op",
    "time": "--time",
}


@dataclass(frozen=True)
class OutputOptions:
    """The options as they were given."""

    kind: str | None
    key: str | None
    at: str | None
    tolerance: float
    names: dict[str, str | None]
    offset: int
    engine_unit: str | None
    horizon: int | None
    columns: str | None = None
    step: int | None = None
    missing_is_null: bool = False
    """Are fields of JSON left out where they are NULL?"""
    by_dialect: str | None = None
    """Why the kind is the one it is, if nobody said it but the dialect."""

    def only_for_recordings(self) -> dict[str, bool]:
        """Options that only recordings need, and whether they were given."""
        texts = {"--key": self.key, "--at": self.at, "--columns": self.columns}
        numbers = {"--tolerance": self.tolerance, "--offset": self.offset, "--step": self.step}
        columns = {OPTIONS_OF_COLUMNS[what]: name is not None for what, name in self.names.items()}
        return {option: bool(value) for option, value in {**texts, **numbers, **columns}.items()}

    def is_recording(self, output: Path) -> bool:
        """Is it anything but a file of intervals?"""
        from pyarrow import ArrowException

        from equivalence.recordings.shapes import is_wrapped
        from physical.files.errors import FileError
        from physical.files.formats import check_readable, format_of, has_known_ending
        from physical.files.layout import START
        from physical.files.raw_batches import column_names

        if self.kind not in (None, "intervals") or output.is_dir():
            return True
        check_readable(output)
        if self.kind is None and not has_known_ending(output):
            return True
        format_of(output)
        if self.kind == "intervals":
            return False
        try:
            names = column_names(output)
        except (FileError, ArrowException, UnicodeDecodeError):
            return True
        return START not in names if names else is_wrapped(output)

    def recording_options(self, query: "QueryOverFiles", last: "Callable[[], int]") -> "RecordingOptions":
        """What they say about a recording of the query's output; `last` finds the last instant of the inputs."""
        from equivalence.recordings.kinds import kind_named
        from equivalence.recordings.moments import milliseconds_of
        from equivalence.recordings.open_recording import RecordingOptions

        return RecordingOptions(
            None if self.kind is None else kind_named(self.kind),
            _listed(self.key),
            _instant(self.at, query, last),
            last,
            {what: name for what, name in self.names.items() if name is not None},
            self.offset,
            None if self.engine_unit is None else milliseconds_of(self.engine_unit),
            self.horizon,
            _listed(self.columns),
            self.step,
            missing_is_null=self.missing_is_null,
        )


def _listed(names: str | None) -> tuple[str, ...] | None:
    """Names that are separated by commas."""
    return None if names is None else tuple(name.strip() for name in names.split(",") if name.strip())


def with_names_of(query: "QueryOverFiles", there: "Sequence[str]", output: Path) -> "QueryOverFiles":
    """The query with the names of a file's columns, where those are compared by position; that is said."""
    from equivalence.query_files.columns_by_position import named_as_in_file
    from equivalence.query_files.stream_files import layout
    from equivalence.recordings.places import USUAL_NAMES
    from physical.files.layout import COUNT, END, START

    if not there:
        return query
    times = {time.lower() for s in query.sources if (time := layout(s.name, query).start) is not None}
    roles = {name for names in USUAL_NAMES.values() for name in names} | {START, END, COUNT} | times
    plan = named_as_in_file(query.plan, there, roles)
    if plan is not query.plan:
        pairs = [f"{one} as {other}" for one, other in zip(plan.schema.names, query.plan.schema.names, strict=True)]
        warn(f"snapeq: {output} has other names, so columns are compared by position: {', '.join(pairs)}")
    return replace(query, plan=plan)


def shown_by(path: Path, query: "QueryOverFiles", columns: str | None, key: str | None) -> "FirstRows":
    """What the first rows of a recording of a query's output show."""
    from equivalence.recordings.first_rows import first_rows
    from equivalence.recordings.output_key import output_key

    by = _listed(key) if key is not None else output_key(query.plan)
    return first_rows(path, query.plan.schema.names, _listed(columns), by)


def _instant(text: str | None, query: "QueryOverFiles", last: "Callable[[], int]") -> int | None:
    """An instant, given as a number, in ISO 8601, or as the end of the inputs."""
    from semantics import StreamError
    from semantics.sql.units import TimeUnit, instant

    if text is None:
        return None
    if text == "end":
        return last()
    if text == "settled":
        from semantics.lookahead import settled

        return settled(query.plan, lambda _: last() + 1)
    if text.isascii() and text.isdigit():
        return int(text)
    try:
        return instant(text, TimeUnit.SECOND if query.catalogue is None else query.catalogue.unit)
    except StreamError as error:
        raise SnapeqError(f"--at {text}: {error}; or a whole number, or end") from None


def _last_instant(run: "QueryRun") -> int:
    """The latest start of all input rows; of a changelog also the last row that is taken away."""
    from physical.kernels.types import ENDLESS

    last = 0
    for reader in run.readers.values():
        for batch in reader.batches(ordered=False):
            last = max(last, int(batch.elements.start.max(initial=0)))
    for read in run.inputs.values():
        for elements in read():
            gone = elements.end[elements.end < ENDLESS]
            last = max(last, int(elements.start.max(initial=0)), int(gone.max(initial=0)))
    return last


def judged_recording(
    run: "QueryRun",
    output: Path,
    options: OutputOptions,
    lateness: "Lateness | None" = None,
    explain: "Explaining | None" = None,
) -> "tuple[RecordingVerdict, Findings | None]":
    """Judge a file; what it was taken for is said if nobody said it."""
    from equivalence.recordings.judge import judge
    from equivalence.recordings.late_recording import with_lateness
    from equivalence.recordings.open_recording import open_recording

    wanted = options.recording_options(run.query, partial(_last_instant, run))
    if lateness is not None and lateness.late == "update" and wanted.kind == "panes":
        wanted = replace(wanted, kind="updates")
    if lateness is not None and lateness.late in ("update", "keep"):
        wanted = replace(wanted, panes_close=False)
    with open_recording(output, run.query, wanted) as recording:
        claims = recording.claims
        say_what_it_is(output, recording, options.by_dialect)
        remarks: list[str] = []
        if lateness is not None:
            run, claims, remarks = with_lateness(run, claims, lateness)
        verdict = judge(run, claims, options.tolerance)
        findings = None if explain is None else explain.findings(run, all_claims(claims), verdict)
    for remark in (*remarks, *verdict.remarks):
        warn(f"snapeq: {remark}")
    return verdict, findings


def say_what_it_is(output: Path, recording: "OpenRecording", by_dialect: str | None = None) -> None:
    """What a recording was taken for, and what of it is not looked at."""
    for shape in recording.claims.reader.files.shapes:
        warn(f"snapeq: {output}: its lines are taken for {shape}")
    reason = recording.shown_by or by_dialect
    if reason is not None:
        kind = recording.claims.reading.kind
        warn(f"snapeq: {output} is taken for {kind}: {reason}; if it is something else, say --as KIND")
    if recording.written_later:
        clock = f"{recording.written_later} is taken for the time of writing, since it is later than all input"
        warn(f"snapeq: {output}: {clock}; so the rows at the end are judged; if it is the event time, say --time")
    if recording.unused:
        warn(f"snapeq: {output}: not compared, since the query has no such columns: {', '.join(recording.unused)}")


def end_with_verdict(
    verdict: "RecordingVerdict",
    names: tuple[str, str],
    as_json: bool,
    plans: list[str],
    tolerance: float,
    findings: "Findings | None" = None,
    html: Path | None = None,
) -> None:
    """Print whether a recording is right, and if not, why; and end the command with the exit code for that."""
    from equivalence.command.show_difference import document
    from equivalence.query_files.calendar import NUMBERS

    lines = [*_lines(verdict, names, tolerance), *lines_of(findings)]
    if html is not None:
        write_page(html, f"snapeq check {names[1]}", lines, verdict, findings)
    if as_json:
        found = document(verdict.difference, names, plans)
        print_json(with_findings(_document(replace(verdict, calendar=NUMBERS), found, tolerance), findings))
    else:
        typer.echo("\n".join(lines))
    raise typer.Exit(HOLDS if verdict.holds else FALLS_SHORT)


def _lines(verdict: "RecordingVerdict", names: tuple[str, str], tolerance: float) -> list[str]:
    from equivalence.command.show_difference import lines

    if verdict.holds:
        return [f"AGREED: {scope_of(verdict, tolerance)} both hold the same"]
    if verdict.difference is None:
        head = [f"REFUTED: {scope_of(verdict, tolerance)} both hold the same, but {names[1]} has anomalies"]
    elif verdict.difference.left == verdict.difference.right:  # what is there less often than never is not shown
        at = verdict.calendar.show(verdict.difference.instant)
        head = [f"REFUTED: {names[1]} takes back at instant {at} what is not there"]
    else:
        first, *rest = lines(verdict.difference, names, verdict.calendar.show)
        head = [first + _pane_at(verdict, verdict.difference.instant), *rest]
    counts = [f"{count} × {name}" for name, count in verdict.anomaly_counts.items() if count > ANOMALIES_PRINTED]
    shown: dict[str, int] = {}
    for anomaly in verdict.anomalies:
        shown[anomaly.name] = shown.get(anomaly.name, 0) + 1
        head += [str(anomaly)] if shown[anomaly.name] <= ANOMALIES_PRINTED else []
    return [*head, *([f"in all {', '.join(counts)}"] if counts else []), *_other_reading(verdict)]


def _other_reading(verdict: "RecordingVerdict") -> list[str]:
    from equivalence.recordings.other_readings import REFINED

    return [] if verdict.right_as is None else [REFINED[verdict.right_as]]


def _pane_at(verdict: "RecordingVerdict", instant: int) -> str:
    from equivalence.recordings.recording import LastInstants

    end = verdict.calendar.show(instant + 1)
    return f", in the pane that ends at {end}" if isinstance(verdict.judged, LastInstants) else ""


def scope_of(verdict: "RecordingVerdict", tolerance: float) -> str:
    """At which instants a recording was compared, and how."""
    from equivalence.recordings.recording import EveryInstant, LastInstants, OneInstant

    show = verdict.calendar.show
    match verdict.judged:
        case LastInstants(_, _, horizon):
            where = "in every pane"
        case OneInstant(at):
            return f"at instant {show(at)}" + _tolerance(tolerance)
        case EveryInstant(horizon):
            where = "at every instant"
        case _:
            assert_never(verdict.judged)
    return where + ("" if horizon == FOREVER else f" before instant {show(horizon)}") + _tolerance(tolerance)


def _tolerance(tolerance: float) -> str:
    return f", floats within a relative tolerance of {tolerance:g}," if tolerance else ""


def _document(verdict: "RecordingVerdict", found: dict[str, Any], tolerance: float) -> dict[str, Any]:
    """The verdict as the document that the interface promises, with what was found in the recording itself."""
    said = {"output_kind": verdict.kind, "judged": scope_of(verdict, tolerance).rstrip(","), "tolerance": tolerance}
    said |= {} if verdict.right_as is None else {"right_as": verdict.right_as}
    anomalies = [
        {"name": one.name, "place": one.place, "detail": one.detail, "instant": one.instant}
        for one in verdict.anomalies
    ]
    evidence = {**found["evidence"], **said, "anomalies": anomalies, "anomaly_counts": dict(verdict.anomaly_counts)}
    return {**found, "verdict": "agreed" if verdict.holds else "refuted", "evidence": evidence}
