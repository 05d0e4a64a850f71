"""Queries made small."""

from sqlglot import exp, parse_one

from equivalence.fuzzing.reduce_sql import reduce_sql
from equivalence.fuzzing.sql_executors import Refused, SqliteExecutor


def test_parts_that_do_not_matter_go() -> None:
    sql = (
        "WITH w AS (SELECT a AS x0 FROM t) SELECT q1.x0 AS x0, q2.b AS x1 FROM w AS q1 "
        "LEFT JOIN (SELECT DISTINCT b FROM u WHERE b > 1) AS q2 ON q1.x0 = q2.b AND TRUE WHERE q2.b IN (1, 2) "
        "UNION SELECT a AS x0, b AS x1 FROM v"
    )

    def is_valid(text: str) -> bool:
        return "LEFT JOIN" in text and ("WITH w" in text or "w AS" not in text)

    assert reduce_sql(sql, is_valid) == "SELECT 1 AS x1 FROM t AS q1 LEFT JOIN u AS q2 ON TRUE"


def test_a_query_inside_takes_the_place_of_the_whole() -> None:
    sql = "SELECT 1 AS x FROM t JOIN (SELECT a AS y FROM u FULL JOIN v ON TRUE) AS q ON q.y = t.a"
    assert reduce_sql(sql, lambda text: "FULL JOIN" in text) == "SELECT 1 AS y FROM u FULL JOIN v ON TRUE"


def test_every_text_that_is_tried_can_be_parsed() -> None:
    tried = []

    def never(text: str) -> bool:
        tried.append(parse_one(text))
        return False

    sql = "SELECT a AS x FROM t GROUP BY a HAVING COUNT(*) > 1 ORDER BY 1 NULLS LAST LIMIT 2"
    assert reduce_sql(sql, never) == sql
    assert len(tried) > 5


def test_it_ends_after_its_trials() -> None:
    asked = []

    def never(text: str) -> bool:
        asked.append(text)
        return False

    reduce_sql("SELECT a + b + c + d AS x FROM t WHERE a > 1 AND b > 2", never, trials=3)
    assert len(asked) == 3


def test_only_texts_that_can_be_read_are_tried() -> None:
    sql = "SELECT SUM(DISTINCT CASE WHEN a = 0 THEN a END) AS x FROM t HAVING SUM(DISTINCT a) IN (SELECT b FROM u)"

    def is_read(text: str) -> bool:
        parse_one(text)
        return "HAVING" in text

    assert "HAVING" in reduce_sql(sql, is_read)


def test_columns_of_a_derived_table_become_those_of_its_table() -> None:
    def gives_two(text: str) -> bool:
        try:
            return SqliteExecutor().run(["CREATE TABLE t (a INT)"], {"t": [(1,), (2,)]}, text) == [(2,)]
        except Refused:
            return False

    sql = "SELECT q.x AS y FROM (SELECT t.a AS x, 1 AS z FROM t AS t) AS q WHERE q.x > 1"
    assert reduce_sql(sql, gives_two) == "SELECT q.a AS y FROM t AS q WHERE q.a > 1"


def test_what_was_computed_of_a_table_takes_the_place_of_a_column() -> None:
    sql = "SELECT q.x AS y FROM (SELECT r.a + 1 AS x, 'b' AS z FROM t AS r) AS q WHERE q.z = 'b'"

    def is_read(text: str) -> bool:
        return "'b' = 'b'" in text and ".a + 1" in text

    assert reduce_sql(sql, is_read) == "SELECT (q.a + 1) AS y FROM t AS q WHERE 'b' = 'b'"


def test_both_sides_of_a_set_operation_lose_the_same_column() -> None:
    sql = "SELECT a AS x, b AS y FROM t UNION SELECT c AS x, d AS y FROM u EXCEPT SELECT e AS x, f AS y FROM v"

    def is_valid(text: str) -> bool:
        return len({len(select.selects) for select in parse_one(text).find_all(exp.Select)}) == 1 and "v" in text

    assert reduce_sql(sql, lambda text: is_valid(text) and "EXCEPT" in text and "UNION" in text).count(" AS ") == 3
