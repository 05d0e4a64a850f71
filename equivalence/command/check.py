"""`snapeq check`: is a file a right answer to a query?"""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from equivalence.command import late_options, recorded_output
from equivalence.command.check_for_spark import check_for_spark, is_recording_for_spark
from equivalence.command.dialect_option import Dialect, in_any_order, late_by_dialect, output_by_dialect
from equivalence.command.explained_recording import Explain, Explaining, SuggestInput, interval_claims
from equivalence.command.on_spark import (
    INTERVAL,
    Conf,
    Master,
    Partitions,
    SparkQueryRun,
    SparkTarget,
    check_on_spark,
    is_spark,
)
from equivalence.command.recordings_on_spark import judged_on_spark
from equivalence.command.run import CatalogFile, Functions, Horizon, Optimize, QueryText, Streams
from equivalence.command.run_continuous import Slack
from equivalence.command.show_difference import end_with_difference
from equivalence.command.terminal import AsJson, HtmlFile, check_writable, warn, working

if TYPE_CHECKING:
    from equivalence.deviations.findings import Findings
    from equivalence.query_files.compare_files import Change, ResultDifference
    from equivalence.query_files.query_run import QueryRun
    from equivalence.recordings.judge import RecordingVerdict
    from equivalence.recordings.late_policy import Lateness


def check_command(
    query: QueryText,
    output: Annotated[
        str, typer.Option(metavar="FILE", help="What the engine wrote: a file, a folder of part files, or - for stdin.")
    ],
    stream: Streams = None,
    catalog: CatalogFile = None,
    dialect: Dialect = None,
    horizon: Horizon = None,
    engine_unit: Annotated[
        str | None, typer.Option(metavar="UNIT", help="The time unit of FILE, if it is not the query's.")
    ] = None,
    kind: recorded_output.Kind = None,
    key: recorded_output.Key = None,
    at: recorded_output.At = None,
    tolerance: recorded_output.Tolerance = 0.0,
    window_start: recorded_output.WindowStart = None,
    window_end: recorded_output.WindowEnd = None,
    op: recorded_output.OperationColumn = None,
    time: recorded_output.TimeColumn = None,
    offset: recorded_output.Offset = 0,
    step: recorded_output.Step = None,
    columns: recorded_output.Columns = None,
    watermark: late_options.Watermarks = None,
    late: late_options.Late = None,
    policy: late_options.PolicyName = None,
    batch: late_options.Batch = None,
    input_as: late_options.InputKinds = None,
    functions: Functions = None,
    engine: Annotated[
        str, typer.Option(metavar="NAME", help="Who finds the right answer: interval or spark.")
    ] = INTERVAL,
    optimize: Optimize = True,
    slack: Slack = 0,
    master: Master = None,
    partitions: Partitions = None,
    conf: Conf = None,
    explain: Explain = True,
    suggest_input: SuggestInput = False,
    html: HtmlFile = None,
    as_json: AsJson = False,
) -> None:
    """Is FILE, written by some engine in any language, a right answer? If not: what differs, and the mistake's name.

    \b
    Examples:
      snapeq check query.sql --stream Bid=bids.csv --output theirs.parquet
      snapeq check query.sql --stream Bid=bids.csv --output panes.jsonl --as panes
      snapeq check query.sql --stream Bid=bids.csv \\
        --output changes.jsonl --as upsert --key item

    FILE has the query's columns, and what its kind needs: panes have `window_end` (or `window.end`, `WINDOWEND`),
    events a time, retract and upsert logs `op` and perhaps a time, debezium `before`, `after` and `op`, a snapshot
    nothing else (but --at), intervals `_start`, `_end`, `_count` as a result of `snapeq run`. The pane with the end e
    is compared with the snapshot at e - 1. Without --as the kind is what the columns show, and it is said.
    After REFUTED comes how much differs, the input rows behind the first difference, and the known deviation that
    explains it, if there is one; after AGREED which deviations these inputs could not have shown.
    Exit code 0 if it is right, 1 if not.
    """
    from equivalence.query_files.calendar import calendar_of
    from equivalence.query_files.query_over_files import read_query
    from equivalence.query_files.stream_files import named_addresses, named_files
    from equivalence.recordings.input_logs import run_over
    from physical.files.pipes import as_files, is_pipe
    from semantics import show

    check_writable(html)
    parsed_query = read_query(query, catalog, functions or (), dialect)
    names = {"window start": window_start, "window end": window_end, "operation": op, "time": time}
    said = recorded_output.OutputOptions(kind, key, at, tolerance, names, offset, engine_unit, horizon, columns, step)
    shown = recorded_output.shown_by(Path(output), parsed_query, columns, key)
    if columns is None:
        parsed_query = recorded_output.with_names_of(parsed_query, shown.names, Path(output))
    said, parsed_query = output_by_dialect(said, parsed_query, shown)
    arrival = late_by_dialect(late_options.LateOptions(watermark, late, policy, batch), parsed_query)
    plans, sides = [show(parsed_query.plan)], ("the right answer", output)
    if is_spark(engine):
        late_ones = {"--watermark, --late, --policy": arrival.given(), "--input-as": bool(input_as)}
        recording = is_recording_for_spark(output, said)
        further = {
            "--slack": bool(slack),
            "--suggest-input": suggest_input,
            "--html": html is not None and not recording,
        }
        check_for_spark(said, {**late_ones, **further}, recording=recording)
        addresses = named_addresses(stream or [], parsed_query)
        on_spark = SparkQueryRun(parsed_query, addresses, horizon, SparkTarget.of(master, partitions, conf), optimize)
        if recording:
            judged = judged_on_spark(on_spark, Path(output), said)
            recorded_output.end_with_verdict(judged, sides, as_json, plans, tolerance, None, html)
        end_with_difference(check_on_spark(on_spark, output), sides, as_json, plans, calendar_of(parsed_query).show)
    named = named_files(stream or [], parsed_query)
    options = {"horizon": horizon, "optimize": optimize, "slack": slack}
    pipe = [Path(output)] if is_pipe(output) else []  # a compressed recording keeps its name, by which messages call it
    with as_files(*pipe, *named.values()) as copies, working("checking"):
        files = {name: copies[path] for name, path in named.items()}
        logs = late_options.with_shown_logs(input_as or [], parsed_query, files)
        with run_over(parsed_query, files, logs, **options) as run:

            def judged_by(arrival: late_options.LateOptions) -> "tuple[RecordingVerdict, Findings | None]":
                lateness = arrival.lateness(parsed_query, slack)
                more = Explaining(run, lateness, suggest_input, tolerance) if explain else None
                return verdict_on(run, copies.get(Path(output), Path(output)), said, lateness, more)

            verdict, findings = in_any_order(judged_by, arrival, parsed_query)
    recorded_output.end_with_verdict(verdict, sides, as_json, plans, tolerance, findings, html)


