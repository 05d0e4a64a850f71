"""--dialect and translate: queries as other systems write them."""

from pathlib import Path

import pytest

from tests.equivalence.command.command import snapeq

DDL = "CREATE TABLE Bid (item BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND);"
FLINK = DDL + (
    "SELECT item, COUNT(*) AS n FROM TABLE(TUMBLE(TABLE Bid, DESCRIPTOR(ts), INTERVAL '10' SECOND))"
    " GROUP BY item, window_start, window_end"
)
SPARK = (
    "CREATE TABLE Bid (item BIGINT, ts TIMESTAMP); SELECT item, count(*) AS n FROM Bid"
    " GROUP BY item, window(ts, '{} seconds')"
)


def test_explain_shows_a_query_of_another_dialect_in_own_words() -> None:
    ran = snapeq("explain", FLINK, "--dialect", "flink")
    assert ran.code == 0
    assert ran.out.startswith("in snapeq's words\nSET TIME UNIT MILLISECOND;\nCREATE STREAM Bid(")


@pytest.mark.parametrize(("seconds", "verdict"), [("10", "PROVED"), ("20", "REFUTED")])
def test_queries_of_two_dialects_are_compared(seconds: str, verdict: str) -> None:
    ran = snapeq("equiv", FLINK, SPARK.format(seconds), "--dialect", "flink,spark", "--examples", "20")
    assert ran.out.startswith(verdict)


def test_a_query_of_another_dialect_is_told_so_and_in_own_words() -> None:
    ran = snapeq("explain", FLINK)
    assert ran.code == 2
    assert "this looks like flink: say --dialect flink. The same in snapeq's words:\nSET TIME UNIT" in ran.err


def test_what_cannot_be_kept_is_said() -> None:
    ran = snapeq("translate", FLINK, "--from", "flink", "--to", "ksqldb")
    assert ran.code == 2
    assert "TUMBLE windows is refused: ksqldb writes them in a way that is not translated" in ran.err


def test_a_changing_answer_without_its_changes_is_the_last_one(tmp_path: Path) -> None:
    bids, output = tmp_path / "bids.jsonl", tmp_path / "out.jsonl"
    bids.write_text('{"item": 1, "ts": "2020-01-01T00:00:05"}\n{"item": 1, "ts": "2020-01-01T00:00:01"}\n')
    output.write_text('{"item": 1, "n": 2}\n')
    query = DDL + "SELECT item, COUNT(*) AS n FROM Bid GROUP BY item"
    options = ["--dialect", "flink", "--stream", f"Bid={bids}", "--no-explain"]
    assert snapeq("check", query, *options, "--output", str(output)).code == 0
    output.write_text('{"item": 1, "n": 1}\n')
    assert snapeq("check", query, *options, "--output", str(output)).code == 1


PANE = '{{"op": "{}", "item": 1, "s": "2020-01-01T00:00:0{}", "e": "2020-01-01T00:00:1{}", "n": {}}}\n'
WINDOWS = {
    "flink": DDL
    + "SELECT item, window_start AS s, window_end AS e, COUNT(*) AS n FROM TABLE(TUMBLE(TABLE Bid, DESCRIPTOR(ts),"
    " INTERVAL '10' SECOND)) GROUP BY item, window_start, window_end",
    "risingwave": "CREATE SOURCE Bid (item BIGINT, ts TIMESTAMP, WATERMARK FOR ts AS ts) WITH (connector = 'x');"
    "SELECT item, window_start AS s, window_end AS e, COUNT(*) AS n FROM TUMBLE(Bid, ts, INTERVAL '10 seconds')"
    " GROUP BY item, window_start, window_end",
}


@pytest.mark.parametrize(
    ("dialect", "log", "code"),
    [
        ("flink", PANE.format("+I", 0, 0, 2), 0),
        ("flink", PANE.format("+I", 0, 0, 1), 1),
        ("flink", PANE.format("+I", 0, 0, 1) + PANE.format("-U", 0, 0, 1) + PANE.format("+U", 0, 0, 2), 0),
        ("flink", PANE.format("+I", 0, 0, 1) + PANE.format("-U", 0, 0, 1) + PANE.format("+U", 0, 0, 3), 1),
        ("risingwave", PANE.format("+I", 0, 0, 1) + PANE.format("-U", 0, 0, 1) + PANE.format("+U", 0, 0, 2), 0),
        ("risingwave", PANE.format("+I", 0, 0, 1), 1),
    ],
)
def test_panes_are_final_or_followed_as_they_change(tmp_path: Path, dialect: str, log: str, code: int) -> None:
    """The last input is before the end of its pane: an engine that follows changes has counted it already.

    A log that takes back what it said follows changes, whoever wrote it: its last word counts.
    """
    bids, output = tmp_path / "bids.jsonl", tmp_path / "out.jsonl"
    bids.write_text('{"item": 1, "ts": "2020-01-01T00:00:01"}\n{"item": 1, "ts": "2020-01-01T00:00:05"}\n')
    output.write_text(log)
    options = ["--dialect", dialect, "--stream", f"Bid={bids}", "--no-explain", "--output", str(output)]
    assert snapeq("check", WINDOWS[dialect], *options).code == code
