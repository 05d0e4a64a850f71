"""What the findings say of engines is still so; a difference that is gone was mended upstream, and its page can go."""

import sqlite3
from pathlib import Path

import pytest

from physical.adapters.environments import ENVIRONMENTS
from tests.physical.adapters.finding_pages import FOLDER, Program, pages, programs

PROGRAMS = programs()
ONE = "CREATE TABLE a(x INT); INSERT INTO a VALUES (1); CREATE TABLE b(y INT); INSERT INTO b VALUES (2);"
TABLES = "CREATE TABLE a(x INT, y INT); CREATE TABLE b(x INT, y INT); CREATE TABLE d(x INT, y INT);"


@pytest.mark.parametrize("program", PROGRAMS, ids=str)
def test_the_engine_still_prints_what_the_page_says(program: Program, tmp_path: Path) -> None:
    if not ENVIRONMENTS[program.engine].is_installed:
        pytest.skip(f"{program.engine} is not installed: snapeq engines install {program.engine}")
    assert program.output(tmp_path) == program.prints


@pytest.mark.parametrize("program", PROGRAMS, ids=str)
def test_every_program_shows_a_difference(program: Program) -> None:
    assert program.prints != program.right
    assert "snapeq" not in program.code


def test_every_page_is_in_the_list_with_its_kind_and_versions() -> None:
    listed = (FOLDER / "README.md").read_text(encoding="utf-8")
    for page in pages():
        text = (FOLDER / f"{page}.md").read_text(encoding="utf-8")
        assert f"]({page}.md)" in listed
        assert "\nKind: " in text
        assert "Version" in text


@pytest.mark.parametrize(
    ("tables", "query", "right"),
    [
        (ONE, "SELECT k FROM (SELECT 5 AS k FROM (SELECT sum(x) AS s FROM a)) WHERE k = 2", []),
        (ONE, "SELECT c.n FROM (SELECT count(*) AS n FROM a) AS c JOIN a ON NULL", []),
        (ONE, "SELECT x FROM a WHERE EXISTS (SELECT count(*) FROM b WHERE y = x)", [(1,)]),
        (ONE, "SELECT x FROM a WHERE 0 IN (SELECT count(*) FROM b WHERE y = x)", [(1,)]),
        (ONE, "SELECT x FROM a WHERE NULL NOT IN (SELECT y FROM b)", []),
        (ONE, "SELECT x FROM a WHERE nullif(x, 1) NOT IN (SELECT y FROM b)", []),
        (ONE, "SELECT 1 WHERE 2 NOT IN (1, NULL)", []),
        (ONE, "SELECT DISTINCT CASE WHEN x = y THEN y ELSE 0 END FROM a, b", [(0,)]),
        (ONE, "SELECT count(*) FROM (SELECT 0.0 AS x) AS l JOIN (SELECT -0.0 AS y) AS r ON l.x = r.y", [(1,)]),
        (
            TABLES + "INSERT INTO b VALUES (1, 2); INSERT INTO d VALUES (7, 1);",
            "SELECT d.x FROM b LEFT JOIN a ON a.y = b.y JOIN d ON b.x = d.y WHERE a.y IS NULL AND (d.y = 1 OR a.x = 1)",
            [(7,)],
        ),
        (
            TABLES + "INSERT INTO a VALUES (1, 0); INSERT INTO b VALUES (1, 5); INSERT INTO d VALUES (1, 0);",
            "SELECT b.y FROM (SELECT DISTINCT x FROM a) AS u LEFT JOIN b ON u.x = b.x LEFT JOIN d ON u.x = d.x",
            [(5,)],
        ),
    ],
)
def test_sqlite_agrees_with_what_is_called_right(tables: str, query: str, right: list[tuple[int]]) -> None:
    """The same queries, as far as it has words for them."""
    connection = sqlite3.connect(":memory:")
    connection.executescript(tables)
    assert connection.execute(query).fetchall() == right
    connection.close()
