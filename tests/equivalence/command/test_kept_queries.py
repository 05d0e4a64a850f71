"""A query that the command has read before means the same, and needs no parser."""

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from equivalence.query_files import kept_queries
from equivalence.query_files.kept_queries import read_or_kept
from equivalence.query_files.query_over_files import read_query
from semantics import SnapeqError

STREAM = "CREATE STREAM S(x INT, s VARCHAR, ts BIGINT) ORDERED BY ts;"
QUERIES = (
    "SELECT x FROM S WHERE x < 9 AND s LIKE 'a%'",
    "SELECT s, COUNT(*) AS n, MAX(x) AS top FROM S WINDOW(RANGE 10) GROUP BY s HAVING COUNT(*) > 1",
    "SELECT a.x, CAST(1.5 AS DECIMAL(5, 2)) AS d FROM S WINDOW(RANGE 2) AS a, S WINDOW(ROWS 3) AS b WHERE a.x = b.x",
    "SELECT x, LAG(x) OVER (PARTITION BY s ORDER BY ts) AS p FROM S",
    "SELECT DATE '2024-01-01' AS d, INTERVAL '5' MINUTE AS i, UPPER(s) AS u FROM S",
)


@pytest.fixture(name="folder", autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SNAPEQ_CACHE", str(tmp_path))
    monkeypatch.delenv("SNAPEQ_KEEP_QUERIES", raising=False)
    return tmp_path / "snapeq" / "queries"


@pytest.fixture(name="no_parser")
def _no_parser(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """From now on, whoever reads a query fails."""

    def read(*_: object) -> None:
        raise AssertionError("the query is read again")

    monkeypatch.setattr(kept_queries, "read_query", read)
    return monkeypatch


@pytest.mark.parametrize("query", QUERIES)
def test_a_kept_query_is_the_query(query: str, folder: Path, request: pytest.FixtureRequest) -> None:
    text = f"{STREAM} {query}"
    assert read_or_kept(text) == read_query(text)
    assert len(list(folder.iterdir())) == 1
    request.getfixturevalue("no_parser")
    assert read_or_kept(text) == read_query(text)


def test_other_texts_and_other_catalogues_are_other_queries(tmp_path: Path) -> None:
    catalogue = tmp_path / "catalogue.sql"
    for stream in ("CREATE STREAM S(x INT, ts INT) ORDERED BY ts", "CREATE STREAM S(x FLOAT, ts INT) ORDERED BY ts"):
        catalogue.write_text(stream)
        for text in ("SELECT x FROM S WHERE x < 1", "SELECT x FROM S WHERE x < 2"):
            assert [read_or_kept(text, catalogue) == read_query(text, catalogue) for _ in range(2)] == [True, True]


def test_other_sources_read_again(request: pytest.FixtureRequest) -> None:
    text = f"{STREAM} {QUERIES[0]}"
    read_or_kept(text)
    no_parser = request.getfixturevalue("no_parser")
    read_or_kept(text)
    no_parser.setattr(kept_queries, "_versions", lambda: iter(["changed"]))
    with pytest.raises(AssertionError, match="read again"):
        read_or_kept(text)


def test_versions_tell_when_a_source_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "sources" / "part" / "module.py"
    source.parent.mkdir(parents=True)
    source.write_text("x = 1")
    monkeypatch.setattr(kept_queries, "_READERS", (str(tmp_path / "sources"),))
    before = list(kept_queries._versions())
    assert before == list(kept_queries._versions())
    source.write_text("x = 12")
    assert before != list(kept_queries._versions())


class Evil:
    def __reduce__(self) -> tuple[object, ...]:
        return (os.mkdir, ("evil",))


def by_a_function_of_ours() -> bytes:
    """A pickle that would call what a module of ours has imported: protocol 4 follows names."""
    return b"\x80\x04\x8c\x14semantics.lazy_names\x8c\rimport_module\x93\x8c\x04this\x85R."


@pytest.mark.parametrize("content", [b"", b"no pickle", pickle.dumps(Evil()), pickle.dumps(7), by_a_function_of_ours()])
def test_a_file_that_is_something_else_is_no_query(
    content: bytes, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = f"{STREAM} {QUERIES[0]}"
    read_or_kept(text)
    (file,) = folder.iterdir()
    key = file.read_bytes().partition(b"\0")[0]
    file.write_bytes(key + b"\0" + content)
    assert read_or_kept(text) == read_query(text)
    assert not (tmp_path / "evil").exists()
    assert "this" not in sys.modules
    assert file.read_bytes().partition(b"\0")[2] != content, "and it is kept as it should be"


def test_a_wrong_query_is_wrong_every_time(folder: Path) -> None:
    for _ in range(2):
        with pytest.raises(SnapeqError, match="nothing"):
            read_or_kept(f"{STREAM} SELECT nothing FROM S")
    assert not folder.exists()


def test_a_folder_that_cannot_be_made_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("SNAPEQ_CACHE", str(tmp_path / "file"))
    assert read_or_kept(f"{STREAM} {QUERIES[0]}").plan.operator == "Map"


def test_the_command_needs_no_parser_the_second_time(tmp_path: Path) -> None:
    (tmp_path / "S.csv").write_text("x,s,ts\n1,ab,0\n2,b,1\n")
    program = "import sys; from snapeq.__main__ import main\ntry: main()\nfinally: print('sqlglot' in sys.modules)"
    call = [sys.executable, "-c", program, "run", f"{STREAM} {QUERIES[0]}", "--stream", f"S={tmp_path / 'S.csv'}"]
    ran = [subprocess.run(call, capture_output=True, text=True, check=True).stdout for _ in range(2)]
    assert ran == ["x,_start,_end,_count\n1,0,1,1\nTrue\n", "x,_start,_end,_count\n1,0,1,1\nFalse\n"]
