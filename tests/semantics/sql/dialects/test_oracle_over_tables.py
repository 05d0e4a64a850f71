"""OVER over tables, in any order and with any frame, against SQLite, which has window functions of its own."""

import random
import sqlite3

import pytest

from semantics import FOREVER, Interval, IntervalStream, Row, evaluate_sparse
from semantics.sql import Declaration, parse_script
from semantics.sql.dialects.registry import read_dialect

CALLS = [
    "COUNT(*) OVER (PARTITION BY p ORDER BY v NULLS FIRST, id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING)",
    "SUM(v) OVER (PARTITION BY p ORDER BY id ROWS BETWEEN 2 PRECEDING AND CURRENT ROW)",
    "SUM(v) OVER (ORDER BY id DESC ROWS BETWEEN CURRENT ROW AND 2 FOLLOWING)",
    "MAX(v) OVER (ORDER BY id ROWS BETWEEN 3 PRECEDING AND 1 PRECEDING)",
    "COUNT(v) OVER (PARTITION BY p ORDER BY id ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING)",
    "COUNT(*) OVER (ORDER BY id ROWS BETWEEN 2 FOLLOWING AND 1 FOLLOWING)",
    "SUM(v) OVER (PARTITION BY p ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE CURRENT ROW)",
    "SUM(v) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE CURRENT ROW)",
    "FIRST_VALUE(id) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND 1 PRECEDING)",
    "NTH_VALUE(id, 2) OVER (PARTITION BY p ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING)",
    "NTH_VALUE(v, 2) OVER (PARTITION BY p ORDER BY id)",
    "NTILE(3) OVER (ORDER BY id)",
    "NTILE(4) OVER (PARTITION BY p ORDER BY v NULLS FIRST, id)",
    "PERCENT_RANK() OVER (PARTITION BY p ORDER BY v NULLS FIRST)",
    "CUME_DIST() OVER (ORDER BY v NULLS FIRST)",
    "LEAD(v, 1, 0) OVER (PARTITION BY p ORDER BY id)",
    "LAG(v, 2, id) OVER (ORDER BY id)",
    "RANK() OVER (PARTITION BY p ORDER BY v NULLS FIRST)",
]


def _rows(seed: int) -> list[Row]:
    chosen = random.Random(seed)
    return [(i, chosen.choice("ab"), chosen.choice([None, 1, 2, 3])) for i in range(chosen.randrange(1, 9))]


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("seed", range(3))
def test_oracle_over_a_table(call: str, seed: int) -> None:
    rows, query = _rows(seed), f"SELECT id, {call} AS value FROM s"
    script = parse_script(read_dialect(f"CREATE TABLE s (id INT, p VARCHAR, v INT); {query}", "postgres").text)
    declared = script.catalogue.relations["s"]
    assert isinstance(declared, Declaration)
    stream = IntervalStream(declared.schema, [(row, Interval(0, FOREVER)) for row in rows])
    ours = [row for row, _, n in evaluate_sparse(script.plan, {"s": stream}).runs for _ in range(n)]
    with sqlite3.connect(":memory:") as base:
        base.execute("CREATE TABLE s (id INT, p TEXT, v INT)")
        base.executemany("INSERT INTO s VALUES (?, ?, ?)", rows)
        theirs = base.execute(query).fetchall()
    assert sorted(ours) == sorted(theirs)
