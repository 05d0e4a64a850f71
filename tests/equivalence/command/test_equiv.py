"""`snapeq equiv` and `snapeq replay`: from two plans to a picture, a file, a test, and back."""

import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

from equivalence.verdicts.verdict import Verdict
from tests.equivalence.command.command import snapeq

UNION = "union(A(x int), B(x int))"
LATE = f"{UNION} | distinct"
EARLY = "union(A(x int) | distinct, B(x int) | distinct)"


def test_plans_that_agree() -> None:
    ran = snapeq("equiv", UNION, "union(B(x int), A(x int))", "--examples", "50")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("AGREED (by samples; cases 50, fired ")


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
