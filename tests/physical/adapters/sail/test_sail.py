"""Sail, where it is installed: the same results as the reference, and messages in one line."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from equivalence import conform
from physical.adapters.environments import ENVIRONMENTS
from physical.adapters.sail.engine import SailEngine
from physical.engines.interval.engine import IntervalEngine
from semantics import ArithmeticOverflow, parse, parse_plan
from tests.equivalence.command.command import snapeq

pytestmark = pytest.mark.skipif(
    not ENVIRONMENTS["sail"].is_installed,
    reason="sail is not installed: snapeq engines install sail",
)
QUERY = """
CREATE STREAM Bid(item INT NOT NULL, price FLOAT, at TIMESTAMP) ORDERED BY at;
SELECT item, COUNT(*) AS n, MAX(price) AS highest FROM Bid WINDOW(RANGE 10 SECONDS) WHERE price > 0 GROUP BY item
"""


def test_it_conforms() -> None:
    report = conform(SailEngine(), cases=300)
    assert report.findings == ()


def test_an_overflow_is_an_error_though_nobody_needs_the_value() -> None:
    plan = parse_plan("S(x int) | filter(x + 9223372036854775807 > 0 or true) | distinct")
    with pytest.raises(ArithmeticOverflow):
        SailEngine().run(plan, {"S": parse("raw(x int): (1)@0")}, 3)


def test_mapped_batches_survive_a_nested_union() -> None:
    union = "union(F(b bool, s str), A(x int, s str) | map(x > 0 as b, s as s))"
    plan = parse_plan(f"join({union}, A(x int, s str) | map(x as x0, s as s0); s = s0)")
    streams = {"A": parse("raw(x int, s str): (1, 'a')@0 (2, 'a')@1"), "F": parse("raw(b bool, s str): (false, 'a')@1")}
    ours, theirs = (engine.run(plan, streams, 5).to_logical(5) for engine in (IntervalEngine(), SailEngine()))
    assert theirs == ours
    assert list(ours)


def bids(folder: Path, rows: int) -> Path:
    """Half of all bids are for one item, and some items and prices are NULL or not a number."""
    numbers = range(rows)
    file = folder / "bids.parquet"
    prices = [None if n % 11 == 0 else float("nan") if n % 13 == 0 else n % 7 - 1.0 for n in numbers]
    times = pa.array([n // 3 * 1_000_000 for n in numbers], pa.timestamp("us", "UTC"))
    pq.write_table(pa.table({"item": [n % 2 and n % 40 for n in numbers], "price": prices, "at": times}), file)
    return file


def run(*arguments: str) -> tuple[int, str]:
    ran = snapeq("run", *arguments)
    return ran.code, ran.out + ran.err


@pytest.mark.parametrize("query", [QUERY, QUERY.replace("item, COUNT", "COUNT").replace("GROUP BY item", "")])
def test_files_with_a_heavy_key_or_none(tmp_path: Path, query: str) -> None:
    stream = f"Bid={bids(tmp_path, 5000)}"
    outs = [str(tmp_path / "ours.csv"), str(tmp_path / "sail.csv")]
    assert run(query, "--stream", stream, "--out", outs[0]) == (0, "")
    assert run(query, "--stream", stream, "--out", outs[1], "--engine", "sail", "--partitions", "4") == (0, "")
    ours, theirs = (Path(out).read_text() for out in outs)
    assert ours.count("\n") > 1000
    assert theirs == ours


def test_a_folder_is_written(tmp_path: Path) -> None:
    stream, folder = f"Bid={bids(tmp_path, 300)}", tmp_path / "out"
    assert run(QUERY, "--stream", stream, "--out", str(folder), "--engine", "sail") == (0, "")
    assert run(QUERY, "--stream", stream, "--out", str(tmp_path / "ours.parquet")) == (0, "")
    ours, theirs = (pq.read_table(place).to_pylist() for place in (tmp_path / "ours.parquet", folder))
    assert sorted(map(repr, theirs)) == sorted(map(repr, ours))
    assert run(QUERY, "--stream", stream, "--out", str(folder), "--engine", "sail")[0] == 2


def test_wrong_values_are_one_line(tmp_path: Path) -> None:
    wrong = tmp_path / "bids.csv"
    wrong.write_text("item,price,at\n1,2,2020-01-01 00:00:01\n,3,2020-01-01 00:00:02\n")
    code, said = run(QUERY, "--stream", f"Bid={wrong}", "--engine", "sail")
    assert code == 2
    assert "column item: NULL breaks NOT NULL" in said
    assert said.count("\n") == 1
