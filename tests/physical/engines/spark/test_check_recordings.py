"""Recordings of all kinds, judged by an answer that Spark computes: right ones, and their wrong siblings."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.equivalence.command.command import snapeq

STREAM = "CREATE STREAM Bid(item TEXT, ts BIGINT) ORDERED BY ts; "
PANES = STREAM + "SELECT item, COUNT(*) AS cnt FROM Bid WINDOW(RANGE 10 SLIDE 5) GROUP BY item"
VIEW = STREAM + "SELECT item, COUNT(*) AS cnt FROM Bid WINDOW(RANGE UNBOUNDED) GROUP BY item"
EVENTS = STREAM + "SELECT item FROM Bid"
WINDOWS = [(5, "A", 1), (5, "B", 1), (10, "A", 2), (10, "B", 1), (15, "A", 1)]
A1, A2, B1 = {"item": "A", "cnt": 1}, {"item": "A", "cnt": 2}, {"item": "B", "cnt": 1}

RECORDINGS: dict[str, tuple[str, list[dict[str, Any]], tuple[str, ...]]] = {
    "panes": (PANES, [{"window_end": e, "item": i, "cnt": n} for e, i, n in WINDOWS], ()),
    "updates": (
        PANES, [{"window_end": 10, **A1}] + [{"window_end": e, "item": i, "cnt": n} for e, i, n in WINDOWS], (),
    ),
    "events": (EVENTS, [{"item": "A", "ts": 1}, {"item": "B", "ts": 2}, {"item": "A", "ts": 5}], ()),
    "retract": (
        VIEW,
        [{"op": "+I", **A1, "ts": 1}, {"op": "+I", **B1, "ts": 2},
         {"op": "-U", **A1, "ts": 5}, {"op": "+U", **A2, "ts": 5}],
        (),
    ),
    "debezium": (
        VIEW,
        [{"before": None, "after": A1, "op": "c", "ts_ms": 1000},
         {"before": None, "after": B1, "op": "c", "ts_ms": 2000},
         {"before": A1, "after": A2, "op": "u", "ts_ms": 5000}],
        (),
    ),
    "upsert": (VIEW, [{"op": "+I", **A1, "ts": 1}, {"op": "+I", **B1, "ts": 2}, {"op": "+U", **A2, "ts": 5}], ()),
    "snapshot": (VIEW, [A2, B1], ("--at", "end")),
}  # fmt: skip


ON_SPARK = ("panes", "retract", "snapshot")
"""Here what Spark does differs; how the others are read is tested without it."""


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=() if kind in ON_SPARK else pytest.mark.full) for kind in RECORDINGS]
)
def test_a_right_recording_and_its_wrong_sibling(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    query, rows, options = RECORDINGS[kind]
    Path("bids.csv").write_text("item,ts\nA,1\nB,2\nA,5\n")
    text = "".join(json.dumps(row) + "\n" for row in rows)
    Path("right.jsonl").write_text(text)
    Path("wrong.jsonl").write_text(text.replace('"B"', '"C"'))
    command = ("check", query, "--stream", "Bid=bids.csv", "--engine", "spark", "--as", kind, *options, "--output")
    assert snapeq(*command, "right.jsonl").out.startswith("AGREED: ")
    wrong = snapeq(*command, "wrong.jsonl").out
    assert wrong.startswith("REFUTED: they differ first at instant ")
    assert "  ≠ ('C'" in wrong


def test_anomalies_are_named_as_without_spark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bids.csv").write_text("item,ts\nA,1\nA,5\n")
    Path("log.csv").write_text("op,item,cnt\n+I,A,2\n-D,B,1\n+I,B,1\n")
    found = snapeq(
        "check", VIEW, "--stream", "Bid=bids.csv", "--engine", "spark", "--as", "retract", "--output", "log.csv"
    )
    assert found.out.startswith("REFUTED: at instant 5 both hold the same, but log.csv has anomalies")
    assert "log.csv, line 3: retraction of what was never there: ('B', 1)" in found.out
