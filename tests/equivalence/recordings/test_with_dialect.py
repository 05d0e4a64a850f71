"""Recordings of queries in other dialects: what sinks write is read as it is, whatever it is wrapped or packed into."""

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from tests.equivalence.command.command import Ran, snapeq

FLINK = (
    "CREATE TABLE Bid (k STRING, x INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND);\n"
    "SELECT {} FROM {} GROUP BY {}"
)
TUMBLE = "TABLE(TUMBLE(TABLE Bid, DESCRIPTOR(ts), INTERVAL '1' MINUTE))"
SESSION = "TABLE(SESSION(TABLE Bid PARTITION BY k, DESCRIPTOR(ts), INTERVAL '20' SECOND))"
BOUNDS = "window_start, window_end"
PANES = FLINK.format(f"{BOUNDS}, k, COUNT(*) AS n", TUMBLE, f"{BOUNDS}, k")
SESSIONS = FLINK.format(f"{BOUNDS}, k, COUNT(*) AS n", SESSION, f"{BOUNDS}, k")
GROUPS = FLINK.format("k, COUNT(*) AS n", "Bid", "k")
SPARK = (
    "CREATE TABLE Bid (k STRING, x INT, ts TIMESTAMP);\n"
    "SELECT {0}, k, COUNT(*) AS n, SUM(x) AS t FROM Bid GROUP BY {0}, k"
)
BIDS = [("a", 1, 5), ("b", None, 20), ("a", 3, 25), (None, 2, 50), ("a", 1, 60), ("b", 2, 130)]
CHANGES = [("+I", "a", 1), ("+I", "b", 1), ("-U", "a", 1), ("+U", "a", 2), ("+I", None, 1), ("-U", "a", 2),
           ("+U", "a", 3), ("-U", "b", 1), ("+U", "b", 2)]  # fmt: skip
COUNTS = [(0, "a", 2), (0, "b", 1), (0, None, 1), (60, "a", 1), (120, "b", 1)]


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def at(seconds: int, between: str = " ", after: str = "") -> str:
    return f"2024-03-01{between}10:{seconds // 60:02}:{seconds % 60:02}{after}"


