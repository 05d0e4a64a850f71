"""Bad input: a clear message with the line, or a named anomaly where it is the engine's output. Nothing is skipped."""

from pathlib import Path

import pytest

from tests.equivalence.command.command import snapeq

BIDS = "item,ts\nA,1\nB,2\nA,5\n"
STREAM = "CREATE STREAM Bid(item TEXT, ts BIGINT) ORDERED BY ts; "
PANES = STREAM + "SELECT item, COUNT(*) AS cnt FROM Bid WINDOW(RANGE 10) GROUP BY item"
VIEW = STREAM + "SELECT item, COUNT(*) AS cnt FROM Bid WINDOW(RANGE UNBOUNDED) GROUP BY item"
PLAIN = STREAM + "SELECT item FROM Bid"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bids.csv").write_text(BIDS)


def check(query: str, name: str, text: str, *options: str) -> tuple[int, str]:
    Path(name).write_text(text)
    ran = snapeq("check", query, "--stream", "Bid=bids.csv", "--output", name, *options)
    assert "Traceback" not in ran.err
    return ran.code, ran.err + ran.out


REFUSED = {
    "an unknown operation": (
        VIEW, "log.csv", "op,item,cnt,ts\n+I,A,1,1\n?,B,1,2\n", ["--as", "retract"],
        "log.csv, line 3: column op: the operation '?' is unknown; expected one of +I, -U",
    ),
    "no operation": (
        VIEW, "log.csv", "op,item,cnt,ts\n+I,A,1,1\n,B,1,2\n", ["--as", "retract"],
        "log.csv, line 3: column op: there is no operation",
    ),
    "an update in a retract log": (
        VIEW, "log.csv", "op,item,cnt,ts\n+I,A,1,1\nu,A,2,5\n", ["--as", "retract"],
        "line 3: column op: u is an operation of an upsert log",
    ),
    "an old value in an upsert log": (
        VIEW, "log.csv", "op,item,cnt,ts\n+I,A,1,1\n-U,A,1,5\n", ["--as", "upsert"],
        "line 3: column op: -U is an operation of a retract log",
    ),
    "a row without its key": (
        VIEW, "log.jsonl", '{"op":"+I","item":"A","cnt":1,"ts":1}\n{"op":"+U","cnt":2,"ts":2}\n', ["--as", "upsert"],
        "log.jsonl: line 2, column item: there is no such field, and it is part of the key",
    ),
    "times of two kinds": (
        PANES, "out.jsonl", '{"window_end":10,"item":"A","cnt":2}\n{"window_end":"00:10","item":"B","cnt":1}\n', [],
        "out.jsonl: line 2, column window_end: '00:10' does not fit; expected INT or NULL",
    ),
    "no key": (
        PLAIN, "log.csv", "op,item,ts\n+I,A,1\n", ["--as", "upsert"],
        "log.csv: upsert need a key, by which a new row replaces an old one; expected --key a,b",
    ),
    "a key that is no column": (
        VIEW, "log.csv", "op,item,cnt,ts\n+I,A,1,1\n", ["--as", "upsert", "--key", "who"],
        "--key who: the query has no such column; expected some of: item, cnt",
    ),
    "a missing column": (
        VIEW, "log.csv", "op,item,ts\n+I,A,1\n", ["--as", "retract"],
        "log.csv: there is no column cnt; expected the query's columns; there are: op, item, ts",
    ),
    "time that goes back in an upsert log": (
        VIEW, "log.csv", "op,item,cnt,ts\n+I,A,1,5\n+U,A,2,1\n", ["--as", "upsert"],
        "log.csv, line 3: the time 1 comes after 5, and in an upsert log the last value counts; expected 5 or later",
    ),
    "a value of another type": (
        VIEW, "log.jsonl", '{"op":"+I","item":"A","cnt":1,"ts":1}\n{"op":"+I","item":"B","cnt":"x","ts":2}\n',
        ["--as", "retract"], "log.jsonl: line 2, column cnt: 'x' does not fit; expected INT or NULL",
    ),
    "seconds and milliseconds": (
        VIEW, "log.csv", "op,item,cnt,ts\n+I,A,1,1700000000\n+I,B,1,1700000000500\n", ["--as", "retract"],
        "line 3: column ts: 1700000000500 is in another unit than 1700000000: times must have one unit",
    ),
    "milliseconds that are no seconds": (
        PANES, "panes.csv", "item,cnt,window_end\nA,2,10500\n", ["--as", "panes", "--engine-unit", "millisecond"],
        "line 2: column window_end: 10500 is no whole number of the query's units, each of which is 1000 of the file's",
    ),
    "no time": (
        PANES, "panes.jsonl", '{"item":"A","cnt":2,"window_end":10}\n{"item":"B","cnt":1}\n', ["--as", "panes"],
        "panes.jsonl, line 2: column window_end: there is no time",
    ),
    "no windows": (
        PANES, "panes.csv", "item,cnt\nA,2\n", ["--as", "panes"],
        "panes.csv: there is no column with the ends of windows; expected window_end",
    ),
    "nothing that shows a time": (
        VIEW, "what.csv", "item,cnt\nA,2\n", [], "what.csv: it shows no time; expected _start, window_end, op",
    ),
    "a snapshot without a time": (
        VIEW, "what.csv", "item,cnt\nA,2\n", ["--as", "snapshot"], "expected --at T, or --at end for the last input",
    ),
    "an unknown kind": (VIEW, "what.csv", "item,cnt\nA,2\n", ["--as", "pane"], "--as pane: expected one of: panes"),
    "an update without before": (
        VIEW, "log.jsonl", '{"before":null,"after":{"item":"A","cnt":1},"op":"u","ts_ms":1000}\n', ["--as", "debezium"],
        "log.jsonl, line 1: column op: there is no before; expected the old row; or --key NAME",
    ),
    "an insertion without after": (
        VIEW, "log.jsonl",
        '{"before":null,"after":{"item":"A","cnt":1},"op":"c","ts_ms":0}\n{"before":null,"after":null,"op":"c","ts_ms":1000}\n',
        ["--as", "debezium"], "log.jsonl, line 2: column op: there is no after; expected the new row",
    ),
    "an option for a column that is not there": (
        PANES, "panes.csv", "item,cnt,till\nA,2,10\n", ["--as", "panes", "--window-end", "until"],
        "panes.csv: there is no column until (--window-end); there are: item, cnt, till",
    ),
    "panes of a view": (
        VIEW, "panes.csv", "item,cnt,window_end\nA,2,10\n", ["--as", "panes"], "a window without an end has none",
    ),
    "an --at that is no time": (
        VIEW, "what.csv", "item,cnt\nA,2\n", ["--as", "snapshot", "--at", "noon"], "--at noon: TIMESTAMP: expected",
    ),
    "a watermark without a rule": (
        PANES, "panes.csv", "item,cnt,window_end\nA,2,10\n", ["--watermark", "ts"], "what becomes of late rows?",
    ),
    "a rule without a watermark": (
        PANES, "panes.csv", "item,cnt,window_end\nA,2,10\n", ["--late", "drop-row"],
        "what is late? expected --watermark",
    ),
    "an unknown policy": (
        PANES, "panes.csv", "item,cnt,window_end\nA,2,10\n", ["--policy", "storm"], "--policy storm: expected one of",
    ),
    "a watermark that is no expression": (
        PANES, "panes.csv", "item,cnt,window_end\nA,2,10\n", ["--watermark", "ts * 2", "--late", "keep"],
        "--watermark ts * 2: expected a column, perhaps minus a duration",
    ),
    "a changelog that is said to be panes": (
        PANES, "log.csv", "op,item,cnt,window_end\n+I,A,1,10\n-U,A,1,10\n+U,A,2,10\n", ["--as", "panes"],
        "log.csv, line 3: column op: -U is an operation of a changelog (update before); expected rows of panes",
    ),
    "micro-batches": (
        PANES, "panes.csv", "item,cnt,window_end\nA,2,10\n", ["--watermark", "ts", "--policy", "spark"],
        "the watermark advances between micro-batches; expected --batch NAME",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_refused_with_a_message(case: str) -> None:
    query, name, text, options, message = REFUSED[case]
    code, said = check(query, name, text, *options)
    assert message in said
    assert code in (2, 3)


ANOMALIES = {
    "a pane twice": (
        PANES, "panes.csv", "item,cnt,window_end\nA,2,10\nB,1,10\nA,2,10\n", ["--as", "panes"],
        "panes.csv, line 4: duplicate pane: ('A') in the pane that ends at 10",
    ),
    "a pane elsewhere": (
        PANES, "panes.csv", "item,cnt,window_end\nA,2,10\nB,1,10\nA,1,15\n", ["--as", "panes"],
        "panes.csv, line 4: unaligned pane: […, 15) is no pane of the query",
    ),
    "a pane of another length": (
        PANES, "panes.csv", "item,cnt,window_start,window_end\nA,2,0,10\nB,1,5,10\n", ["--as", "panes"],
        "panes.csv, line 3: unaligned pane: [5, 10) is no pane of the query",
    ),
    "a retraction of what was never there": (
        VIEW, "log.csv", "op,item,cnt,ts\n-D,A,7,0\n+I,A,7,0\n+I,A,1,1\n+I,B,1,2\n-U,A,1,5\n+U,A,2,5\n",
        ["--as", "retract"],
        "log.csv, line 2: retraction of what was never there: ('A', 7)",
    ),
    "a retraction within a pane": (
        PANES, "log.csv", "op,item,cnt,window_end\n-D,A,7,10\n+I,A,7,10\n+I,A,2,10\n+I,B,1,10\n", ["--as", "retract"],
        "log.csv, line 2: retraction of what was never there: ('A', 7) in the pane that ends at 10",
    ),
    "half a line of JSON": (
        PANES, "panes.jsonl",
        '{"item":"A","cnt":2,"window_end":10}\n{"item":"B","cnt":1,"window_end":10}\n{"item":"A","cnt":2,"win',
        ["--as", "panes"], "panes.jsonl, line 3: truncated last line: ",
    ),
    "half a line of CSV": (
        PANES, "panes.csv", "item,cnt,window_end\nA,2,10\nB,1,10\nA,2", ["--as", "panes"],
        "panes.csv, line 4: truncated last line: 'A,2'",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", ANOMALIES)
def test_named_as_an_anomaly(case: str) -> None:
    query, name, text, options, message = ANOMALIES[case]
    code, said = check(query, name, text, *options)
    assert message in said
    assert "REFUTED" in said
    assert code == 1


def test_only_some_of_many_anomalies_are_printed_and_all_are_counted() -> None:
    rows = "".join("A,2,10\n" for _ in range(40))
    _, said = check(PANES, "panes.csv", f"item,cnt,window_end\nB,1,10\n{rows}", "--as", "panes")
    assert said.count(": duplicate pane: ") == 5
    assert "in all 39 × duplicate pane" in said


def test_time_that_goes_back_in_an_ordered_input_is_named() -> None:
    Path("bids.csv").write_text("item,ts\nA,5\nA,1\n")
    code, said = check(PANES, "panes.csv", "item,cnt,window_end\nA,2,10\n", "--as", "panes")
    assert "bids.csv: line 3, column ts: 1 comes after 5: the file is not in the order of time" in said
    assert code == 2
