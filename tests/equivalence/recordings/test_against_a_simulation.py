"""oracle: recordings of an engine written once more, in plain Python, are right; with one fault they are not."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from equivalence.query_files import query_run
from equivalence.query_files.query_over_files import read_query
from equivalence.query_files.stream_files import readers
from equivalence.recordings import live_rows
from equivalence.recordings.check_recording import check_recording
from equivalence.recordings.judge import RecordingVerdict, recording_of
from equivalence.recordings.kinds import kind_named
from equivalence.recordings.open_recording import RecordingOptions, open_recording
from physical.columns.stream import joined
from physical.files import canonical_runs, raw_batches, spill
from semantics import evaluate_sparse
from semantics.sparse import first_difference
from tests.equivalence.recordings.simulated import (
    Row,
    as_panes,
    debezium_log,
    pane_counts,
    retract_log,
    session_counts,
    snapshots,
    upsert_log,
    versions,
    write_arrivals,
    write_lines,
)

STREAM = "CREATE STREAM Bid(item TEXT, ts BIGINT) ORDERED BY ts; "


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """A few rows at a time, so that what is kept from one batch to the next matters; every third time on disk."""
    monkeypatch.setattr(raw_batches, "TEXT_BYTES_AT_ONCE", 16)
    monkeypatch.setattr(live_rows, "ROWS_WORTH_SETTLING", 1)
    monkeypatch.setattr(query_run, "PATIENCE", 1)
    monkeypatch.setattr(canonical_runs.RunsOperator, "patience", 1)
    if getattr(request.node, "callspec", None) and request.node.callspec.params.get("seed", 0) % 3 == 0:
        monkeypatch.setattr(spill.Spill.__init__, "__defaults__", (8,))


def query(size: int, slide: int, unit: str = "SECOND") -> str:
    window = f"RANGE {size}" + (f" SLIDE {slide}" if slide > 1 else "")
    return f"SET TIME UNIT {unit}; {STREAM}SELECT item, COUNT(*) AS cnt FROM Bid WINDOW({window}) GROUP BY item"


def verdict(
    folder: Path,
    text: str,
    arrivals: Sequence[Row],
    log: Sequence[dict[str, Any]],
    kind: str,
    late: tuple[str | None, str | None, int | None] = (None, None, None),
) -> RecordingVerdict:
    """Judge a log; `late` is a policy, a rule and the delay of the watermark."""
    policy, rule, delay = late
    return check_recording(
        text,
        {"Bid": write_arrivals(folder / "bids.csv", arrivals)},
        write_lines(folder / "theirs.jsonl", log),
        kind_named(kind),
        policy=policy,
        late=rule,
        watermarks=[] if delay is None else [f"ts - {delay}"],
    )


def drawn(seed: int, *, disorder: int = 0) -> tuple[list[Row], int, int]:
    """Arrivals, the size of the window and its slide."""
    choose = random.Random(seed)
    size = choose.randint(2, 9)
    slide = choose.choice([1, *range(2, size + 3)])
    times = sorted(choose.randint(0, 40) for _ in range(choose.randint(1, 25)))
    arrivals = [(choose.choice("ABC"), t) for t in times]
    arrivals.sort(key=lambda row: row[1] + choose.randint(0, disorder))
    return arrivals, size, slide


@pytest.mark.parametrize("seed", range(25))
def test_panes(tmp_path: Path, seed: int) -> None:
    arrivals, size, slide = drawn(seed)
    step = slide if slide > 1 else size
    panes = as_panes(pane_counts(arrivals, size, step, None, "keep"), size)
    assert verdict(tmp_path, query(size, slide), arrivals, panes, "panes").holds
    random.Random(seed).shuffle(panes)
    assert verdict(tmp_path, query(size, slide), arrivals, panes, "panes").holds
    if panes:
        assert not verdict(tmp_path, query(size, slide), arrivals, panes[1:], "panes").holds
        twice = verdict(tmp_path, query(size, slide), arrivals, [*panes, panes[0]], "panes")
        assert [anomaly.name for anomaly in twice.anomalies] == ["duplicate pane"]
        wrong = [{**panes[0], "cnt": panes[0]["cnt"] + 1}, *panes[1:]]
        assert not verdict(tmp_path, query(size, slide), arrivals, wrong, "panes").holds


LATE = [
    (("flink", None), "drop-pane"),
    (("risingwave", None), "drop-row"),
    (("arroyo", None), "drop-bin"),
    ((None, "keep"), "keep"),
    ((None, "drop-pane"), "drop-pane"),
]


@pytest.mark.parametrize(("policy", "rule"), LATE)
@pytest.mark.parametrize("seed", range(12))
def test_panes_of_rows_that_come_late(tmp_path: Path, seed: int, policy: tuple[str, str], rule: str) -> None:
    arrivals, size, slide = drawn(seed, disorder=20)
    delay, step = seed % 5, slide if slide > 1 else size
    unit = "MILLISECOND" if seed % 2 else "SECOND"
    early = policy[0] == "flink" and unit == "MILLISECOND"
    panes = as_panes(pane_counts(arrivals, size, step, delay, rule, early=early), size)
    found = verdict(tmp_path, query(size, slide, unit), arrivals, panes, "panes", (*policy, delay))
    assert found.holds, found


@pytest.mark.parametrize("seed", range(6))
def test_late_rows_below_a_filter_and_a_union(tmp_path: Path, seed: int) -> None:
    """What is filtered out before the window still moves the watermark; each side of the union drops by itself."""
    arrivals, size, slide = drawn(seed, disorder=20)
    step, window = slide if slide > 1 else size, f"RANGE {size}" + (f" SLIDE {slide}" if slide > 1 else "")
    both = "SELECT item FROM Bid WHERE item <> 'C' UNION ALL SELECT item FROM Bid WHERE item = 'A'"
    text = f"{STREAM}SELECT item, COUNT(*) AS cnt FROM ({both}) WINDOW({window}) GROUP BY item"
    counts = pane_counts(arrivals, size, step, 3, "drop-pane")
    expected = {(item, end): 2 * n if item == "A" else n for (item, end), n in counts.items() if item != "C"}
    panes = as_panes(expected, size)
    assert verdict(tmp_path, text, arrivals, panes, "panes", (None, "drop-pane", 3)).holds
    assert not verdict(tmp_path, text, arrivals, panes[1:], "panes", (None, "drop-pane", 3)).holds or not panes


def sessions_query(gap: int, unit: str = "SECOND") -> str:
    rows = f"SELECT * FROM Bid WINDOW(PARTITION BY item SESSION {gap} TOUCHING AS begin, until) WHERE NOW = until - 1"
    return f"SET TIME UNIT {unit}; {STREAM}SELECT item, COUNT(*) AS cnt FROM ({rows}) GROUP BY item, begin"


def as_sessions(counted: Sequence[tuple[str, int, int, int]]) -> list[dict[str, Any]]:
    return [{"window_start": start, "window_end": end, "item": item, "cnt": n} for item, start, end, n in counted]


@pytest.mark.parametrize(("policy", "rule"), [("flink", "open"), ("spark", "alone"), ("ksqldb", "ended")])
@pytest.mark.parametrize("seed", range(12))
def test_sessions_of_rows_that_come_late(tmp_path: Path, seed: int, policy: str, rule: str) -> None:
    """A session that the watermark has closed takes no row; so one may stand beside another that it would belong to."""
    arrivals, gap, _ = drawn(seed, disorder=20)
    arrivals = [*arrivals, *((item, 200) for item in "ABC")]  # so that the watermark closes all others
    delay, unit = seed % 5, "MILLISECOND" if seed % 2 else "SECOND"
    early = policy == "flink" and unit == "MILLISECOND"
    counted = session_counts(arrivals, gap, delay, rule, early=early)
    found = check_recording(
        sessions_query(gap, unit),
        {"Bid": write_arrivals(tmp_path / "bids.csv", arrivals)},
        write_lines(tmp_path / "theirs.jsonl", as_sessions([c for c in counted if c[1] < 200])),
        kind_named("panes"),
        policy=policy,
        watermarks=[f"ts - {delay}"],
        batch="each" if policy == "spark" else None,
        horizon=190,
    )
    assert found.holds, found


def test_a_late_row_belongs_to_an_open_session_begins_one_or_is_lost(tmp_path: Path) -> None:
    late_for_its_own = [("A", 1), ("A", 6), ("A", 20), ("A", 4)]
    beside_a_closed_one = [("A", 1), ("A", 9), ("A", 4)]
    for rule, expected in {"open": [(1, 11, 3)], "alone": [(1, 11, 2)], "ended": [(1, 11, 3)]}.items():
        counted = session_counts(late_for_its_own, 5, 10, rule)
        assert [c[1:] for c in counted if c[1] < 20] == expected
    assert [c[1:] for c in session_counts(beside_a_closed_one, 5, 2, "open")] == [(1, 6, 1), (4, 14, 2)]
    panes = as_sessions(session_counts(beside_a_closed_one, 5, 2, "open"))
    assert verdict(tmp_path, sessions_query(5), beside_a_closed_one, panes, "panes", ("flink", None, 2)).holds
    merged = as_sessions(session_counts(beside_a_closed_one, 5, 2, "ended"))
    assert not verdict(tmp_path, sessions_query(5), beside_a_closed_one, merged, "panes", ("flink", None, 2)).holds


def test_policies_can_be_told_apart(tmp_path: Path) -> None:
    arrivals, size, slide, delay = [("A", 1), ("A", 17), ("A", 9), ("A", 11), ("A", 12)], 10, 5, 4
    logs = {
        rule: as_panes(pane_counts(arrivals, size, slide, delay, rule), size)
        for rule in ("drop-pane", "drop-row", "drop-bin", "keep")
    }
    for log in logs:
        holds = {
            rule
            for rule in logs
            if verdict(tmp_path, query(10, 5), arrivals, logs[log], "panes", (None, rule, delay)).holds
        }
        assert holds == {log}


@pytest.mark.parametrize("seed", range(15))
def test_changelogs(tmp_path: Path, seed: int) -> None:
    arrivals, size, _ = drawn(seed)
    text, log = query(size, 1), retract_log(snapshots(arrivals, size))
    logs = {"retract": log, "upsert": upsert_log(log), "debezium": debezium_log(log)}
    for kind, right in logs.items():
        assert verdict(tmp_path, text, arrivals, right, kind).holds
        assert not verdict(tmp_path, text, arrivals, right[:-1], kind).holds
        lost = [row for row in right if row.get("op") not in ("-U", "-D", "d")]
        if len(lost) < len(right) and kind != "retract":
            assert not verdict(tmp_path, text, arrivals, lost, kind).holds


@pytest.mark.parametrize("seed", range(10))
def test_updates_of_panes(tmp_path: Path, seed: int) -> None:
    arrivals, size, slide = drawn(seed, disorder=10)
    log, text = versions(arrivals, size, slide if slide > 1 else size), query(size, slide)
    for kind in ("updates", "upsert"):
        assert verdict(tmp_path, text, arrivals, log, kind, (None, "update", None)).holds
        assert not verdict(tmp_path, text, arrivals, log[:-1], kind, (None, "update", None)).holds


@pytest.mark.parametrize("seed", range(5))
def test_a_recording_in_memory_is_what_the_reference_says(tmp_path: Path, seed: int) -> None:
    arrivals, size, _ = drawn(seed)
    parsed = read_query(query(size, 1))
    log = retract_log(snapshots(arrivals, size))
    output = write_lines(tmp_path / "theirs.jsonl", log)
    with open_recording(output, parsed, RecordingOptions("retract")) as recording:
        claimed = recording_of(recording.claims)
    files = readers({"Bid": write_arrivals(tmp_path / "bids.csv", arrivals)}, parsed)
    streams = {"Bid": joined([batch.elements for batch in files["Bid"].batches()]).to_interval()}
    right = evaluate_sparse(parsed.plan, streams)
    assert claimed.kind == "retract"
    assert not claimed.anomalies
    assert first_difference(claimed.sparse(), right) is None
