"""Is what an engine wrote down a right answer? For Python; `snapeq check` is the same on the command line."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from equivalence.query_files.query_over_files import read_query
from equivalence.query_files.stream_files import named_files
from equivalence.recordings.input_logs import run_over
from equivalence.recordings.judge import RecordingVerdict, judge
from equivalence.recordings.late_policy import lateness_of
from equivalence.recordings.late_recording import with_lateness
from equivalence.recordings.open_recording import RecordingOptions, open_recording
from equivalence.recordings.recording import OutputKind
from physical.files.pipes import as_files
from semantics import Instant


def check_recording(
    query: str,
    streams: Mapping[str, str | Path],
    output: str | Path,
    kind: OutputKind | None = None,
    *,
    key: Sequence[str] | None = None,
    at: Instant | None = None,
    tolerance: float = 0.0,
    policy: str | None = None,
    late: str | None = None,
    watermarks: Sequence[str] = (),
    batch: str | None = None,
    input_as: Mapping[str, str] = {},
    horizon: Instant | None = None,
    step: int | None = None,
    columns: Sequence[str] | None = None,
) -> RecordingVerdict:
    """Judge a file, a folder of part files or a pipe; what the options mean, `snapeq check --help` says.

    Without a kind it is what the file shows. Streams are files by name, and changelogs where `input_as` says so.
    """
    parsed = read_query(query)
    named = named_files([f"{name}={path}" for name, path in streams.items()], parsed)
    lateness = lateness_of(parsed, policy, late, watermarks, batch)
    options = RecordingOptions(
        kind,
        None if key is None else tuple(key),
        at,
        horizon=horizon,
        columns=None if columns is None else tuple(columns),
        step=step,
        panes_close=lateness is None or lateness.late not in ("update", "keep"),
    )
    kinds = [f"{name}={log}" for name, log in input_as.items()]
    with as_files(*named.values()) as copies, ExitStack() as stack:
        files = {name: copies[path] for name, path in named.items()}
        run = stack.enter_context(run_over(parsed, files, kinds, horizon=horizon))
        claims = stack.enter_context(open_recording(Path(output), parsed, options)).claims
        if lateness is not None:
            run, claims, _ = with_lateness(run, claims, lateness)
        return judge(run, claims, tolerance)
