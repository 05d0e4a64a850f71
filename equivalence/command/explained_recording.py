"""What `snapeq check` says beyond right or wrong: the whole difference, the mistake by its name, what stayed unseen."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from equivalence.command.terminal import warn, write_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from equivalence.deviations.findings import Findings
    from equivalence.deviations.recorded_output import RecordedOutput
    from equivalence.query_files.compare_files import Change
    from equivalence.query_files.query_run import QueryRun
    from equivalence.recordings.claims import Claims
    from equivalence.recordings.judge import RecordingVerdict
    from equivalence.recordings.late_policy import Lateness
    from physical.columns.stream import PhysicalStream

SuggestInput = Annotated[
    bool, typer.Option("--suggest-input", help="Print rows with which a right output would show more deviations.")
]
Explain = Annotated[
    bool, typer.Option("--explain/--no-explain", help="Say which known deviation explains a wrong output.")
]


def all_claims(claims: "Claims") -> "RecordedOutput":
    """What a recording claims, panes at places where none should end included."""
    from functools import partial

    from equivalence.deviations.recorded_output import RecordedOutput
    from equivalence.recordings.claims import Claims
    from equivalence.recordings.recorded_rows import RowReader

    reading = replace(claims.reading, pane_step=1, pane_offset=0)
    everywhere = Claims(RowReader(claims.reader.files, reading), claims.judged, claims.horizon)
    return RecordedOutput(reading.kind, reading.schema, claims.judged, partial(everywhere.batches, ordered=False))


def interval_claims(run: "QueryRun", output: Path, change: "Change") -> "RecordedOutput":
    """A result file as a recording."""
    from equivalence.deviations.recorded_output import RecordedOutput
    from equivalence.query_files.compare_files import ResultFile
    from equivalence.recordings.recording import EveryInstant
    from physical.kernels.types import ENDLESS
    from semantics import FOREVER

    schema, horizon = run.query.plan.schema, ENDLESS if run.horizon is None else run.horizon
    judged = EveryInstant(FOREVER if run.horizon is None else run.horizon)

    def batches() -> "Iterator[PhysicalStream]":
        return ResultFile(output, change).elements(schema, ordered=False, horizon=horizon)

    return RecordedOutput("intervals", schema, judged, batches)


@dataclass(frozen=True)
class Explaining:
    """Finds out more about a recording than right or wrong."""

    run: "QueryRun"
    """Over the rows as they came, whatever a policy makes of late ones."""
    lateness: "Lateness | None" = None
    suggest: bool = False
    tolerance: float = 0.0

    def findings(self, run: "QueryRun", output: "RecordedOutput", verdict: "RecordingVerdict") -> "Findings | None":
        """Why it is wrong, or what a right one could not have shown; None, with a reason, if that is too much."""
        from equivalence.deviations.findings import right_findings, wrong_findings
        from equivalence.deviations.recorded_output import total_difference
        from equivalence.deviations.recorded_situation import recorded_situation
        from semantics import SnapeqError

        try:
            looked_at = recorded_situation(self.run, output, _first_wrong(verdict), self.lateness)
            if verdict.holds:
                return right_findings(looked_at, self.suggest)
            found = wrong_findings(looked_at, self.tolerance)
            part = (
                not looked_at.complete and not self.tolerance
            )  # what is near is only known of the part that is looked at
            return replace(found, totals=total_difference(run, output)) if part else found
        except SnapeqError as error:
            warn(f"snapeq: no explanation: {error}")
            return None


def _first_wrong(verdict: "RecordingVerdict") -> int:
    noted = [anomaly.instant for anomaly in verdict.anomalies if anomaly.instant is not None]
    wrong = [] if verdict.difference is None else [verdict.difference.instant]
    return min([*noted, *wrong], default=0)


def with_findings(document: dict[str, Any], findings: "Findings | None") -> dict[str, Any]:
    """The JSON document of a verdict with `deviations` and more evidence."""
    from equivalence.deviations.findings_json import deviations_json, evidence_json

    if findings is None:
        return {**document, "deviations": []}
    evidence = {**document["evidence"], **evidence_json(findings)}
    return {**document, "evidence": evidence, "deviations": deviations_json(findings)}


def lines_of(findings: "Findings | None") -> list[str]:
    from equivalence.deviations.findings_text import findings_text

    return [] if findings is None else findings_text(findings)


def write_page(
    path: Path, title: str, lines: list[str], verdict: "RecordingVerdict", findings: "Findings | None"
) -> None:
    """The verdict as a page, with a timeline of what differs at the first instant and of the rows behind it."""
    from equivalence.report.html import page
    from equivalence.report.junit import ReportedVerdict
    from equivalence.verdicts.counterexample import Counterexample
    from equivalence.verdicts.verdict import Verdict
    from semantics import Multiset

    found = None
    if findings is not None and findings.difference is not None:
        cells = findings.difference.at_first_instant
        found = Counterexample(
            (findings.plan,),
            findings.streams_behind_the_first,
            cells[0].start,
            Multiset({cell.row: cell.wanted for cell in cells if cell.wanted}),
            Multiset({cell.row: cell.got for cell in cells if cell.got}),
        )
    reported = Verdict("agreed" if verdict.holds else "refuted", {}, found)
    write_file(path, page(title, [ReportedVerdict(title, reported, "\n".join(lines))]))
