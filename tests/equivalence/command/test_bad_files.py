"""Wrong files and wrong command lines: message, exit code 2, no traceback, nothing left behind."""

from pathlib import Path

import pytest

from tests.equivalence.command.command import snapeq

SCHEMA = """
CREATE TABLE Cat(id INT PRIMARY KEY, name TEXT NOT NULL);
CREATE STREAM Bid(item INT NOT NULL, price FLOAT, ok BOOLEAN, who TEXT, ts BIGINT) ORDERED BY ts;
CREATE STREAM Auction(id INT UNIQUE, cat INT REFERENCES Cat(id), opened BIGINT, closed BIGINT) VALID (opened, closed);
CREATE STREAM Log(x INT, at TIMESTAMP) ORDERED BY at;
"""
BID, AUCTION, CAT, LOG = b"item,price,ok,who,ts\n", b"id,cat,opened,closed\n", b"id,name\n", b"x,at\n"
GOOD = BID + b"1,2.5,true,x,0\n"
JSON = b'{"item": 1, "price": 2, "ok": true, "who": "x", "ts": 0}\n'
ENDINGS = ".csv, .jsonl, .ndjson, .json, .parquet, .arrow, .feather, .ipc"
NULLABLE = "or nothing for NULL"
OBJECT = 'one JSON object per line, such as {"id": 1, "ts": 0}'
INSTANT = "an instant, a whole number from 0 on"
ISO = "a TIMESTAMP in ISO 8601, such as 2009-04-01T12:00:00Z"
ALONE = "values that no other row has at the same time"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("s.sql").write_text(SCHEMA)
    return tmp_path


