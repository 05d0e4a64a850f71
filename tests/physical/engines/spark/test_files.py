"""Folders and tables on Spark, by the command: the answers of the interval engine, and one message for bad input."""

import json
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from tests.equivalence.command.command import Ran, snapeq

QUERY = (
    "CREATE STREAM Bid(item INT, price FLOAT, who TEXT, ts BIGINT) ORDERED BY ts; "
    "SELECT item, COUNT(*) AS n, MAX(who) AS who FROM Bid WINDOW(RANGE 5) AS B WHERE price > 1 GROUP BY item"
)
ROWS = [(1, 2.5, "a", 3), (2, 9.5, "é", 3), (None, 4.0, None, 4), (1, None, "b", 5), (1, 7.0, "", 6), (2, 2.0, "c", 12)]
NAMES = ["item", "price", "who", "ts"]


def csv(rows: Sequence[Sequence[object]], order: list[int]) -> str:
    def field(value: object) -> str:
        return "" if value is None else '""' if value == "" else str(value)

    lines = [",".join(NAMES[i] for i in order), *(",".join(field(row[i]) for i in order) for row in rows)]
    return "\n".join(lines) + "\n"


def table(rows: Sequence[Sequence[object]]) -> pa.Table:
    types = [pa.int32(), pa.float64(), pa.string(), pa.int64()]
    return pa.table([pa.array(column, t) for column, t in zip(zip(*rows, strict=True), types, strict=True)], NAMES)


@pytest.fixture
def folders(tmp_path: Path) -> Path:
    """The same stream as a file in order, and as folders of files that are not."""
    for name in ("csvs", "jsons", "parquets"):
        (tmp_path / name).mkdir()
    (tmp_path / "all.csv").write_text(csv(ROWS, [0, 1, 2, 3]))
    for number, part in enumerate((ROWS[::-2], ROWS[-2::-2])):
        (tmp_path / "csvs" / f"{number}.csv").write_text(csv(part, [[3, 1, 2, 0], [0, 1, 2, 3]][number]))
        lines = [json.dumps(dict(zip(NAMES, row, strict=True))) for row in part]
        (tmp_path / "jsons" / f"{number}.jsonl").write_text("\n".join(lines))
        pq.write_table(table(part), tmp_path / "parquets" / f"{number}.parquet")
    (tmp_path / "csvs" / "_SUCCESS").touch()
    return tmp_path


def on_spark(command: str, *arguments: str) -> Ran:
    return snapeq(command, *arguments, "--engine", "spark")


@pytest.mark.usefixtures("spark")
def test_a_folder_of_any_format_in_any_order_gives_the_same(folders: Path) -> None:
    expected = snapeq("run", QUERY, "--stream", f"Bid={folders / 'all.csv'}")
    assert expected.code == 0
    for name in ("csvs", "jsons", "parquets"):
        assert on_spark("run", QUERY, "--stream", f"Bid={folders / name}") == expected


@pytest.mark.usefixtures("spark")
def test_a_path_is_no_pattern_and_no_url(tmp_path: Path) -> None:
    folder = tmp_path / "hour=2026-01-01 00%3A00" / "a[1]{b}"
    folder.mkdir(parents=True)
    pq.write_table(table(ROWS), folder / "part*%20.parquet")
    (tmp_path / "all.csv").write_text(csv(ROWS, [0, 1, 2, 3]))
    expected = snapeq("run", QUERY, "--stream", f"Bid={tmp_path / 'all.csv'}")
    assert on_spark("run", QUERY, "--stream", f"Bid={folder.parent}") == expected


