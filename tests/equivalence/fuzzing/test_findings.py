"""The findings of docs/findings/sqlglot-*.md, asked for again: both texts are run, whatever the version is today."""

import re
from pathlib import Path

import pytest

from equivalence.fuzzing.judge import Judge, Outcome
from equivalence.fuzzing.relational_schema import RelationalSchema, Table
from equivalence.fuzzing.sql_rewrite import Way
from equivalence.fuzzing.sqlglot_optimizer import SqlglotOptimizer
from semantics import Type
from tests.paths import ROOT

SCHEMA = RelationalSchema((Table("t", (("a", Type.INT),)), Table("u", (("a", Type.INT), ("b", Type.INT)))))
PAGES = sorted((ROOT / "docs" / "findings").glob("sqlglot-*.md"))
FURTHER = {
    "merge_subqueries": [
        "SELECT q.x AS x FROM t LEFT JOIN (SELECT COALESCE(u.b, 1) AS x, u.a AS a FROM u) AS q ON t.a = q.a",
        "SELECT q.x AS x FROM (SELECT 1 AS x, u.a AS a FROM u) AS q RIGHT JOIN t ON t.a = q.a",
        "SELECT q.x AS x FROM t FULL JOIN (SELECT 1 AS x, u.a AS a FROM u) AS q ON t.a = q.a",
    ],
    "unnest_subqueries": [
        "SELECT t.a AS x FROM t WHERE (t.a IN (SELECT u.a FROM u)) IS NULL",
        "SELECT t.a AS x FROM t WHERE (t.a IN (SELECT u.a FROM u)) IS FALSE",
        "SELECT t.a AS x FROM t WHERE NOT (t.a IN (SELECT u.a FROM u) AND t.a = 1)",
    ],
}
"""What the pages say in words."""


def outcomes(rule: str, sql: str) -> list[Outcome]:
    judge = Judge(SCHEMA, seconds=0)
    return [judge.judge(one).outcome for one in SqlglotOptimizer(rule).rewrites(sql, SCHEMA, [Way(rule)])]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_rule_of_a_page_is_still_wrong(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    (sql,) = re.findall(r'^sql = "(.*)"$', text, re.M)
    (rule,) = re.findall(r"rules=\(qualify, (\w+)\)", text)
    assert outcomes(rule, sql) == [Outcome.REFUTED]


@pytest.mark.parametrize(("rule", "sql"), [(rule, sql) for rule, queries in FURTHER.items() for sql in queries])
def test_what_a_page_says_in_words(rule: str, sql: str) -> None:
    assert outcomes(rule, sql) == [Outcome.REFUTED]


def test_there_are_pages() -> None:
    assert len(PAGES) >= 4