FILES = [
    (
        "Bid",
        "b.csv",
        BID + b"1,2.5,true,x,9223372036854775807\n",
        f"b.csv: line 2, column ts: 9223372036854775807 is beyond the last instant 9223372036854775806; expected {INSTANT}",
    ),
    (
        "Bid",
        "b.jsonl",
        b'{"item": 1, "item": 2, "price": 2, "ok": true, "who": "x", "ts": 0}\n',
        "b.jsonl: line 1, character 1: not JSON: two fields are called 'item'; expected one JSON object per line",
    ),
    (
        "Bid",
        "b.csv",
        b"",
        "b.csv: there is no column item, price, ok, who, ts; there are: none; expected columns item, price, ok, who, ts, in any order",
    ),
    (
        "Bid",
        "b.csv",
        b"item,price,ok,who\n",
        "b.csv: there is no column ts; there are: item, price, ok, who; expected columns item, price, ok, who, ts, in any order",
    ),
    (
        "Bid",
        "b.csv",
        b"item,price,ok,who,ts,item\n",
        "b.csv: line 1: two columns are called 'item'; expected a first line with names that differ",
    ),
    (
        "Bid",
        "b.csv",
        GOOD + b"1,2.5,true,0\n",
        "b.csv: line 3: 4 fields where the header has 5; expected 5 fields: item, price, ok, who, ts",
    ),
    (
        "Bid",
        "b.csv",
        GOOD + b"1,2.5,true,0,,\n",
        "b.csv: line 3: 6 fields where the header has 5; expected 5 fields: item, price, ok, who, ts",
    ),
    (
        "Bid",
        "b.csv",
        GOOD + b"z,2.5,true,x,1\n",
        f"b.csv: line 3, column item: 'z' does not fit; expected INT, a whole number of 64 bits, {NULLABLE}",
    ),
    (
        "Bid",
        "b.csv",
        GOOD + b"1,much,true,x,1\n",
        f"b.csv: line 3, column price: 'much' does not fit; expected FLOAT, a number, {NULLABLE}",
    ),
    (
        "Bid",
        "b.csv",
        GOOD + b"1,2.5,maybe,x,1\n",
        f"b.csv: line 3, column ok: 'maybe' does not fit; expected BOOLEAN, true or false, {NULLABLE}",
    ),
    (
        "Bid",
        "b.csv",
        BID + b"9223372036854775808,2.5,true,x,1\n",
        f"b.csv: line 2, column item: '9223372036854775808' does not fit; expected INT, a whole number of 64 bits, {NULLABLE}",
    ),
    (
        "Bid",
        "b.csv",
        BID + b"1,2.5,true,x,5\n\n1,2,true,x,4\n",
        "b.csv: line 4, column ts: 4 comes after 5: the file is not in the order of time; expected 5 or later",
    ),
    ("Bid", "b.csv", BID + b"1,2.5,true,x,\n", f"b.csv: line 2, column ts: there is no time; expected {INSTANT}"),
    (
        "Bid",
        "b.csv",
        BID + b"1,2.5,true,x,-4\n",
        f"b.csv: line 2, column ts: -4 is before instant 0; expected {INSTANT}",
    ),
    ("Bid", "b.csv", BID + b"1,2.5,true,x,1.5\n", f"b.csv: line 2, column ts: '1.5' does not fit; expected {INSTANT}"),
    (
        "Bid",
        "b.csv",
        BID + b"1,2.5,true,x,2020-01-01\n",
        f"b.csv: line 2, column ts: '2020-01-01' does not fit; expected {INSTANT}",
    ),
    (
        "Bid",
        "b.csv",
        BID + b'1,2,true,"a\nb",1\n,2,true,x,2\n',
        "b.csv: line 4, column item: NULL breaks NOT NULL; expected a value: item is NOT NULL",
    ),
    (
        "Bid",
        "b.csv",
        GOOD + b"1,2.5,true,\xff,1\n",
        "b.csv: line 3, byte 12: this is no text in UTF-8; expected text in UTF-8",
    ),
    (
        "Bid",
        "b.csv",
        b'item,price,ok,ts,who\n1,2,true,3,"abc\n',
        "b.csv: line 2: unexpected end of data; expected CSV with quotes that are closed",
    ),
    (
        "Bid",
        "b.jsonl",
        JSON + JSON.replace(b'"x"', b'"\xff"'),
        "b.jsonl: line 2, byte 45: this is no text in UTF-8; expected text in UTF-8",
    ),
    ("Bid", "b.jsonl", b"null\n" + JSON, f"b.jsonl: line 1: None is no object; expected {OBJECT}"),
    ("Bid", "b.jsonl", JSON + b"\n null\n", f"b.jsonl: line 3: None is no object; expected {OBJECT}"),
    (
        "Bid",
        "b.jsonl",
        JSON.strip() + b"null\n",
        f"b.jsonl: line 1, character 57: not JSON: Extra data; expected {OBJECT}",
    ),
    (
        "Bid",
        "b.jsonl",
        JSON + JSON[:-2] + b"\n",
        f"b.jsonl: line 2, character 56: not JSON: Expecting ',' delimiter; expected {OBJECT}",
    ),
    (
        "Bid",
        "b.jsonl",
        JSON + JSON.replace(b"1", b'"a"'),
        f"b.jsonl: line 2, column item: 'a' does not fit; expected INT, a whole number of 64 bits, {NULLABLE}",
    ),
    (
        "Bid",
        "b.jsonl",
        JSON + JSON.replace(b"true", b"1"),
        f"b.jsonl: line 2, column ok: 1 does not fit; expected BOOLEAN, true or false, {NULLABLE}",
    ),
    (
        "Bid",
        "b.ndjson",
        b"[1]\n",
        'b.ndjson: line 1: [1] is no object; expected one JSON object per line, such as {"id": 1, "ts": 0}',
    ),
    (
        "Bid",
        "b.json",
        b'{"item": 1, "ts": 2}\n',
        "b.json: there is no column price, ok, who; there are: item, ts; expected columns item, price, ok, who, ts, in any order",
    ),
    ("Bid", "b.parquet", b"junk", "b.parquet: it cannot be read: Parquet file size is 4 bytes"),
    ("Bid", "b.arrow", b"junk", "b.arrow: it cannot be read: "),
    ("Bid", "b.txt", b"junk", f"b.txt: the ending '.txt' names no format; expected one of {ENDINGS}"),
    ("Bid", "b", b"junk", f"b: the ending '' names no format; expected one of {ENDINGS}"),
    (
        "Auction",
        "a.csv",
        AUCTION + b"1,,3,3\n",
        "a.csv: line 2: the end 3 is not after the start 3; expected an end after its start",
    ),
    (
        "Auction",
        "a.csv",
        AUCTION + b"1,,3,\n2,,4,5\n1,,5,6\n",
        f"a.csv: line 4: (1,) at 5 breaks UNIQUE (id): a row above has it at that time, too; expected {ALONE}",
    ),
    (
        "Auction",
        "a.csv",
        AUCTION + b",,3,\n,,4,5\n,9,5,6\n",
        "a.csv: line 4, column cat: (None, 9) refers to nothing in Cat(id) at 5; expected values of Cat(id)",
    ),
    (
        "Cat",
        "c.csv",
        CAT + b"6,x\n7,y\n6,z\n",
        f"c.csv: line 4: (6,) at 0 breaks PRIMARY KEY (id): a row above has it at that time, too; expected {ALONE}",
    ),
    (
        "Cat",
        "c.csv",
        CAT + b"6,\n",
        "c.csv: line 2, column name: NULL breaks NOT NULL; expected a value: name is NOT NULL",
    ),
    (
        "Cat",
        "c.csv",
        CAT + b",x\n",
        "c.csv: line 2, column id: NULL breaks PRIMARY KEY; expected a value: id is PRIMARY KEY",
    ),
    (
        "Log",
        "l.csv",
        LOG + b"1,2020-01-01T00:00:00.5Z\n",
        f"l.csv: line 2, column at: 2020-01-01T00:00:00.5Z is no whole number of units of 1000 ms; expected {ISO}",
    ),
    (
        "Log",
        "l.csv",
        LOG + b"1,yesterday\n",
        f"l.csv: line 2, column at: 'yesterday' is no ISO 8601 text; expected {ISO}",
    ),
    (
        "Log",
        "l.csv",
        LOG + b"1,2020-01-01\n2,2020-01-01T00:00:00+05:00\n",
        "l.csv: line 3, column at: 1577818800 comes after 1577836800: the file is not in the order of time; expected 1577836800 or later",
    ),
    (
        "Log",
        "l.csv",
        LOG + b"1,1960-01-01\n",
        f"l.csv: line 2, column at: 1960-01-01 is before instant 0; expected {ISO}",
    ),
]