def test_results_are_folders_that_can_be_checked_and_compared(spark: SparkSession, folders: Path) -> None:
    out, bid = str(folders / "result"), f"Bid={folders / 'parquets'}"
    assert on_spark("run", QUERY, "--stream", bid, "--out", out, "--partitions", "2").code == 0
    first, second = ([*pq.read_table(file)["_start"].to_pylist()] for file in sorted(Path(out).glob("*.parquet")))
    assert first == sorted(first)
    assert second == sorted(second)
    assert first[-1] < second[0]
    assert on_spark("check", QUERY, "--stream", bid, "--output", out).code == 0
    expected = str(folders / "expected.csv")
    assert snapeq("run", QUERY, "--stream", f"Bid={folders / 'all.csv'}", "--out", expected).code == 0
    assert on_spark("diff", out, expected).out == "AGREED: at every instant both hold the same\n"
    spark.read.parquet(out).createOrReplaceTempView("result")
    lines = Path(expected).read_text().splitlines()
    wrong = folders / "wrong.csv"
    wrong.write_text("\n".join(line for line in lines if not line.startswith('2,1,"c"')))
    differing = on_spark("diff", "table:result", str(wrong))
    assert (differing.code, differing.out.splitlines()) == (
        1,
        [
            "REFUTED: they differ first at instant 12",
            "table:result holds 1 row there",
            "  ≠ (2, 1, 'c')",
            f"{wrong} holds 0 rows there",
        ],
    )
    there = on_spark("run", QUERY, "--stream", bid, "--out", out)
    assert (there.code, there.err) == (
        2,
        f"snapeq: {out}: it is there already; expected the name of a folder that is new\n",
    )


@pytest.mark.usefixtures("spark")
def test_results_go_to_an_address_of_a_file_system(folders: Path) -> None:
    out, bid = (folders / "result").as_uri(), f"Bid={folders / 'all.csv'}"
    assert on_spark("run", QUERY, "--stream", bid, "--out", out).code == 0
    assert on_spark("check", QUERY, "--stream", bid, "--output", f"parquet:{out}").code == 0
    there = on_spark("run", QUERY, "--stream", bid, "--out", out)
    assert (there.code, there.err) == (
        2,
        f"snapeq: {out}: it is there already; expected the name of a folder that is new\n",
    )
    for engine, ending in (("spark", ".csv"), ("interval", "")):
        refused = snapeq("run", QUERY, "--stream", bid, "--out", out + ending, "--engine", engine)
        assert (refused.code, refused.out) == (2, "")
        assert f"--out {out + ending}: expected a file of this machine, or a folder there" in refused.err


@pytest.mark.usefixtures("spark")
def test_names_of_folders_are_columns_and_empty_files_have_no_types(tmp_path: Path) -> None:
    """As pandas writes a frame without rows: nothing shows what its columns are."""
    for day, rows in ((7, [1, 1]), (8, []), (9, [2])):
        folder = tmp_path / "50% off" / f"day=2026-03-0{day}" / "hour=12%3A00"
        folder.mkdir(parents=True)
        times = pa.array([datetime(2026, 3, day, 12)] * len(rows), pa.timestamp("us"))
        columns = {"x": pa.array(rows, pa.int32() if rows else pa.null()), "at": times}
        pq.write_table(pa.table(columns), folder / "a.parquet")
    query = """
        CREATE STREAM S(x INT, day DATE, hour TEXT, at TIMESTAMP) ORDERED BY at;
        SELECT day, hour, SUM(x) AS total FROM S GROUP BY day, hour
    """
    ran = on_spark("run", query, "--stream", f"S={tmp_path / '50% off'}")
    assert [line.split(",")[:3] for line in ran.out.splitlines()[1:]] == [
        ['"2026-03-07"', '"12:00"', "2"],
        ['"2026-03-09"', '"12:00"', "2"],
    ], ran.err


INTERVALS = "CREATE STREAM S(x INT, a BIGINT, b BIGINT) VALID (a, b); SELECT x FROM S"
MOMENTS = "CREATE STREAM S(x INT, a TIMESTAMP) ORDERED BY a; SELECT x FROM S"


def parquet(folder: Path, *tables: dict[str, object]) -> Path:
    for number, columns in enumerate(tables):
        pq.write_table(pa.table(columns), folder / f"{number}.parquet")
    return folder


