"""The same recordings in all formats, by all names, in all units; what is not said is recognised, and that is said."""

import io
import os
import sys
import threading
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import csv, parquet

from tests.equivalence.command.command import Ran, snapeq

STREAM = "CREATE STREAM Bid(item TEXT, price FLOAT, ts BIGINT) ORDERED BY ts; "
PANES = STREAM + "SELECT item, COUNT(*) AS cnt FROM Bid WINDOW(RANGE 10) GROUP BY item"
VIEW = STREAM + "SELECT item, COUNT(*) AS cnt FROM Bid WINDOW(RANGE UNBOUNDED) GROUP BY item"
MEAN = STREAM + "SELECT item, AVG(price) AS mean FROM Bid WINDOW(RANGE 10) GROUP BY item"
ROWS = [{"item": "A", "cnt": 2, "window_end": 10}, {"item": "B", "cnt": 1, "window_end": 10}]


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bids.csv").write_text("item,price,ts\nA,1,1\nB,1,2\nA,2,5\n")


def check(query: str, output: str, *options: str) -> Ran:
    return snapeq("check", query, "--stream", "Bid=bids.csv", "--output", output, "--no-explain", *options)


def write(name: str, rows: list[dict[str, Any]], schema: pa.Schema | None = None) -> str:
    table, path = pa.Table.from_pylist(rows, schema), Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    match path.suffix:
        case ".csv":
            csv.write_csv(table, name)
        case ".parquet":
            parquet.write_table(table, name)
        case ".arrow":
            with pa.ipc.new_file(name, table.schema) as writer:
                writer.write_table(table)
        case _:
            import json

            path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return name


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet", "arrow"])
def test_every_format(ending: str) -> None:
    right, wrong = write(f"right.{ending}", ROWS), write(f"wrong.{ending}", ROWS[1:])
    assert check(PANES, right).out == "AGREED: in every pane both hold the same\n"
    assert check(PANES, wrong).out.startswith("REFUTED: they differ first at instant 9, in the pane that ends at 10\n")


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet", "arrow"])
def test_a_folder_of_part_files(ending: str) -> None:
    for i, row in enumerate(ROWS):
        write(f"out/part-{i}.{ending}", [row])
    Path("out/_SUCCESS").write_text("")
    Path("out/.part-0.crc").write_text("x")
    assert check(PANES, "out").code == 0
    write(f"out/part-2.{ending}", [ROWS[0]])
    found = check(PANES, "out")
    assert f"out/part-2.{ending}, {'row 1' if ending in ('parquet', 'arrow') else 'line '}" in found.out
    assert "duplicate pane" in found.out


def test_a_folder_of_intervals() -> None:
    write("out/a.csv", [{"item": "A", "cnt": 1, "_start": 1, "_end": 5}])
    write("out/b.csv", [{"item": "A", "cnt": 2, "_start": 5, "_end": None}])
    write("out/c.csv", [{"item": "B", "cnt": 1, "_start": 2, "_end": None}])
    assert check(VIEW, "out").out == "AGREED: at every instant both hold the same\n"
    write("out/c.csv", [{"item": "B", "cnt": 1, "_start": 3, "_end": None}])
    assert check(VIEW, "out").code == 1
    write("out/c.csv", [{"item": "B", "cnt": 1, "_start": 2, "_end": None, "_count": 2}])
    assert "out/c.csv: its columns are item, cnt, _start, _end, _count; expected those of" in check(VIEW, "out").err
    write("json/a.jsonl", [{"item": "A", "cnt": 1, "_start": 1, "_end": 5, "_count": 1}])
    write("json/b.jsonl", [{"item": "A", "cnt": 2, "_start": 5, "_count": 1}])
    write("json/c.jsonl", [{"item": "B", "cnt": 1, "_start": 2, "_count": 1}])
    assert check(VIEW, "json").code == 0
    write("json/c.jsonl", [{"item": "B", "cnt": 1, "_start": 2, "_count": 2}])
    assert check(VIEW, "json").code == 1


MOMENTS = [
    ("window_end", "1970-01-01T00:00:10Z", []),
    ("window_end", "1970-01-01 00:00:10", []),
    ("window_end", "1970-01-01T02:00:10+02:00", []),
    ("WINDOWEND", 10_000, []),
    ("window_end", 10_000, ["--engine-unit", "millisecond"]),
    ("window_end", 10_000_000, ["--engine-unit", "microseconds"]),
    ("window_end", 10_000_000_000, ["--engine-unit", "NANOSECOND"]),
    ("until", 10, ["--window-end", "until"]),
    ("w.till", 10, ["--window-end", "w.till"]),
    ("window.end", "1970-01-01T00:00:10.000Z", []),
]