@pytest.mark.parametrize(("stream", "name", "content", "message"), FILES)
def test_a_wrong_file_is_told_where_and_how(stream: str, name: str, content: bytes, message: str) -> None:
    Path(name).write_bytes(content)
    Path("cats.csv").write_bytes(CAT + b"1,x\n")
    streams = ["--stream", f"{stream}={name}", *([] if stream == "Cat" else ["--stream", "Cat=cats.csv"])]
    refuses(("run", f"SELECT * FROM {stream}", "--catalog", "s.sql", *streams, "--out", "out.csv"), message)


INTERVALS = [
    (
        b"x,_start\n1,0\n",
        "a.csv: there is no column _end; there are: x, _start; expected an interval file with _start and _end",
    ),
    (
        b"y,_start,_end\n1,0,1\n",
        "b.csv: there is no column y, but a.csv has it; expected the same columns in both files",
    ),
    (b"x,_start,_end\n1,0,0\n", "a.csv: line 2: the end 0 is not after the start 0; expected an end after its start"),
    (
        b"x,_start,_end,_count\n1,0,1,0\n",
        "a.csv: line 2, column _count: 0 is no count; expected a whole number 1 … 1099511627776",
    ),
    (
        b"x,_start,_end,_count\n1,0,1,\n",
        "a.csv: line 2, column _count: NULL is no count; expected a whole number 1 … 1099511627776",
    ),
    (b"x,_start,_end\n1,a,1\n", f"a.csv: line 2, column _start: 'a' does not fit; expected {INSTANT}"),
    (
        b"x,_start,_end\n1,0,1\n1,0\n",
        "a.csv: line 3: 2 fields where the header has 3; expected 3 fields: x, _start, _end",
    ),
    (b"x,_start,_end\n1,,1\n", f"a.csv: line 2, column _start: there is no time; expected {INSTANT}"),
]


