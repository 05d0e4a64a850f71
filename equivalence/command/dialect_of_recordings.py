"""`snapeq dialect --recordings`: what an engine means that cannot be asked, by what it wrote."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from equivalence.command.check import verdict_on
from equivalence.command.dialect_option import in_any_order, late_by_dialect, output_by_dialect
from equivalence.command.explained_recording import Explaining
from equivalence.command.late_options import LateOptions
from equivalence.command.recorded_output import OutputOptions, shown_by, with_names_of
from semantics import SnapeqError

if TYPE_CHECKING:
    from equivalence.deviations.recorded_output import RecordedOutput
    from equivalence.deviations.recorded_situation import RecordedSituation
    from equivalence.dialects.profile import Dialect
    from equivalence.query_files.query_run import QueryRun
    from equivalence.recordings.judge import RecordingVerdict
    from equivalence.recordings.late_policy import Lateness

QUERIES: Final = ("query.sql", "query.txt")
OUTPUT: Final = "output"


def dialect_by_recordings(folder: Path, kind: str | None, dialect: str | None) -> "Dialect":
    """Each folder in it is a recording: a query, a file for each stream by its name, and the output."""
    from equivalence.dialects.infer import dialect_of_recordings
    from equivalence.dialects.recorded_probe import RecordedProbe
    from semantics import show

    found = []
    for place in _recordings(folder):
        recorded = _recorded(place, kind, dialect)
        found.append(RecordedProbe(show(recorded.situation.plan), str(place), recorded))
    return dialect_of_recordings(str(folder), found)


def _recordings(folder: Path) -> Iterator[Path]:
    if not folder.is_dir():
        raise SnapeqError(f"--recordings {folder}: expected a folder with a recording in each folder, got none")
    places = [place for place in (folder, *sorted(folder.iterdir())) if _query(place) is not None]
    if not places:
        raise SnapeqError(f"--recordings {folder}: neither it nor a folder in it has a query: {' or '.join(QUERIES)}")
    yield from places


def _query(place: Path) -> Path | None:
    return next((place / name for name in QUERIES if (place / name).is_file()), None)


def _only(place: Path, name: str) -> Path:
    """The file or folder with this name, whatever its ending."""
    named = [file for file in sorted(place.iterdir()) if file.name.lower().partition(".")[0] == name.lower()]
    if len(named) != 1:
        got = ", ".join(file.name for file in named) or "none"
        raise SnapeqError(f"--recordings {place}: expected one file {name}, such as {name}.csv, got {got}")
    return named[0]


@dataclass(frozen=True)
class Keeping(Explaining):
    """Instead of an explanation, what would be explained."""

    kept: "list[RecordedSituation]" = field(default_factory=list)

    def findings(self, run: "QueryRun", output: "RecordedOutput", verdict: "RecordingVerdict") -> None:  # noqa: ARG002
        from equivalence.deviations.recorded_situation import recorded_situation

        self.kept.append(recorded_situation(self.run, output, 0, self.lateness))


def _recorded(place: Path, kind: str | None, dialect: str | None) -> "RecordedSituation":
    from equivalence.query_files.query_over_files import read_query
    from equivalence.recordings.input_logs import run_over

    query, output = read_query(str(_query(place)), None, (), dialect), _only(place, OUTPUT)
    shown = shown_by(output, query, None, None)
    query = with_names_of(query, shown.names, output)
    said, query = output_by_dialect(OutputOptions(kind, None, None, 0.0, {}, 0, None, None), query, shown)
    files = {source.name: _only(place, source.name) for source in query.sources}
    with run_over(query, files, [], horizon=None, optimize=True, slack=0) as run:

        def looked_at(arrival: LateOptions) -> "RecordedSituation":
            lateness: Lateness | None = arrival.lateness(query, 0)
            keeping = Keeping(run, lateness)
            verdict_on(run, output, said, lateness, keeping)
            return keeping.kept[0]

        return in_any_order(looked_at, late_by_dialect(LateOptions(), query), query)
