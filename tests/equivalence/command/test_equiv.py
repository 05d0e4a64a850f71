"""`snapeq equiv` and `snapeq replay`: from two plans to a picture, a file, a test, and back."""

import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

from equivalence.command import equiv
from equivalence.comparison import solvers
from equivalence.verdicts.verdict import Verdict
from tests.equivalence.command.command import snapeq

UNION = "union(A(x int), B(x int))"
LATE = f"{UNION} | distinct"
EARLY = "union(A(x int) | distinct, B(x int) | distinct)"


def test_plans_that_agree() -> None:
    ran = snapeq("equiv", UNION, "union(B(x int), A(x int))", "--examples", "50", "--by", "sample")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.endswith("; 2 neighbours: 2 told apart)\n")
    assert ran.out.startswith("AGREED (by samples; cases 50, fired ")


def test_by_default_what_can_be_proved_is_proved() -> None:
    ran = snapeq("equiv", UNION, "union(B(x int), A(x int))")
    assert (ran.code, ran.out, ran.err) == (0, "PROVED (proof)\n", "")


def test_what_is_not_proved_agrees_with_its_neighbours(monkeypatch: pytest.MonkeyPatch) -> None:
    there = ModuleType("equivalence.prover.prove")
    there.prove = lambda *_, **__: Verdict("unknown", {"reason": "too hard"})  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "equivalence.prover.prove", there)
    ran = snapeq("equiv", UNION, "union(B(x int), A(x int))", "--json")
    document = json.loads(ran.out)
    assert (ran.code, document["verdict"], document["evidence"]["no_proof"]) == (0, "agreed", "too hard")
    assert document["evidence"]["neighbours"] == {"told_apart": 2, "of": 2, "proved": 0, "open": []}


def test_without_solvers_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solvers, "solvers_missing", lambda: "the prover: needs z3")
    ran = snapeq("equiv", UNION, "union(B(x int), A(x int))", "--examples", "30")
    assert ran.code == 0
    assert "no proof the prover: needs z3" in ran.out


def test_a_proof_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(*_: object, **__: object) -> Verdict:
        while True:
            pass

    there = ModuleType("equivalence.prover.prove")
    there.prove = endless  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "equivalence.prover.prove", there)
    monkeypatch.setattr(equiv, "SECONDS_FOR_PROOF", 0.01)
    ran = snapeq("equiv", UNION, "union(B(x int), A(x int))", "--examples", "30")
    assert ran.code == 0
    assert "no proof none was found in 0.01 s" in ran.out


STREAM = "CREATE STREAM S(x INT, y INT, t INT, u INT) ORDERED BY t"


@pytest.mark.parametrize("by", [(), ("--by", "prove"), ("--by", "exhaust"), ("--by", "sample")])
@pytest.mark.parametrize(
    "other",
    [
        "CREATE STREAM S(x INT, y INT, t INT, u INT) ORDERED BY u",
        "CREATE STREAM S(x INT, y INT, t INT, u INT) VALID (t, u)",
        "CREATE STREAM S(x FLOAT, y INT, t INT, u INT) ORDERED BY t",
        "CREATE STREAM S(y INT, x INT, t INT, u INT) ORDERED BY t",
        "CREATE STREAM S(x INT PRIMARY KEY, y INT, t INT, u INT) ORDERED BY t",
        "CREATE STREAM S(x INT, y INT, t TIMESTAMP, u INT) ORDERED BY t",
        "CREATE TABLE S(x INT, y INT, t INT, u INT)",
        "CREATE STREAM S(x INT, y INT, u INT) ORDERED BY t AS u + 1",
        f"SET TIME UNIT MINUTE; {STREAM}",
    ],
)
def test_sources_that_are_declared_in_two_ways_are_bad_input(other: str, by: tuple[str, ...]) -> None:
    ran = snapeq("equiv", f"{STREAM}; SELECT y AS v FROM S", f"{other}; SELECT y AS v FROM S", *by)
    assert (ran.code, ran.out) == (2, "")
    assert f"source S is declared in two ways: {STREAM}, time unit SECOND; " in ran.err


def test_plans_over_the_same_name_with_other_columns_are_bad_input() -> None:
    ran = snapeq("equiv", "A(x int, y int) | map(x as v)", "A(y int, x int) | map(y as v)", "--by", "prove")
    assert (ran.code, ran.out) == (2, "")
    assert "source A is declared in two ways: A(x int, y int); A(y int, x int)" in ran.err


def test_columns_are_compared_by_name() -> None:
    ran = snapeq("equiv", f"{STREAM}; SELECT x, y FROM S", f"{STREAM}; SELECT y, x FROM S", "--json")
    assert (ran.code, "columns" in json.loads(ran.out)["evidence"]) == (0, False)
    assert snapeq("equiv", f"{STREAM}; SELECT x, y FROM S", f"{STREAM}; SELECT y AS x, x AS y FROM S").code == 1


def test_columns_with_other_names_are_compared_by_position_with_a_remark() -> None:
    ran = snapeq("equiv", f"{STREAM}; SELECT x, y FROM S", f"{STREAM}; SELECT x AS a, y AS b FROM S")
    assert (ran.code, ran.out) == (0, "PROVED (proof; columns by position)\n")