@pytest.mark.parametrize(("content", "message"), INTERVALS)
def test_diff_refuses_what_is_no_interval_file(content: bytes, message: str) -> None:
    Path("a.csv").write_bytes(content)
    Path("b.csv").write_text("x,_start,_end\n1,0,1\n")
    refuses(("diff", "a.csv", "b.csv"), message)


RUN = ("run", "SELECT * FROM Bid", "--catalog", "s.sql")
OF_BID = (*RUN, "--stream", "Bid=good.csv")
CHECK = ("check", "SELECT x FROM Log", "--catalog", "s.sql", "--stream", "Log=log.csv")
CALLS = [
    (("run",), "Missing argument 'QUERY'"),
    (RUN, "there is no file for Bid; expected --stream Bid=FILE"),
    ((*RUN, "--stream", "Bid"), "--stream Bid: expected NAME=FILE, such as Bid=bids.csv"),
    ((*RUN, "--stream", "=x.csv"), "--stream =x.csv: expected NAME=FILE, such as Bid=bids.csv"),
    ((*RUN, "--stream", "Bit=good.csv"), "--stream Bit=…: no such stream; expected one of: Auction, Bid, Cat, Log"),
    ((*OF_BID, "--stream", "bid=other.csv"), "--stream bid=other.csv: there is a file for Bid already: good.csv"),
    (
        (*RUN, "--stream", "Bid=none.csv"),
        "none.csv: there is no such file; expected a CSV, JSON Lines, Parquet or Arrow file",
    ),
    (
        (*RUN, "--stream", "Bid=."),
        ".: this is a folder; expected a CSV, JSON Lines, Parquet or Arrow file; --engine spark takes folders",
    ),
    (("run", "SELECT * FROM Bid", "--catalog", "none.sql"), "none.sql: No such file or directory"),
    (
        ("run", "SELECT * FORM Bid", "--catalog", "s.sql"),
        "query: line 1, column 10: unexpected FORM; expected one of: a comma, FROM",
    ),
    (("run", "none.sql"), "none.sql: there is no such file; expected a file that holds a query, or its text"),
    ((*OF_BID, "--out", "folder.csv"), "folder.csv: this is a folder; expected the name of a file"),
    (("run", "binary.sql"), "binary.sql: line 2: this is no text in UTF-8; expected a query"),
    (("explain", "comment.sql"), "comment.sql: line 1, column 12: there is no query; expected SELECT, WITH"),
    (("replay", "binary.sql"), "binary.sql: this is no text in UTF-8; expected a saved case"),
    (
        ("run", "s.sql"),
        "s.sql: line 5, column 54: there is no query; expected SELECT, WITH, ISTREAM, DSTREAM or RSTREAM",
    ),
    (("run", "good.csv"), "good.csv: column 5: expected '(', got ','"),
    (
        (*OF_BID, "--out", "no/such/out.csv"),
        "no/such/out.csv: there is no folder no/such; expected a name in a folder that is there",
    ),
    ((*OF_BID, "--out", "out.xyz"), f"out.xyz: the ending '.xyz' names no format; expected one of {ENDINGS}"),
    (
        (*OF_BID, "--engine", "fast"),
        "expected an engine: apsw, beam, bytewax, chdb, d2ts, daft, dataflow, datafusion, db-ivm, delta, duckdb, feldera, flink, flink-windows, "
        "incremental, interval, ksqldb, materialize, pathway, pglite, polars, polars-frames, postgres, postgres-views, reevaluation, reference, risingwave, sail, spark, sqlite, stored, package.module:object or command:…, got 'fast'",
    ),
    ((*OF_BID, "--horizon", "-1"), "Invalid value for '--horizon'"),
    (
        (*OF_BID, "--functions", "no_such_module"),
        "--functions no_such_module: No module named 'no_such_module'; expected a Python module on the path",
    ),
    ((*OF_BID, "--functions", "colorsys"), "--functions colorsys: no ScalarFunction and no AggregateFunction is there"),
    (
        ("run", "SELECT item AS _start FROM Bid", *OF_BID[2:]),
        "the query has a column _start, which results need for themselves; expected another name (AS)",
    ),
    (
        ("run", "SELECT item + 9223372036854775807 AS y FROM Bid", *OF_BID[2:]),
        "1 + 9223372036854775807 must fit into 64 bits",
    ),
    (("diff", "good.csv"), "Missing argument 'B'"),
    (
        ("diff", "good.csv", "none.csv"),
        "good.csv: there is no column _start, _end; there are: item, price, ok, who, ts",
    ),
    (("diff", "none.csv", "good.csv"), "none.csv: there is no such file"),
    (CHECK, "Missing option '--output'"),
    ((*CHECK, "--output", "none.csv"), "none.csv: there is no such file"),
    (
        (*CHECK, "--output", "xy.csv"),
        "xy.csv: there is no column x and there is a column y, z; expected the query's columns x",
    ),
    (
        (*CHECK, "--output", "x.csv", "--engine-unit", "fortnight"),
        "--engine-unit fortnight: expected one of: MILLISECOND, SECOND, MINUTE, HOUR, DAY",
    ),
    (
        (*CHECK, "--output", "x.csv", "--engine-unit", "millisecond"),
        "x.csv: the time 1, in units of 1 ms, is no whole number of units of 1000 ms; expected multiples of 1000 ms",
    ),
    (
        ("explain", "SELECT x FROM Log", "--catalog", "s.sql", "--dot", "--svg"),
        "explain: expected one of --dot, --svg and --json",
    ),
    (("explain", "SELECT y FROM Log", "--catalog", "s.sql"), "query: line 1, column 8: unknown column y; expected x"),
]


