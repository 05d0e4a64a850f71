"""Files that are a little out of order: `run --slack` and `check --slack`."""

from pathlib import Path
from random import Random

import pytest

from physical.files import raw_batches
from physical.files.layout import Layout
from physical.files.reader import FileReader
from physical.files.slack import ordered_batches
from semantics import Schema
from tests.equivalence.command.command import snapeq

DECLARED = "CREATE STREAM Bid(item INT NOT NULL, ts BIGINT) ORDERED BY ts; "
QUERY = DECLARED + "SELECT item, COUNT(*) AS n FROM Bid WINDOW(RANGE 5) GROUP BY item"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [(i % 3, i // 2) for i in range(60)]
    Path("ordered.csv").write_text(_csv(rows))
    Path("shuffled.csv").write_text(_csv(sorted(rows, key=lambda row: row[1] + Random(str(row)).randrange(5))))


def _csv(rows: list[tuple[int, int]]) -> str:
    return "item,ts\n" + "".join(f"{item},{ts}\n" for item, ts in rows)


def _run(file: str, *more: str) -> str:
    return snapeq("run", QUERY, "--stream", f"Bid={file}", *more).out


def test_rows_within_the_slack_are_put_in_order() -> None:
    assert _run("shuffled.csv", "--slack", "4") == _run("ordered.csv")
    assert _run("shuffled.csv", "--slack", "4", "--engine", "reference") == _run("ordered.csv")
    Path("right.csv").write_text(_run("ordered.csv"))
    asked = ("check", QUERY, "--stream", "Bid=shuffled.csv", "--output", "right.csv")
    assert snapeq(*asked, "--slack", "4").code == 0
    assert snapeq(*asked).code == 2


def test_a_row_that_comes_too_late_is_named() -> None:
    Path("late.csv").write_text("item,ts\n1,3\n1,9\n1,5\n1,4\n")
    ran = snapeq("run", QUERY, "--stream", "Bid=late.csv", "--slack", "4")
    assert ran.code == 2
    assert "late.csv: line 5, column ts: 4 comes after 9, which is more than the slack of 4" in ran.err
    assert "expected 5 or later, or a larger --slack" in ran.err


def test_a_wrong_row_is_named_where_it_stands_in_the_file() -> None:
    Path("null.csv").write_text("item,ts\n1,3\n1,5\n,4\n1,9\n")
    ran = snapeq("run", QUERY, "--stream", "Bid=null.csv", "--slack", "4")
    assert "null.csv: line 4, column item: NULL breaks NOT NULL" in ran.err


@pytest.mark.parametrize("size", [16, 64, 1 << 20])
def test_batches_of_any_size_are_put_in_order(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raw_batches, "TEXT_BYTES_AT_ONCE", size)
    layout = Layout(Schema.of(item=int), "ts")
    batches = list(ordered_batches(FileReader(Path("shuffled.csv"), layout), 4))
    starts = [start for batch in batches for start in batch.elements.start.tolist()]
    assert starts == sorted(starts)
    assert sorted(number for batch in batches for number in batch.numbers.tolist()) == list(range(60))
