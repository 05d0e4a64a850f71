"""Clauses that the parser reads and this language has no meaning for are refused by name; none is passed over."""

import pytest

from semantics.sql.dialects.refusals import Refused
from semantics.sql.dialects.registry import read_dialect

TABLES = "CREATE TABLE t (g VARCHAR, i INTEGER, ts TIMESTAMP, v DOUBLE);"
UNREAD = [
    ("spark", "SELECT * FROM t PIVOT (SUM(i) FOR g IN ('a', 'b'))", "PIVOT"),
    ("feldera", "SELECT * FROM (SELECT g, i FROM t) PIVOT (SUM(i) FOR g IN ('a' AS a))", "PIVOT"),
    ("spark", "SELECT * FROM t UNPIVOT (x FOR k IN (i, v))", "UNPIVOT"),
    ("spark", "SELECT * FROM t TABLESAMPLE (10 PERCENT)", "TABLESAMPLE"),
    ("postgres", "SELECT * FROM t TABLESAMPLE SYSTEM (10)", "TABLESAMPLE"),
    ("duckdb", "SELECT * FROM t USING SAMPLE 10%", "TABLESAMPLE"),
    ("spark", "SELECT * FROM t TIMESTAMP AS OF '2020-01-01'", "AS OF"),
    ("flink", "SELECT * FROM t FOR SYSTEM_TIME AS OF TIMESTAMP '2020-01-01 00:00:00'", "AS OF"),
    ("duckdb", "SELECT * REPLACE (i + 1 AS i) FROM t", "REPLACE"),
    ("duckdb", "SELECT * RENAME (v AS w) FROM t", "RENAME"),
    ("duckdb", "SELECT g FROM t UNION ALL BY NAME SELECT g FROM t", "BY NAME"),
    ("spark", "SELECT * FROM t ORDER BY i FETCH FIRST 10 PERCENT ROWS ONLY", "PERCENT"),
    ("duckdb", "SELECT * FROM t LIMIT 10%", "LIMIT"),
    ("postgres", "SELECT g, SUM(i) OVER (ORDER BY i GROUPS 1 PRECEDING) FROM t", "this frame"),
    ("postgres", "SELECT g, SUM(i) OVER (ORDER BY i ROWS 1 PRECEDING EXCLUDE TIES) FROM t", "EXCLUDE TIES"),
]


@pytest.mark.parametrize(("dialect", "query", "named"), UNREAD)
def test_no_clause_is_passed_over(dialect: str, query: str, named: str) -> None:
    with pytest.raises(Refused, match=named):
        read_dialect(TABLES + query, dialect)


@pytest.mark.parametrize(
    ("dialect", "query"),
    [
        ("postgres", "SELECT g FROM t FOR UPDATE"),
        ("postgres", "SELECT g FROM ONLY t"),
        ("materialize", "SELECT g, MAX(i) FROM t GROUP BY g OPTIONS (AGGREGATE INPUT GROUP SIZE = 1000)"),
        ("spark", "SELECT /*+ BROADCAST(t) */ g FROM t DISTRIBUTE BY g SORT BY i"),
        ("postgres", "WITH a AS MATERIALIZED (SELECT g FROM t) SELECT * FROM a"),
    ],
)
def test_what_says_how_a_query_runs_is_no_obstacle(dialect: str, query: str) -> None:
    assert "SELECT" in read_dialect(TABLES + query, dialect).query