def lines(rows: Sequence[Any]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def panes(counts: Sequence[tuple[int, str | None, int]] = COUNTS) -> str:
    return lines([{"window_start": at(s), "window_end": at(s + 60), "k": k, "n": n} for s, k, n in counts])


def printed(rows: Sequence[Sequence[Any]], op: int = 0) -> str:
    """As the print connector does: the operation, and then the values."""
    shown = [["null" if v is None else str(v) for v in row] for row in rows]
    return "".join(f"{row[op]}[{', '.join(row[1:])}]\n" for row in shown)


def check(query: str, output: str, *more: str, dialect: str = "flink", bids: str = "bids.jsonl") -> Ran:
    Path("bids.jsonl").write_text(lines([{"k": k, "x": x, "ts": at(t)} for k, x, t in BIDS]))
    return snapeq("check", query, "--dialect", dialect, "--stream", f"Bid={bids}", "--output", output, *more)


def put(name: str, text: str | bytes) -> str:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return name


def zipped(text: str) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(text.encode())
    return bytes(sink.getvalue())


@pytest.mark.parametrize(
    ("name", "packed"),
    [
        ("out/part-4b1a-0-0", str.encode),
        ("out/part-0.json", str.encode),
        ("out/part-0.json.gz", lambda text: gzip.compress(text.encode())),
        ("out/part-0-0.gz", lambda text: gzip.compress(text.encode())),
        ("out/part-0.json.zst", zipped),
    ],
)
def test_folders_and_compressed_files_show_their_windows(name: str, packed: Any) -> None:
    put("out/_SUCCESS", "")
    put(name, packed(panes()))
    for output in ("out", name):
        right = check(PANES, output)
        assert (right.code, right.out.splitlines()[0]) == (0, "AGREED: in every pane both hold the same"), right.err
    put(name, packed(panes([*COUNTS[:1], (0, "b", 2), *COUNTS[2:]])))
    assert check(PANES, "out", "--no-explain").code == 1


def row(k: str | None, n: int) -> dict[str, Any]:
    return {"k": k, "n": n}


def envelope(op: str, k: str | None, n: int) -> dict[str, Any]:
    gone = op == "-U"
    return {"before": row(k, n) if gone else None, "after": None if gone else row(k, n), "op": "d" if gone else "c"}


def canal(op: str) -> str:
    return "DELETE" if op == "-U" else "INSERT"


CHANGELOGS = {
    "print.txt": printed(CHANGES),
    "canal.json": lines([{"data": [row(k, n)], "type": canal(op)} for op, k, n in CHANGES]),
    "maxwell.json": lines([{"data": row(k, n), "type": canal(op).lower()} for op, k, n in CHANGES]),
    "changelog": lines([{"data": row(k, n), "op": op} for op, k, n in CHANGES]),
    "connect.json": lines([{"schema": {}, "payload": envelope(*change)} for change in CHANGES]),
}


@pytest.mark.parametrize("name", CHANGELOGS)
def test_changelogs_are_not_taken_for_the_last_answer(name: str) -> None:
    more = ("--columns", "k,n") if name == "print.txt" else ()
    right = check(GROUPS, put(name, CHANGELOGS[name]), *more)
    assert right.out.splitlines()[:1] == ["AGREED: at instant 2024-03-01T10:02:10Z both hold the same"], right.err
    assert f"is taken for {'debezium' if name == 'connect.json' else 'retract'}" in right.err


@pytest.mark.parametrize("end", ["Z", "+00:00", ".000000000Z", ".000000000", ".000", ""])
def test_times_of_csv_may_have_zones_and_nanoseconds(end: str) -> None:
    rows = "".join(f"{at(s, 'T', end)},{at(s + 60, 'T', end)},{k or ''},{n}\r\n" for s, k, n in COUNTS)
    right = check(PANES, put("out.csv", "\ufeffwindow_start,window_end,k,n\r\n" + rows))
    assert right.code == 0, right.err


def test_a_lost_retraction_is_named_where_only_the_end_is_judged() -> None:
    lost = [change for change in CHANGES if change != ("-U", "a", 2)]
    wrong = check(GROUPS, put("print.txt", printed(lost)), "--columns", "k,n")
    assert wrong.code == 1
    assert "explained by: some retractions lost: " in wrong.out


def test_spark_leaves_out_fields_that_are_null() -> None:
    rows = [
        {"window": {"start": at(s, "T", "Z"), "end": at(s + 60, "T", "Z")}, "k": k, "n": n, "t": t}
        for (s, k, n), t in zip(COUNTS, (4, None, 2, 1, 2), strict=True)
    ]
    put(
        "out/part-00000.json",
        lines([{name: value for name, value in row.items() if value is not None} for row in rows]),
    )
    query = SPARK.format("window(ts, '1 minute')").replace("SELECT window(ts, '1 minute')", "SELECT window")
    assert check(query, "out", dialect="spark").code == 0
    assert check(query, "out", "--as", "updates", dialect="spark").code == 0
    put("out/part-00000.json", lines([{name: row[name] for name in ("window", "n", "t")} for row in rows]))
    assert check(query, "out", dialect="spark").code == 1


def test_the_window_of_a_session_has_its_own_name() -> None:
    sessions = [(5, 45, "a", 2), (20, 40, "b", 1), (50, 70, None, 1), (60, 80, "a", 1), (130, 150, "b", 1)]
    rows = [
        {"session_window": {"start": at(s, "T", "Z"), "end": at(e, "T", "Z")}, "k": k, "n": n, "t": t}
        for (s, e, k, n), t in zip(sessions, (4, None, 2, 1, 2), strict=True)
    ]
    query = SPARK.format("session_window(ts, '20 seconds')").replace(
        "SELECT session_window(ts, '20 seconds')", "SELECT session_window"
    )
    assert check(query, put("out.json", lines(rows)), dialect="spark").code == 0


def test_sessions_that_touch_are_named_although_an_hour_has_many_instants() -> None:
    split = [
        (5, 25, "a", 1),
        (20, 40, "b", 1),
        (25, 45, "a", 1),
        (50, 70, None, 1),
        (60, 80, "a", 1),
        (130, 150, "b", 1),
    ]
    rows = [{"window_start": at(s), "window_end": at(e), "k": k, "n": n} for s, e, k, n in split]
    wrong = check(SESSIONS, put("out.json", lines(rows)))
    assert wrong.code == 1
    assert "explained by: touching sessions split" in wrong.out


def test_inputs_may_be_compressed() -> None:
    put("bids.jsonl.gz", gzip.compress(lines([{"k": k, "x": x, "ts": at(t)} for k, x, t in BIDS]).encode()))
    assert check(PANES, put("out.json", panes()), bids="bids.jsonl.gz").code == 0
    broken = put("broken.json.gz", gzip.compress(panes().encode())[:-30])
    refused = check(PANES, broken)
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "broken.json.gz: it cannot be decompressed" in refused.err


KSQL = (
    "CREATE STREAM Bid (k VARCHAR KEY, x INT, ts BIGINT) WITH (kafka_topic='b', value_format='json', timestamp='ts');\n"
    "SELECT k, COUNT(*) AS n, WINDOWSTART, WINDOWEND FROM Bid WINDOW TUMBLING (SIZE 1 MINUTE) GROUP BY k EMIT {};"
)


def in_ksqldb(query: str, counts: Sequence[tuple[int, str | None, int]]) -> Ran:
    put("kafka.jsonl", lines([{"K": k, "X": x, "TS": EPOCH + 1000 * t} for k, x, t in BIDS if k]))
    bounds = [{"WINDOWSTART": EPOCH + 1000 * s, "WINDOWEND": EPOCH + 1000 * (s + 60)} for s, _, _ in counts]
    rows = [{"K": k, "N": n, **bound} for (_, k, n), bound in zip(counts, bounds, strict=True)]
    return check(query, put("out.json", lines(rows)), dialect="ksqldb", bids="kafka.jsonl")


EPOCH = 1709287200000
KNOWN = [count for count in COUNTS if count[1]]


def test_ksqldb_counts_the_bounds_of_its_windows() -> None:
    assert in_ksqldb(KSQL.format("FINAL"), KNOWN).out.startswith("AGREED: in every pane")
    wrong = in_ksqldb(KSQL.format("FINAL"), [(0, "a", 3), *KNOWN[1:]])
    assert "explained by: window end inclusive" in wrong.out


def test_ksqldb_gives_out_every_version_of_a_pane() -> None:
    versions = [(0, "a", 1), *KNOWN]
    assert in_ksqldb(KSQL.format("CHANGES"), versions).out.startswith("AGREED: in every pane")
    assert in_ksqldb(KSQL.format("FINAL"), versions).code == 1
    assert in_ksqldb(KSQL.format("CHANGES"), [*versions, (0, "a", 1)]).code == 1


GRACE = KSQL.replace("SIZE 1 MINUTE", "SIZE 1 MINUTE, GRACE PERIOD 10 SECONDS")


def test_ksqldb_drops_what_comes_after_the_grace_period(monkeypatch: pytest.MonkeyPatch) -> None:
    late = [("a", 1, 5), ("b", 2, 69), ("a", 3, 59), ("b", 2, 130), ("a", 1, 50)]
    monkeypatch.setattr(f"{__name__}.BIDS", late)
    right = [(0, "a", 2), (60, "b", 1), (120, "b", 1)]
    assert in_ksqldb(GRACE.format("CHANGES"), right).out.startswith("AGREED: in every pane both")
    assert in_ksqldb(GRACE.format("CHANGES"), [(0, "a", 3), *right[1:]]).code == 1
    assert in_ksqldb(KSQL.format("CHANGES"), [(0, "a", 3), *right[1:]]).code == 0
    closed = in_ksqldb(GRACE.format("FINAL"), right[:2])
    assert closed.out.startswith("AGREED: in every pane before instant 1709287320000")
    assert in_ksqldb(GRACE.format("FINAL"), right[:1]).code == 1


@pytest.mark.parametrize("unit", [1, 1_000, 1_000_000])
def test_numbers_stand_for_timestamps(unit: int) -> None:
    def rows(counts: Sequence[tuple[int, str | None, int]]) -> str:
        bounds = [
            {BOUNDS[:12]: (EPOCH + 1000 * s) * unit, BOUNDS[14:]: (EPOCH + 1000 * (s + 60)) * unit} for s, *_ in counts
        ]
        return lines([{**bound, "k": k, "n": n} for bound, (_, k, n) in zip(bounds, counts, strict=True)])

    assert check(PANES, put("out.json", rows(COUNTS)), "--no-explain").out.startswith("AGREED: in every pane")
    assert check(PANES, put("out.json", rows([(0, "a", 3), *COUNTS[1:]])), "--no-explain").code == 1


def test_numbers_finer_than_timestamps_are_refused() -> None:
    start, end = ((EPOCH + 60_000 * i) * 10**6 + 1 for i in (0, 1))
    ran = check(PANES, put("out.json", lines([{"window_start": start, "window_end": end, "k": "a", "n": 2}])))
    assert ran.code == 2
    assert "a timestamp has microseconds, and these are finer" in ran.err
