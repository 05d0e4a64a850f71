"""Which files a batch has, and which of them may not be passed over; and how far elements may be in the future."""

import json
import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from physical.columns.stream import PhysicalStream
from physical.engines.spark.continuous.ahead import ALWAYS_ALLOWED, DAY, AheadBound
from physical.engines.spark.continuous.batch_files import (
    BatchFile,
    FileGuard,
    files_of_batch,
    times_of_repeated,
    uncommitted_batch,
)
from physical.engines.spark.continuous.part import QueryPart
from physical.engines.spark.continuous.part_task import PartTask
from physical.engines.spark.continuous.stored_files import FilesHere, files_at
from physical.files.errors import FileError
from semantics import SnapeqError, StreamError, parse, parse_plan

REMOTE: Any = SimpleNamespace()
"""A session without a Java process here: it sees files of this machine only."""
NOW = 1_800_000_000_000


def entry(path: Path, number: int) -> str:
    changed = path.stat().st_mtime_ns // 1_000_000 if path.exists() else 0
    return json.dumps({"path": path.as_uri(), "timestamp": changed, "batchId": number})


def checkpoint(folder: Path, logs: dict[str, list[str]], offsets: list[str], commits: int) -> str:
    """A checkpoint with the log of the only source, the offsets of each batch, and some batches committed."""
    for kind in ("sources/0", "offsets", "commits"):
        (folder / kind).mkdir(parents=True)
    for name, lines in logs.items():
        (folder / "sources" / "0" / name).write_text("\n".join(["v1", *lines]))
    for number, offset in enumerate(offsets):
        (folder / "offsets" / str(number)).write_text(f"v1\n{{}}\n{offset}\n-\n7")
    for number in range(commits):
        (folder / "commits" / str(number)).write_text("v1\n{}")
    (folder / "offsets" / ".9.a5f0c3d1.tmp").write_text("v1\n")
    return str(folder)


def test_the_files_of_a_batch_are_those_since_the_batch_before(tmp_path: Path) -> None:
    a, b, c = (tmp_path / f"{name} 100%.csv" for name in "abc")
    all_ = [entry(a, 0), entry(b, 1), entry(c, 2)]
    logs = {"0": all_[:1], "1": all_[1:2], "2.compact": all_}
    where = checkpoint(tmp_path / "state", logs, ['{"logOffset":0}', '{"logOffset":0}', '{"logOffset":2}'], 2)
    assert files_of_batch(FilesHere(), where, 0) == [BatchFile(0, a.as_uri(), 0)]
    assert files_of_batch(FilesHere(), where, 1) == []
    assert files_of_batch(FilesHere(), where, 2) == [BatchFile(0, b.as_uri(), 0), BatchFile(0, c.as_uri(), 0)]
    assert uncommitted_batch(FilesHere(), where) == 2
    assert uncommitted_batch(FilesHere(), str(tmp_path / "nowhere")) is None


def test_a_checkpoint_that_does_not_say_which_files_there_are_is_refused(tmp_path: Path) -> None:
    where = checkpoint(tmp_path / "state", {}, ['{"logOffset":0}'], 0)
    with pytest.raises(SnapeqError, match="must say which files came as number 0"):
        files_of_batch(FilesHere(), where, 0)
    with pytest.raises(SnapeqError, match="must say which files the batch has"):
        files_of_batch(FilesHere(), where, 1)
    Path(where, "offsets", "0").write_text("v2\n{}\n{}")
    with pytest.raises(SnapeqError, match="must have version v1, got v2"):
        files_of_batch(FilesHere(), where, 0)


