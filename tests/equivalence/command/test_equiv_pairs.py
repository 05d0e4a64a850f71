"""`snapeq equiv --pairs`: every pair gets its answer, whatever becomes of the others, and none is asked twice."""

import json
from pathlib import Path
from typing import Any

import pytest

from equivalence.command import equiv_pairs
from tests.equivalence.command.command import Ran, snapeq

PROVED = {"name": "union", "q1": "union(A(x int), B(x int))", "q2": "union(B(x int), A(x int))"}
REFUTED = {"name": "distinct", "q1": "A(x int) | distinct", "q2": "A(x int)"}
UNREADABLE = {"q1": "SELECT x FROM S", "q2": "S(x int)"}
KEYED = {
    "name": "key",
    "catalog": "CREATE TABLE E(k INT PRIMARY KEY, x INT);",
    "q1": "SELECT DISTINCT k FROM E",
    "q2": "SELECT k FROM E",
}
EVERY = (PROVED, REFUTED, UNREADABLE, KEYED)


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    return written(tmp_path / "pairs.jsonl", *EVERY)


def written(file: Path, *lines: object) -> Path:
    file.write_text("\n\n".join(map(json.dumps, lines)) + "\n", encoding="utf-8")
    return file


def ask(pairs: Path, *options: str) -> Ran:
    return snapeq("equiv", "--pairs", str(pairs), "--by", "prove", *options)


def document(pairs: Path, *options: str) -> dict[str, Any]:
    return dict(json.loads(ask(pairs, "--json", *options).out))


def test_a_table_by_reason(pairs: Path) -> None:
    ran = ask(pairs)
    assert (ran.code, ran.err) == (1, "")
    lines = ran.out.splitlines()
    assert lines[:2] == ["4 pairs: 2 proved, 1 refuted, 1 unreadable", lines[1]]
    assert [line.split()[:2] for line in lines[2:]] == [["proved", "2"], ["refuted", "1"], ["unreadable", "1"]]
    assert "line …, column …: unknown stream S" in lines[4]


def test_the_document_is_as_promised(pairs: Path) -> None:
    found = document(pairs)
    assert (found["pairs"], found["verdicts"]) == (4, {"proved": 2, "refuted": 1, "unreadable": 1})
    assert found["reasons"][0] == {"verdict": "proved", "pairs": 2, "reason": "proof", "example": "union"}
    assert [(r["line"], r["name"], r["verdict"]) for r in found["results"]] == [
        (1, "union", "proved"),
        (3, "distinct", "refuted"),
        (5, "5", "unreadable"),
        (7, "key", "proved"),
    ]
    assert found["results"][1]["counterexample"]["plans"] == ["A(x int) | distinct", "A(x int)"]


def test_several_processes_say_the_same(pairs: Path) -> None:
    assert document(pairs, "--jobs", "2") == document(pairs)


@pytest.mark.parametrize(
    ("lines", "code"), [([PROVED], 0), ([PROVED, UNREADABLE], 3), ([PROVED, UNREADABLE, REFUTED], 1), ([], 0)]
)
def test_exit_codes(lines: list[object], code: int, tmp_path: Path) -> None:
    assert ask(written(tmp_path / "pairs.jsonl", *lines)).code == code


def test_it_goes_on_where_it_was_stopped(pairs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results = tmp_path / "results.jsonl"
    whole = document(pairs, "--results", str(results))
    lines = results.read_text(encoding="utf-8").splitlines(keepends=True)
    results.write_text("".join(lines[:2]) + lines[2][:20], encoding="utf-8")
    asked: list[str] = []
    answer = equiv_pairs.answer

    def noted(pair: equiv_pairs.Pair) -> equiv_pairs.Answer:
        asked.append(pair.name)
        return answer(pair)

    monkeypatch.setattr(equiv_pairs, "answer", noted)
    assert document(pairs, "--results", str(results)) == whole
    assert asked == ["5", "key"]
    assert sorted(results.read_text(encoding="utf-8").splitlines()) == sorted(map(str.strip, lines))


def test_another_question_is_asked_anew(pairs: Path, tmp_path: Path) -> None:
    results = str(tmp_path / "results.jsonl")
    ask(pairs, "--results", results)
    written(pairs, {**PROVED, "q2": "A(x int)"})
    assert document(pairs, "--results", results)["verdicts"] == {"refuted": 1}


def test_a_pair_that_takes_too_long_is_unknown(pairs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(*_: object) -> None:
        while True:
            pass

    monkeypatch.setattr("equivalence.command.equiv._verdict", endless)
    found = document(written(pairs, PROVED), "--seconds", "0.1")
    assert found["verdicts"] == {"unknown": 1}
    assert found["results"][0]["reason"] == "none was found in 0.1 s"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 1: expected an object"),
        ("\udcff", "line 1: this is no text in UTF-8; expected an object"),
        ("[" * 100_000, 'line 1: expected an object with the texts "q1" and "q2"'),
        ("[]", "line 1: expected an object"),
        ('{"q1": "A(x int)"}', "line 1: expected an object"),
        ('{"q1": "A(x int)", "q2": 7}', "line 1: expected an object"),
        ('{"q1": "A(x int)", "q2": "A(x int)", "by": "prove"}', "line 1: expected an object"),
    ],
)
def test_bad_lines(line: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    file.write_text(line, encoding="utf-8", errors="surrogateescape")
    ran = ask(file)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err


def test_what_is_about_one_pair_is_refused(pairs: Path) -> None:
    ran = snapeq("equiv", "A(x int)", "A(x int)", "--pairs", str(pairs))
    assert (ran.code, ran.out) == (2, "")
    assert "the queries are in the file; expected no Q1, got 'A(x int)'" in ran.err
    assert "about one pair" in ask(pairs, "--save", "case.json").err