@pytest.mark.usefixtures("spark")
@pytest.mark.parametrize(
    ("query", "tables", "message"),
    [
        (INTERVALS, [{"x": [1], "a": pa.array([None], pa.int64()), "b": [3]}], "column a: nothing does not fit; expected an instant"),
        (INTERVALS, [{"x": [1], "a": [-1], "b": [3]}], "column a: -1 does not fit; expected an instant"),
        (INTERVALS, [{"x": [1], "a": [3], "b": [3]}], "the interval [3, 3) does not fit; expected an end after its start"),
        (INTERVALS, [{"x": [1], "a": [3]}], "there is no column b; there are: x, a; expected columns x, a, b"),
        (INTERVALS, [{"x": [1.5], "a": [3], "b": [4]}], "column x: a column of double; expected INT"),
        (INTERVALS, [{"x": ["1", "z"], "a": [3, 3], "b": [4, 4]}], "column x: z does not fit; expected INT"),
        (INTERVALS, [{"x": [1], "a": [1], "b": [2]}, {"x": ["a"], "a": [1], "b": [2]}], "column x is string, but int64 in"),
        (INTERVALS, [{"x": [1], "a": pa.array([0], pa.timestamp("us", "UTC")), "b": [2]}], "a column of timestamp; expected whole numbers, or a TIMESTAMP"),
        (MOMENTS, [{"x": [1], "a": ["yesterday"]}], "column a: yesterday does not fit; expected a TIMESTAMP in ISO 8601"),
        (MOMENTS, [{"x": [1], "a": ["1970-01-01T00:00:00.5+00:00"]}], "does not fit; expected a whole number of units of 1000 ms"),
    ],
)  # fmt: skip
def test_bad_input_ends_with_one_line(
    query: str, tables: list[dict[str, object]], message: str, tmp_path: Path
) -> None:
    ran = on_spark("run", query, "--stream", f"S={parquet(tmp_path, *tables)}")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.count("\n") == 1
    assert message in ran.err


@pytest.mark.usefixtures("spark")
def test_moments_are_counted_in_utc_whatever_their_zone(tmp_path: Path) -> None:
    moments = ["1970-01-01T00:00:07Z", "1970-01-01T02:00:05+02:00", "1970-01-01T00:00:06"]
    ran = on_spark("run", MOMENTS, "--stream", f"S={parquet(tmp_path, {'x': [7, 5, 6], 'a': moments})}")
    assert ran.out.splitlines()[1:] == ["5,5,6,1", "6,6,7,1", "7,7,8,1"]


@pytest.mark.usefixtures("spark")
def test_folders_that_are_none(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "mixed").mkdir()
    (tmp_path / "mixed" / "a.csv").touch()
    (tmp_path / "mixed" / "b.jsonl").touch()
    for name, problem in (("empty", "no file in this folder"), ("mixed", "files of 2 formats"), ("no", "no such file")):
        ran = on_spark("run", INTERVALS, "--stream", f"S={tmp_path / name}")
        assert ran.code == 2
        assert problem in ran.err


@pytest.mark.usefixtures("spark")
def test_what_the_readers_of_text_say_names_the_line(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x,a,b\n1,0,2\n2,5,4\n")
    ran = on_spark("run", INTERVALS, "--stream", f"S={tmp_path}")
    assert ran.code == 2
    assert "a.csv: line 3: the end 4 is not after the start 5; expected an end after its start" in ran.err
    (tmp_path / "a.csv").write_text("x,a,b\n1,0,2\n")
    (tmp_path / "b.csv").write_text("x,a\n2,5\n")
    drifted = on_spark("run", INTERVALS, "--stream", f"S={tmp_path}")
    assert drifted.code == 2
    assert "b.csv: there is no column b; there are: x, a; expected columns x, a, b, in any order" in drifted.err