@pytest.mark.parametrize(("name", "end", "options"), MOMENTS)
def test_times_by_any_name_in_any_unit(name: str, end: Any, options: list[str]) -> None:
    outer, _, inner = name.partition(".")
    rows = [{"item": row["item"], "cnt": row["cnt"], outer: {inner: end} if inner else end} for row in ROWS]
    assert check(PANES, write("theirs.jsonl", rows), "--as", "panes", *options).code == 0
    assert check(PANES, write("theirs.parquet", rows), "--as", "panes", *options).code == 0


def test_timestamps_of_parquet() -> None:
    rows = [{**row, "window_end": 10_000_000} for row in ROWS]
    schema = pa.schema([("item", pa.string()), ("cnt", pa.int32()), ("window_end", pa.timestamp("us", "UTC"))])
    assert check(PANES, write("theirs.parquet", rows, schema)).code == 0


def test_panes_that_are_aligned_elsewhere() -> None:
    rows = [{"item": "A", "cnt": 1, "window_end": 3}, {"item": "B", "cnt": 1, "window_end": 3}]
    rows += [{"item": "A", "cnt": 1, "window_end": 13}]
    assert check(PANES, write("theirs.csv", rows), "--offset", "3").code == 0
    assert "unaligned pane" in check(PANES, "theirs.csv").out


LOG: list[dict[str, Any]] = [
    {"op": "+I", "item": "A", "cnt": 1, "ts": 1},
    {"op": "+I", "item": "B", "cnt": 1, "ts": 2},
    {"op": "-U", "item": "A", "cnt": 1, "ts": 5},
    {"op": "+U", "item": "A", "cnt": 2, "ts": 5},
]
KINDS = {
    "retract: it has operations, op": LOG,
    "upsert: op has new values without the old ones": [row for row in LOG if row["op"] != "-U"],
    "retract: it has operations, mz_diff": [
        {**{k: v for k, v in row.items() if k != "op"}, "mz_diff": 1 if row["op"][0] == "+" else -1} for row in LOG
    ],
}


@pytest.mark.parametrize("said", KINDS)
def test_the_kind_is_recognised_and_said(said: str) -> None:
    ran = check(VIEW, write("log.jsonl", KINDS[said]))
    assert ran.err == f"snapeq: log.jsonl is taken for {said}; if it is something else, say --as KIND\n"
    assert ran.out == "AGREED: at every instant both hold the same\n"


def test_columns_that_are_not_compared_are_said() -> None:
    found = check(PANES, write("theirs.csv", [{**row, "op": "buy", "window_time": 9} for row in ROWS]), "--as", "panes")
    assert found.err == "snapeq: theirs.csv: not compared, since the query has no such columns: window_time\n"
    assert found.code == 0


def test_what_flink_prints() -> None:
    Path("log.out").write_text("3> +I[A, 1]\n1> +I[B, 1]\n3> -U[A, 1]\n3> +U[A, 2]\n")
    assert check(VIEW, "log.out", "--as", "retract", "--columns", "item,cnt").code == 0
    assert "log.out: printed rows have no names; expected --columns a,b,c" in check(VIEW, "log.out").err
    assert "log.out: line 1: 2 values, and --columns names 1: item" in check(VIEW, "log.out", "--columns", "item").err
    Path("log.out").write_text("+I[A, 1]\n+I[B, 1]\n-U[A, 7]\n+U[A, 2]\n")
    wrong = check(VIEW, "log.out", "--as", "retract", "--columns", "item,cnt")
    assert "log.out, line 3: retraction of what was never there: ('A', 7)" in wrong.out
    Path("log.out").write_text("+I[A, 1]\n+I[B, 1\n")
    assert "log.out: line 2: '+I[B, 1' is no row" in check(VIEW, "log.out", "--columns", "item,cnt").err


def test_an_envelope_in_a_payload_and_one_without_before() -> None:
    after = [{"item": "A", "cnt": 1}, {"item": "B", "cnt": 1}, {"item": "A", "cnt": 2}]
    rows = [
        {"before": None, "after": row, "op": op, "ts_ms": t * 1000}
        for row, op, t in zip(after, "ccu", (1, 2, 5), strict=True)
    ]
    assert check(VIEW, write("log.jsonl", rows), "--key", "item").code == 0
    wrapped = [{"schema": {"name": "x"}, "payload": row} for row in rows]
    assert check(VIEW, write("log.jsonl", wrapped), "--key", "item").code == 0
    assert check(VIEW, "log.jsonl").code == 2


def test_a_log_without_times_is_judged_at_the_end() -> None:
    rows = [{k: v for k, v in row.items() if k != "ts"} for row in LOG]
    assert check(VIEW, write("log.csv", rows), "--as", "retract").out == "AGREED: at instant 5 both hold the same\n"
    assert check(VIEW, "log.csv", "--as", "retract", "--at", "4").code == 1
    without_old = [row for row in rows if row["op"] != "-U"]
    assert check(VIEW, write("log.csv", without_old), "--as", "upsert").code == 0