def test_plans_that_differ_are_shown_with_the_smallest_case() -> None:
    ran = snapeq("equiv", LATE, EARLY)
    assert ran.code == 1
    assert ran.out.splitlines()[1:] == [
        "let A = raw(x int): (0)@0",
        "let B = raw(x int): (0)@0",
        f"plan {LATE}",
        f"plan {EARLY}",
        "at instant 0 the left holds  {(0)}",
        "             the right holds {(0)*2}",
        "",
        "instant      0  1",
        "wrong        ▼",
        "A (0)        ■",
        "B (0)        ■",
        "left (0)     ■",
        "right (0)*2  ■",
    ]


def test_json_is_one_document_and_the_same_for_the_same_seed() -> None:
    first, again = (snapeq("equiv", LATE, EARLY, "--json", "--seed", "7") for _ in range(2))
    assert (first.code, first.err) == (1, "")
    assert first.out == again.out
    document = json.loads(first.out)
    assert set(document) == {"verdict", "evidence", "counterexample"}
    assert document["counterexample"]["plans"] == [LATE, EARLY]
    assert document["evidence"]["seed"] == 7


def test_plans_may_be_files(tmp_path: Path) -> None:
    (tmp_path / "late.plan").write_text(f"# duplicates go last\n{LATE}\n")
    assert snapeq("equiv", str(tmp_path / "late.plan"), LATE, "--examples", "20").code == 0


def test_a_saved_case_runs_again_until_it_is_mended(tmp_path: Path) -> None:
    case = tmp_path / "case.json"
    saved = snapeq("equiv", LATE, EARLY, "--save", str(case))
    assert (saved.code, saved.err) == (1, f"saved; to run it again: snapeq replay {case}\n")
    again = snapeq("replay", str(case))
    assert again.code == 1
    assert again.out.splitlines()[0] == "REFUTED (when run again; snapshots 1)"
    assert again.out.splitlines()[1:] == saved.out.splitlines()[1:]
    case.write_text(case.read_text().replace(EARLY, LATE))
    mended = snapeq("replay", str(case), "--json")
    assert mended.code == 0
    assert json.loads(mended.out) == {
        "verdict": "agreed",
        "evidence": {"how": "replayed", "snapshots": 1},
        "counterexample": None,
    }


def test_nothing_is_saved_where_nothing_is_refuted(tmp_path: Path) -> None:
    case = tmp_path / "case.json"
    assert snapeq("equiv", UNION, UNION, "--examples", "9", "--save", str(case)).code == 0
    assert not case.exists()


@pytest.mark.parametrize(
    ("by", "module", "name"),
    [("prove", "equivalence.prover.prove", "prove"), ("exhaust", "equivalence.exhaustive.exhaust", "exhaust")],
)
def test_other_ways_to_find_out(by: str, module: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def decide(left: object, right: object, constraints: object) -> Verdict:
        asked.append((left, right, constraints))
        return Verdict("proved", {"how": name})

    there = ModuleType(module)
    setattr(there, name, decide)
    monkeypatch.setitem(sys.modules, module, there)
    ran = snapeq("equiv", UNION, UNION, "--by", by)
    assert (ran.code, ran.out) == (0, f"PROVED ({name})\n")
    assert len(asked) == 1


def test_unknown_is_no_success(monkeypatch: pytest.MonkeyPatch) -> None:
    there = ModuleType("equivalence.prover.prove")
    there.prove = lambda *_, **__: Verdict("unknown", {"why": "windows are out of reach"})  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "equivalence.prover.prove", there)
    ran = snapeq("equiv", UNION, UNION, "--by", "prove")
    assert (ran.code, ran.out) == (3, "UNKNOWN\nwindows are out of reach\n")


@pytest.mark.parametrize(
    ("evidence", "line"), [({"how": "proof", "reason": "x" * 80}, "x" * 80), ({}, "no reason is known")]
)
def test_unknown_always_says_why(evidence: dict[str, object], line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    there = ModuleType("equivalence.prover.prove")
    there.prove = lambda *_, **__: Verdict("unknown", evidence)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "equivalence.prover.prove", there)
    ran = snapeq("equiv", UNION, UNION, "--by", "prove")
    assert (ran.code, ran.out.splitlines()[1]) == (3, line)


def test_plans_that_are_always_empty_are_vacuous() -> None:
    never = "A(x int) | filter(false)"
    ran = snapeq("equiv", never, f"{never} | distinct", "--examples", "20")
    assert ran.code == 1
    assert ran.out.startswith("VACUOUS (by samples; cases 20, fired 0")


@pytest.mark.parametrize("command", ["verify", "equiv", "rules", "conform", "replay"])
def test_help_teaches(command: str) -> None:
    ran = snapeq(command, "--help")
    assert ran.code == 0
    words = " ".join(ran.out.split())
    assert "Exit code 0" in words or "Exit code 1" in words
    assert command == "verify" or f"snapeq {command}" in ran.out


def test_the_verdict_is_written_as_a_page(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert snapeq("equiv", "S(x int) | distinct", "S(x int)", "--html", str(page)).code == 1
    assert page.read_text(encoding="utf-8").count("<svg") == 1


def test_it_says_what_would_prove_it() -> None:
    ran = snapeq("equiv", "A(x int) | distinct", "A(x int)")
    assert ran.code == 1
    assert ran.out.endswith("\nPROVED if x is a key of A\n")
    document = json.loads(snapeq("equiv", "A(x int) | distinct", "A(x int)", "--by", "prove", "--json").out)
    assert document["evidence"]["proved_if"] == [["x is a key of A"]]
    assert "proved_if" not in snapeq("equiv", "A(x int) | distinct", "A(x int)", "--by", "sample", "--json").out