def verdict_on(
    run: "QueryRun",
    output: Path,
    said: "recorded_output.OutputOptions",
    lateness: "Lateness | None",
    explain: Explaining | None,
) -> "tuple[RecordingVerdict, Findings | None]":
    from equivalence.query_files.calendar import calendar_of
    from equivalence.recordings.judge import RecordingVerdict
    from equivalence.recordings.recording import EveryInstant
    from semantics import FOREVER

    if said.is_recording(output):
        return recorded_output.judged_recording(run, output, said, lateness, explain)
    if lateness is not None:
        from equivalence.recordings.late_plan import late_run

        run, remarks = late_run(run, lateness)
        for remark in remarks:
            warn(f"snapeq: {remark}")
    unit = None if run.query.catalogue is None else run.query.catalogue.unit.value
    change = time_change(said.engine_unit, unit, output)
    horizon = EveryInstant(FOREVER if run.horizon is None else run.horizon)
    calendar = calendar_of(run.query)
    verdict = RecordingVerdict("intervals", horizon, _difference(run, output, change), calendar=calendar)
    given = interval_claims(run, output, change)
    return verdict, None if explain is None else explain.findings(run, given, verdict)


def _difference(run: "QueryRun", output: Path, change: "Change") -> "ResultDifference | None":
    """Compare the file with the right result, which is written to a temporary file first."""
    from equivalence.query_files.compare_files import ResultFile, compare
    from physical.files.formats import check_readable, format_of
    from physical.files.infer import check_columns
    from physical.files.writer import results_in_file
    from physical.kernels.types import ENDLESS

    check_readable(output)
    format_of(output)
    schema = run.query.plan.schema
    check_columns(output, schema)
    with TemporaryDirectory(prefix="snapeq-") as folder:
        right = Path(folder) / "right.arrow"
        with results_in_file(right, schema) as results:
            for remark in run.run(results.take):
                warn(f"snapeq: {remark}")
        horizon = ENDLESS if run.horizon is None else run.horizon
        return compare(ResultFile(right), ResultFile(output, change), schema, horizon)


def time_change(name: str | None, unit: int | None, path: Path) -> "Change":
    """What turns the times of a file, in units of this name, into times of the query."""
    from equivalence.query_files.rescale_times import Rescaling
    from semantics import SnapeqError
    from semantics.sql.units import TimeUnit, unit_named

    if name is None:
        return lambda elements: elements
    named = unit_named(name)
    if named is None:
        raise SnapeqError(f"--engine-unit {name}: expected one of: {', '.join(TimeUnit.__members__)}")
    return Rescaling(named.value, TimeUnit.SECOND.value if unit is None else unit, path)