def test_what_an_upsert_log_deletes_is_gone() -> None:
    rows = [("+I", "A", 1), ("+I", "C", 1), ("+I", "B", 1), ("+U", "A", 2), ("-D", "C", None), ("-D", "D", None)]
    log = [dict(zip(("op", "item", "cnt"), row, strict=True)) for row in rows]
    assert check(VIEW, write("log.jsonl", log), "--as", "upsert").code == 0
    tombstones = [{"item": row["item"], "cnt": row["cnt"]} for row in log]
    assert check(VIEW, write("log.jsonl", tombstones), "--as", "upsert").code == 0
    assert check(VIEW, write("log.jsonl", log[:4]), "--as", "upsert").code == 1


@pytest.mark.parametrize("kind", ["retract", "upsert"])
def test_a_log_with_times_can_be_judged_at_one_of_them(kind: str) -> None:
    log = write("log.csv", [row for row in LOG if kind == "retract" or row["op"] != "-U"])
    later = write("later.csv", [{**row, "ts": row["ts"] + (row["ts"] == 5)} for row in LOG if row["op"] != "-U"])
    assert check(VIEW, log, "--as", kind, "--at", "3").out == "AGREED: at instant 3 both hold the same\n"
    assert check(VIEW, log, "--as", kind, "--at", "5").code == 0
    assert check(VIEW, later, "--as", "upsert", "--at", "5").code == 1
    assert check(VIEW, later, "--as", "upsert", "--at", "6").code == 0


def test_a_tolerance_is_said_and_is_no_wider_than_it_says() -> None:
    rows = [{"item": "A", "mean": 1.5000001, "window_end": 10}, {"item": "B", "mean": 1.0, "window_end": 10}]
    output = write("theirs.jsonl", rows)
    assert check(MEAN, output).code == 1
    assert check(MEAN, output, "--tolerance", "1e-8").code == 1
    found = check(MEAN, output, "--tolerance", "1e-6")
    assert found.out == "AGREED: in every pane, floats within a relative tolerance of 1e-06, both hold the same\n"
    write("theirs.jsonl", [{**rows[0], "item": "B"}, {**rows[1], "item": "A"}])
    assert check(MEAN, output, "--tolerance", "1e-6").code == 1


def test_a_drift_within_the_tolerance_of_each_step_is_seen() -> None:
    Path("bids.csv").write_text("item,price,ts\nA,1,1\n")
    steps = [{"item": "A", "mean": 1 + 0.9e-3 * i, "_start": 1 + i, "_end": 2 + i} for i in range(10)]
    write("out/a.jsonl", steps)
    found = check(MEAN, "out", "--tolerance", "1e-3")
    assert found.out.startswith("REFUTED: they differ first at instant 3\n")


def test_standard_input_and_named_pipes(monkeypatch: pytest.MonkeyPatch) -> None:
    output = write("theirs.jsonl", ROWS)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path("bids.csv").read_bytes())))
    assert snapeq("check", PANES, "--stream", "Bid=-", "--output", output).code == 0
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path(output).read_bytes())))
    assert check(PANES, "-").code == 0
    os.mkfifo("pipe.csv")
    writer = threading.Thread(target=lambda: Path("pipe.csv").write_text(Path("bids.csv").read_text()))
    writer.start()
    ran = snapeq("run", PANES, "--stream", "Bid=pipe.csv")
    writer.join()
    assert ran.out == snapeq("run", PANES, "--stream", "Bid=bids.csv").out


def test_micro_batches() -> None:
    """A row is late by the watermark with which the batch before ran; panes that stay open are not judged."""
    Path("bids.csv").write_text("item,price,ts,batch\nA,1,1,1\nA,1,12,1\nA,1,3,2\nA,1,4,3\n")
    late = ("--as", "panes", "--watermark", "ts", "--policy", "spark", "--batch")
    two, three = ([{"item": "A", "cnt": n, "window_end": 10}] for n in (2, 3))
    found = check(PANES, write("two.csv", two), *late, "batch")
    assert found.out == "AGREED: in every pane before instant 12 both hold the same\n"
    assert check(PANES, write("three.csv", three), *late, "batch").code == 1
    assert check(PANES, "three.csv", *late, "one").code == 0
    assert check(PANES, "two.csv", *late, "one").code == 1


def test_a_file_without_rows_is_a_recording_of_nothing() -> None:
    Path("none.csv").write_text("item,cnt,window_end\n")
    assert check(PANES, "none.csv").code == 1
    Path("bids.csv").write_text("item,price,ts\n")
    assert check(PANES, "none.csv").code == 0
    Path("none.jsonl").write_text("")
    assert check(PANES, "none.jsonl", "--as", "panes").code == 0