def test_a_file_that_changes_while_its_batch_is_computed_is_an_error(tmp_path: Path) -> None:
    """It may have been empty when Spark looked. If it was mended before the query started again, all is well."""
    file = tmp_path / "a.csv"
    file.touch()
    where = checkpoint(tmp_path / "state", {"0": [entry(file, 0)]}, ['{"logOffset":0}'], 0)
    guard = FileGuard(("S",), modified={})
    with pytest.raises(FileError, match=r"a\.csv: it is empty \(0 bytes\)"):
        guard.skipped(REMOTE, where, 0)
    assert FileGuard(("S",), skips=True).skipped(REMOTE, where, 0) == {"S": 1}
    file.write_text("x,ts\n")
    os.utime(file, (NOW // 1000, NOW // 1000))
    for strict in (guard, FileGuard(("S",), skips=True, modified={})):
        with pytest.raises(FileError, match=r"a\.csv: it has changed since it came"):
            strict.skipped(REMOTE, where, 0)
    for mended in (FileGuard(("S",), modified={file.as_uri(): NOW}), FileGuard(("S",))):
        assert mended.skipped(REMOTE, where, 0) == {}


def test_what_a_remote_session_cannot_see_is_taken_for_granted(tmp_path: Path) -> None:
    log = {"0": [json.dumps({"path": "hdfs://head/a.csv", "timestamp": 1, "batchId": 0})]}
    where = checkpoint(tmp_path / "state", log, ['{"logOffset":0}'], 0)
    assert files_at(REMOTE, "hdfs://head/state") is None
    assert FileGuard(("S",)).skipped(REMOTE, where, 0) == {}
    assert FileGuard(("S",)).skipped(REMOTE, "hdfs://head/state", 0) == {}
    assert times_of_repeated(REMOTE, where) is None


@pytest.mark.parametrize(
    ("starts", "latest", "wrong"),
    [
        ([0, 5, 900_000], 0, None),
        ([5, ALWAYS_ALLOWED + 5], 0, None),
        ([5, ALWAYS_ALLOWED + 6], 0, (5, ALWAYS_ALLOWED + 6)),
        ([9 * 10**15], 0, None),
        ([9 * 10**15], 7, (7, 9 * 10**15)),
        ([1_790_000_000, 2_000_000_000, 3_900_000_000], 1_780_000_000, None),
        ([3_600_000_000, 1_790_000_000], 1_780_000_000, (1_790_000_000, 3_600_000_000)),
        ([], 3, None),
    ],
)
def test_a_gap_longer_than_all_time_before_it_is_refused(
    starts: list[int], latest: int, wrong: tuple[int, int] | None
) -> None:
    """An unknown unit needs a rule without one; the first element of a stream may be anywhere."""
    bound, given = AheadBound(), np.array(starts, np.int64)
    if wrong is None:
        bound.check("S", given, latest)
        return
    before, found = wrong
    said = rf"source 'S': an element starts at {found}, {found - before} units after the latest element before it"
    with pytest.raises(StreamError, match=rf"{said}: .* or --ahead {found - before} if it is right"):
        bound.check("S", given, latest)
    AheadBound(found - before).check("S", given, latest)


@pytest.mark.parametrize("unit", [1, 1000, 60_000])
def test_a_timestamp_may_be_a_day_ahead_of_the_clock(unit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.time", lambda: NOW / 1000)
    day = DAY // unit
    AheadBound(unit=unit).check("S", np.array([0, NOW // unit + day]), 3)
    with pytest.raises(StreamError, match=f"{day + 1} units after the clock: .* or --ahead {day + 1} if"):
        AheadBound(unit=unit).check("S", np.array([NOW // unit + day + 1]), 3)
    AheadBound(10 * day, unit).check("S", np.array([NOW // unit + 10 * day]), 3)


def test_a_part_measures_from_what_it_has_seen_and_ignores_what_is_late() -> None:
    plan = parse_plan("S(x int) | window(range 4) | aggregate(count(*) as n)")
    job = PartTask(plan, (("S", plan.inputs[0].schema),), bounds=(("S", AheadBound(10)),))

    def take(part: QueryPart, elements: str) -> QueryPart:
        part.take({"S": PhysicalStream.of(parse(f"raw(x int): {elements}"))}, 0)
        return part

    part = take(QueryPart(job), "(1)@3 (2)@9")
    with pytest.raises(StreamError, match="starts at 20, 11 units after"):
        take(QueryPart(job, part.memory()), "(1)@20")
    part = take(QueryPart(job, part.memory()), "(1)@19 (1)@29")
    part.end(40)
    assert take(QueryPart(job, part.memory()), "(1)@100").late() == {"S": 1}
