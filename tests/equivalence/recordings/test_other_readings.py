"""A recording that is wrong as the kind it was read as, and right as another one: that is said, and only then."""

import json
from pathlib import Path

import pytest

from tests.equivalence.command.command import Ran, snapeq

STREAM = "CREATE STREAM Bid(item TEXT, ts BIGINT) ORDERED BY ts; "
PANES = STREAM + "SELECT item, COUNT(*) AS cnt FROM Bid WINDOW(RANGE 10) GROUP BY item"
VIEW = STREAM + "SELECT item, COUNT(*) AS cnt FROM Bid WINDOW(RANGE UNBOUNDED) GROUP BY item"
VERSIONS = "item,cnt,window_end\nA,1,10\nB,1,10\nA,2,10\n"
UPDATES = "read as updates it is right: if the engine refines its panes, say --as updates"
UPSERT = "read as an upsert log it is right: if a new row replaces the old one of its key, say --as upsert"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bids.csv").write_text("item,ts\nA,1\nB,2\nA,5\n")


def check(query: str, text: str, *options: str) -> Ran:
    Path("out.csv").write_text(text)
    return snapeq("check", query, "--stream", "Bid=bids.csv", "--output", "out.csv", "--no-explain", *options)


RIGHT_OTHERWISE = {
    "versions of panes": (PANES, "panes", VERSIONS, UPDATES),
    "versions of panes, the panes not in order": (
        PANES, "panes", "item,cnt,window_end\nB,1,10\nA,1,10\nC,1,20\nA,2,10\n", UPDATES
    ),
    "values by key, read as events": (VIEW, "events", "item,cnt,ts\nA,1,1\nB,1,2\nA,2,5\n", UPSERT),
    "values by key without a time": (VIEW, "snapshot", "item,cnt\nA,1\nB,1\nA,2\n", UPSERT),
    "insertions that replace": (VIEW, "retract", "op,item,cnt,ts\n+I,A,1,1\n+I,B,1,2\n+I,A,2,5\n", UPSERT),
}  # fmt: skip


@pytest.mark.parametrize("case", RIGHT_OTHERWISE)
def test_the_kind_that_would_be_right_is_said(case: str) -> None:
    query, kind, text, message = RIGHT_OTHERWISE[case]
    if "C" in text:
        Path("bids.csv").write_text("item,ts\nA,1\nB,2\nA,5\nC,12\n")
    moment = ["--at", "end"] if kind == "snapshot" else []
    found = check(query, text, "--as", kind, *moment)
    assert (found.code, found.out.splitlines()[-1]) == (1, message)
    said = message.rpartition("--as ")[2]
    assert check(query, text, "--as", said, *moment).code == 0
    evidence = json.loads(check(query, text, "--as", kind, *moment, "--json").out)["evidence"]
    assert evidence["right_as"] == said


WRONG_ANYWAY = {
    "the last version is wrong": (PANES, "panes", "item,cnt,window_end\nA,2,10\nB,1,10\nA,1,10\n"),
    "another pane is wrong": (PANES, "panes", VERSIONS + "B,1,20\n"),
    "a pane elsewhere": (PANES, "panes", VERSIONS + "B,1,15\n"),
    "no key twice": (PANES, "panes", "item,cnt,window_end\nA,1,10\nB,1,10\n"),
    "a torn line": (PANES, "panes", VERSIONS + "B"),
    "time goes back": (VIEW, "events", "item,cnt,ts\nA,1,1\nA,2,5\nB,1,2\n"),
    "a value is wrong": (VIEW, "events", "item,cnt,ts\nA,1,1\nB,1,2\nA,3,5\n"),
    "a right retraction is missing, and a wrong value": (VIEW, "retract", "op,item,cnt,ts\n+I,A,1,1\n+I,A,3,5\n"),
}


@pytest.mark.parametrize("case", WRONG_ANYWAY)
def test_what_is_wrong_as_any_kind_is_only_refuted(case: str) -> None:
    query, kind, text = WRONG_ANYWAY[case]
    found = check(query, text, "--as", kind)
    assert found.out.startswith("REFUTED")
    assert "it is right" not in found.out
    assert "right_as" not in json.loads(check(query, text, "--as", kind, "--json").out)["evidence"]
