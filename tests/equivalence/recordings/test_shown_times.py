"""Where a stream has timestamps, texts show times as people write them; JSON keeps numbers."""

import json
import re
from pathlib import Path

import pytest

from tests.equivalence.command.command import Ran, snapeq

STREAM = "CREATE STREAM Bid(item TEXT, ts TIMESTAMP) ORDERED BY ts; "
PANES = STREAM + "SELECT item, COUNT(*) AS cnt FROM Bid WINDOW(RANGE 10 MINUTES) GROUP BY item"
VIEW = STREAM + "SELECT item, COUNT(*) AS cnt FROM Bid WINDOW(RANGE UNBOUNDED) GROUP BY item"
RIGHT = "item,cnt,window_end\nA,2,2026-01-01 00:10:00\nB,1,2026-01-01 00:10:00\n"
MIDNIGHT = 1767225600
NUMBER = re.compile(r"\d{9,}")


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bids.csv").write_text("item,ts\nA,2026-01-01 00:01:00\nB,2026-01-01 00:02:00\nA,2026-01-01 00:05:00\n")


def check(query: str, text: str, *options: str) -> Ran:
    Path("out.csv").write_text(text)
    return snapeq("check", query, "--stream", "Bid=bids.csv", "--output", "out.csv", *options)


UPSERT = "item,cnt,ts\nA,1,2026-01-01 00:01:00\nB,1,2026-01-01 00:02:00\n"
TEXTS = {
    "the first difference": (
        PANES, "panes", RIGHT.replace("A,2", "A,3"),
        "at instant 2026-01-01T00:09:59Z, in the pane that ends at 2026-01-01T00:10:00Z\n",
    ),
    "the whole difference": (
        PANES, "panes", RIGHT.replace("A,2", "A,3"),
        "  in the pane that ends at 2026-01-01T00:10:00Z ('A', 2) is missing\n",
    ),
    "the input": (PANES, "panes", RIGHT.replace("A,2", "A,3"), "  Bid row 3: ('A') at 2026-01-01T00:05:00Z\n"),
    "a pane twice": (
        PANES, "panes", RIGHT + "A,2,2026-01-01 00:10:00\n",
        "line 4: duplicate pane: ('A') in the pane that ends at 2026-01-01T00:10:00Z\n",
    ),
    "a fault in one place": (
        PANES, "panes", RIGHT + "B,1,2026-01-01 00:10:00\n", "rows twice: instant 2026-01-01T00:09:59Z",
    ),
    "a pane elsewhere": (
        PANES, "panes", RIGHT + "A,2,2026-01-01 00:15:00\n", "unaligned pane: […, 2026-01-01T00:15:00Z) is no pane",
    ),
    "an endless difference": (
        VIEW, "upsert", UPSERT, "  at [2026-01-01T00:05:00Z, ∞) ('A', 1) should not be there\n",
    ),
    "intervals": (
        VIEW, "intervals", f"item,cnt,_start,_end\nA,1,{MIDNIGHT + 60},\nB,1,{MIDNIGHT + 120},\n",
        "REFUTED: they differ first at instant 2026-01-01T00:05:00Z\n",
    ),
    "time that goes back": (
        VIEW, "upsert", UPSERT + "A,2,2026-01-01 00:01:30\n",
        "the time 2026-01-01T00:01:30Z comes after 2026-01-01T00:02:00Z, and",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", TEXTS)
def test_times_in_texts(case: str) -> None:
    query, kind, text, message = TEXTS[case]
    found = check(query, text, "--as", kind)
    assert message in found.err + found.out
    assert not NUMBER.search(found.err + found.out)


def test_the_moment_and_the_horizon() -> None:
    rows = ("--as", "snapshot", "--at", "2026-01-01T00:02:00Z")
    assert check(VIEW, "item,cnt\nA,1\nB,1\n", *rows).out.startswith("AGREED: at instant 2026-01-01T00:02:00Z both")
    until = ("--as", "panes", "--horizon", str(MIDNIGHT + 660))
    assert check(PANES, RIGHT, *until).out.startswith("AGREED: in every pane before instant 2026-01-01T00:11:00Z both")


def test_numbers_in_json() -> None:
    found = json.loads(check(PANES, RIGHT + "A,2,2026-01-01 00:10:00\n", "--as", "panes", "--json").out)
    assert found["counterexample"]["instant"] == MIDNIGHT + 599
    assert found["evidence"]["anomalies"][0]["instant"] == MIDNIGHT + 599
    until = json.loads(check(PANES, RIGHT, "--as", "panes", "--horizon", str(MIDNIGHT + 660), "--json").out)
    assert until["evidence"]["judged"] == f"in every pane before instant {MIDNIGHT + 660}"


def test_the_unit_of_the_query_counts() -> None:
    query = "SET TIME UNIT MILLISECOND; " + PANES
    found = check(query, RIGHT.replace("A,2", "A,3"), "--as", "panes")
    assert "at instant 2026-01-01T00:09:59.999Z, in the pane that ends at 2026-01-01T00:10:00Z\n" in found.out


def test_times_that_are_declared_as_numbers_stay_numbers() -> None:
    Path("bids.csv").write_text(f"item,ts\nA,{MIDNIGHT + 60}\n")
    found = check(PANES.replace("TIMESTAMP", "BIGINT"), f"item,cnt,window_end\nA,2,{MIDNIGHT + 600}\n", "--as", "panes")
    assert f"at instant {MIDNIGHT + 599}, in the pane that ends at {MIDNIGHT + 600}\n" in found.out