@pytest.mark.parametrize(("arguments", "message"), CALLS)
def test_a_wrong_call_is_told_what_was_expected(arguments: tuple[str, ...], message: str) -> None:
    Path("good.csv").write_bytes(GOOD)
    Path("log.csv").write_text("x,at\n1,1970-01-01\n")
    Path("xy.csv").write_text("y,z,_start,_end\n1,2,0,1\n")
    Path("x.csv").write_text("x,_start,_end\n1,0,1\n")
    Path("folder.csv").mkdir()
    Path("binary.sql").write_bytes(b"SELECT\n\xff\xfe\x00")
    Path("comment.sql").write_text("-- no query\n")
    refuses(arguments, message)


def refuses(arguments: tuple[str, ...], message: str) -> None:
    before = set(Path.cwd().iterdir())
    ran = snapeq(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert "Traceback" not in ran.err
    assert set(Path.cwd().iterdir()) == before


def test_a_file_that_was_there_stays_as_it_was(folder: Path) -> None:
    Path("good.csv").write_bytes(GOOD + b"z,,,,1\n")
    Path("out.csv").write_text("precious")
    assert snapeq(*OF_BID, "--out", "out.csv").code == 2
    assert Path("out.csv").read_text() == "precious"
    assert sorted(path.name for path in folder.iterdir()) == ["good.csv", "out.csv", "s.sql"]
