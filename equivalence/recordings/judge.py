"""Is a recording right? The right answer in a file beside what the recording claims, compared from front to back."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

from equivalence.query_files.calendar import NUMBERS, Calendar
from equivalence.query_files.compare_files import ResultDifference, ResultFile
from equivalence.query_files.query_run import QueryRun
from equivalence.recordings.claims import Claims
from equivalence.recordings.nearly_equal import TolerantBalance
from equivalence.recordings.other_readings import other_claims
from equivalence.recordings.recording import Anomaly, AnomalyName, Judged, OutputKind, Recording
from equivalence.recordings.right_answer import write_answer
from physical.columns.column import rows
from physical.columns.stream import PhysicalStream, in_order, joined
from physical.files.canonical_runs import runs_of_counted
from physical.files.counted import counted_schema
from physical.files.reader import UnorderedFile
from physical.files.stream_difference import first_difference
from physical.kernels.types import ENDLESS
from semantics import Instant, Multiset, Row, Schema, SnapeqError
from semantics.value import identical_row

Read = Callable[[], Iterator[PhysicalStream]]


@dataclass(frozen=True)
class RecordingVerdict:
    """What became of a recording."""

    kind: OutputKind
    judged: Judged
    difference: ResultDifference | None
    """Between the right answer and the recording."""
    anomalies: tuple[Anomaly, ...] = ()
    anomaly_counts: Mapping[AnomalyName, int] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    right_as: OutputKind | None = None
    """The kind as which a wrong recording would be right."""
    calendar: Calendar = NUMBERS
    """How its instants are written for people."""

    @property
    def holds(self) -> bool:
        return self.difference is None and not self.anomalies


def judge(run: QueryRun, claims: Claims, tolerance: float = 0.0) -> RecordingVerdict:
    """Compare what a recording claims with the right answer, at the instants at which it is judged."""
    with TemporaryDirectory(prefix="snapeq-") as folder:
        right = Path(folder) / "right.arrow"
        remarks = write_answer(run, claims.judged, right)
        schema = run.query.plan.schema
        horizon = ENDLESS if run.horizon is None else run.horizon

        def answer() -> Iterator[PhysicalStream]:
            return ResultFile(right).elements(schema, ordered=True, horizon=horizon)

        ordered, instant = _first_difference(answer, claims, schema, tolerance)
        difference = None if instant is None else _shown(answer, claims, ordered, instant)
        verdict = verdict_of(claims, difference, (*remarks, *_remarks(claims)))
        other = None if verdict.holds else other_claims(claims, verdict.anomaly_counts)
        is_right = other is not None and _is_right(answer, other, schema, tolerance)
    return replace(verdict, right_as=other.reading.kind) if other is not None and is_right else verdict


def verdict_of(claims: Claims, difference: ResultDifference | None, remarks: tuple[str, ...] = ()) -> RecordingVerdict:
    """The verdict on claims that have been read to their end."""
    anomalies = claims.reader.found_anomalies()
    return RecordingVerdict(
        claims.reading.kind,
        claims.judged,
        difference,
        anomalies,
        _with_torn(claims.reader.anomalies.counts, anomalies),
        remarks,
        calendar=claims.reading.calendar,
    )


def _remarks(claims: Claims) -> list[str]:
    """What was taken for granted while the claims were read."""
    return claims.reader.times.remarks() if claims.reader.file_schema.names else []


def recording_of(claims: Claims) -> Recording:
    """All that a recording claims, in memory."""
    elements = joined([PhysicalStream.empty(counted_schema(claims.reading.schema)), *claims.batches(ordered=False)])
    summed = in_order(runs_of_counted(elements)) if len(elements) else elements
    there = summed.take(summed.columns[-1].values > 0)
    return Recording(claims.reading.kind, there, claims.judged, claims.reader.found_anomalies())


def _first_difference(answer: Read, claims: Claims, schema: Schema, tolerance: float) -> tuple[bool, Instant | None]:
    """Whether the recording is in order, and the first instant at which it is wrong; it is read to its end anyway."""
    for ordered in (True, False):
        try:
            theirs, whole = claims.batches(ordered=ordered), counted_schema(schema)
            balance = TolerantBalance(whole, tolerance) if tolerance else None
            found = first_difference(answer(), theirs, whole, balance)
            for _ in theirs:
                pass
        except UnorderedFile:
            if not ordered:
                raise
            continue
        return ordered, found
    raise AssertionError("a sorted recording is in order")


def _is_right(answer: Read, claims: Claims, schema: Schema, tolerance: float) -> bool:
    """Is a recording right, read in a way that nobody asked for? If it cannot be read so, it is not."""
    try:
        _, instant = _first_difference(answer, claims, schema, tolerance)
        return instant is None and not claims.reader.found_anomalies()
    except SnapeqError:
        return False


def _with_torn(counts: Mapping[AnomalyName, int], anomalies: tuple[Anomaly, ...]) -> dict[AnomalyName, int]:
    torn = sum(anomaly.name == "truncated last line" for anomaly in anomalies)
    return {**counts, **({"truncated last line": torn} if torn else {})}


def _shown(answer: Read, claims: Claims, ordered: bool, instant: Instant) -> ResultDifference:
    with _closing(claims.batches(ordered=ordered)) as theirs:
        return ResultDifference(instant, _snapshot(answer(), instant), _snapshot(theirs, instant))


@contextmanager
def _closing(batches: Iterator[PhysicalStream]) -> Iterator[Iterator[PhysicalStream]]:
    yield batches
    close = getattr(batches, "close", None)
    if close is not None:
        close()


def _snapshot(batches: Iterator[PhysicalStream], t: Instant) -> Multiset:
    """What is valid at t, changes added up; counts below 0 are left out, and are anomalies by themselves."""
    found: dict[Row, int] = {}
    for batch in batches:
        for row in rows(batch.take((batch.start <= t) & (t < batch.end)).columns):
            same = identical_row(row[:-1])
            found[same] = found.get(same, 0) + cast(int, row[-1])
        if len(batch) and batch.start[-1] > t:
            break
    return Multiset({row: n for row, n in found.items() if n > 0})
