"""Proofs about built-in functions: interpreted where the theory has them, free but for NULL elsewhere."""

import pytest

from equivalence.prover.prove import prove
from semantics import Plan
from semantics.sql import parse_query, read_script

CATALOGUE = read_script(
    "CREATE STREAM S(x INT, y INT, f FLOAT, s TEXT, u TEXT, t TIMESTAMP, p DECIMAL(9, 2), ts BIGINT) ORDERED BY ts"
)

SAME = [
    ("ABS(x)", "CASE WHEN x < 0 THEN -x ELSE x END"),
    ("SIGN(x)", "CASE WHEN x < 0 THEN -1 WHEN x = 0 THEN 0 ELSE SIGN(x) END"),
    ("GREATEST(x, y)", "GREATEST(y, x)"),
    ("LEAST(f, 1)", "CASE WHEN f < 1 THEN f WHEN f IS NULL THEN NULL ELSE 1.0 END"),
    ("GREATEST_IGNORE_NULLS(x, y)", "CASE WHEN x IS NULL OR x < y THEN y ELSE x END"),
    ("FLOOR_MOD(x, 7)", "MOD(MOD(x, 7) + 7, 7)"),
    ("(s || u) || s", "s || (u || s)"),
    ("UPPER('a')", "'A'"),
    ("UPPER(s) IS NULL", "s IS NULL"),
    ("NULLIF(x, 0)", "CASE WHEN x <> 0 THEN x END"),
    ("DATE_TRUNC('hour', DATE_TRUNC('minute', t))", "FLOOR(t TO HOUR)"),
    ("EXTRACT(EPOCH FROM t)", "UNIX_TIMESTAMP(t)"),
    ("YEAR(t)", "DATE_PART('year', t)"),
    ("ABS(ABS(p))", "ABS(ABS(p))"),
]
DIFFERENT = [
    ("DIV(x, 2)", "DIV(x, 3)"),
    ("UPPER(s)", "LOWER(s)"),
    ("GREATEST(x, y)", "GREATEST_IGNORE_NULLS(x, y)"),
    ("SQRT(f) IS NULL", "f IS NULL"),
    ("FLOOR(p)", "p"),
    ("EXTRACT(HOUR FROM t)", "EXTRACT(MINUTE FROM t)"),
]


def plan(value: str) -> Plan:
    return parse_query(f"SELECT {value} AS v FROM S", CATALOGUE)


@pytest.mark.parametrize(("one", "other"), SAME, ids=[one for one, _ in SAME])
def test_the_same_by_proof(one: str, other: str) -> None:
    assert prove(plan(one), plan(other)).kind == "proved"


@pytest.mark.parametrize(("one", "other"), DIFFERENT, ids=[one for one, _ in DIFFERENT])
def test_never_the_same_by_proof(one: str, other: str) -> None:
    assert prove(plan(one), plan(other)).kind != "proved"
