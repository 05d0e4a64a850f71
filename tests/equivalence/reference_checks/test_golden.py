"""Every golden case, and what a bad case file says."""

from pathlib import Path

import pytest

from equivalence.reference_checks.golden import parse_case
from equivalence.verification.operators import check_golden, verify_corpus
from semantics import NotationError
from tests.golden_corpus import golden_corpus

CASES = golden_corpus()
GOOD = "title: t\nstream S: raw(x int): (1)@0\nplan: S(x int)\nhorizon: 2\nat 0: {(1)}\n"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_golden(case: object) -> None:
    verdict = check_golden(case)  # type: ignore[arg-type]  # pytest knows no types
    assert verdict.holds, str(verdict.counterexample)


def test_the_corpus_names_its_sources() -> None:
    assert len(CASES) >= 100
    assert {f"table_{n}" for n in (1, 2, 3, 4, 6, 7, 8, 9)} <= {"_".join(c.name.split("_")[:2]) for c in CASES}


def test_a_wrong_expectation_is_refuted_where_it_differs() -> None:
    verdict = check_golden(parse_case("wrong", GOOD + "at 1: {(2)}"))
    assert verdict.kind == "refuted"
    assert verdict.counterexample is not None
    assert str(verdict.counterexample).splitlines() == [
        "let S = raw(x int): (1)@0",
        "plan S(x int)",
        "at instant 1 the left holds  {}",
        "             the right holds {(2)}",
    ]
    assert verdict.to_json() == {
        "verdict": "refuted",
        "evidence": {"how": "golden"},
        "counterexample": {
            "streams": {"S": [[1, 0, 1]]},
            "plans": ["S(x int)"],
            "instant": 1,
            "left": [],
            "right": [[2]],
        },
    }


def test_an_empty_folder_is_vacuous(tmp_path: Path) -> None:
    assert [finding.verdict for finding in verify_corpus(tmp_path)] == ["vacuous"]


def test_a_case_without_instants_is_vacuous() -> None:
    assert check_golden(parse_case("none", GOOD.replace("horizon: 2\nat 0: {(1)}", "horizon: 0"))).kind == "vacuous"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (GOOD + "nonsense", "c.case, line 6: expected 'key: value', got 'nonsense'"),
        (GOOD + "plan: S(x int)", "c.case, line 6: expected title, stream NAME, plan or sql, horizon or at INSTANT once, got 'plan'"),
        (GOOD + "at 0: {}", "c.case, line 6: expected title, stream NAME, plan or sql, horizon or at INSTANT once, got 'at 0'"),
        (GOOD + "at 1: (1)", "c.case, line 6: expected a multiset in braces, got (1,)"),
        (GOOD + "at 1: {(1.0)}", "c.case: expected rows of exactly x INT, got (1.0)"),
        (GOOD + "at 1: {(1, 2)}", "c.case: expected rows of exactly x INT, got (1, 2)"),
        (GOOD + "at 2: {(1)}", "c.case: instants must be before the horizon 2, got [2]"),
        (GOOD + "stream T: raw(x int): (1)@-1", "c.case, line 6: column 17: expected an instant, got '-' in: raw(x int): (1)@▶-1"),
        ("plan: S(x number)", "c.case, line 1: column 5: expected a type: int, float, bool, str, timestamp, date, time, decimal(10, 2), array<int> …, got 'number' in: S(x ▶number)"),
        ("stream S: (1)", "c.case, line 1: expected a raw, interval or logical stream, got (1,)"),
        ("horizon: 99999999999", "c.case, line 1: expected a horizon from 0 to 1000000, got '99999999999'"),
        ("title: t", "c.case: expected a title, a plan and a horizon; missing: ['horizon', 'plan']"),
    ],
)  # fmt: skip
def test_bad_case_files(text: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_case("c", text)
    assert str(caught.value) == message
