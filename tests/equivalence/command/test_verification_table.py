"""The table of `snapeq verify`."""

import pytest

from equivalence.command.verification_table import print_outcomes
from equivalence.verification import Outcome


def rows_printed(capsys: pytest.CaptureFixture[str]) -> list[list[str]]:
    return [line.split() for line in capsys.readouterr().out.splitlines()]


def test_the_measures_of_the_checkers_are_summed(capsys: pytest.CaptureFixture[str]) -> None:
    first = {"cases": 10, "fired": 5, "neighbours": {"of": 7, "told_apart": 6}}
    second = {"cases": 20, "fired": 5, "neighbours": {"of": 3, "told_apart": 1}}
    covered = {"rows": 40, "pairs": 90, "empty": 2}
    print_outcomes(
        [
            Outcome("rules", "a", "true", True, "agreed", dict(first)),
            Outcome("rules", "b", "true", True, "agreed", dict(second)),
            Outcome("engines", "interval coverage", "is complete", False, "refuted", dict(covered), text="empty cell"),
            Outcome("machine mutants", "sample", "killed", True, "75 % killed", {"killed": 3, "survived": 1}),
        ]
    )
    rows = rows_printed(capsys)
    assert ["rules", "true", "2", "2", "30"] in rows
    assert ["neighbours", "told", "apart", "10", "7"] in rows
    assert ["coverage", "pairs", "examined", "90", "88", "40"] in rows
    assert ["machine", "mutants", "killed", "4", "3"] in rows
    assert ["empty", "cell"] in rows
    assert rows[-1] == ["something", "falls", "short"]


def test_what_was_not_measured_has_no_line(capsys: pytest.CaptureFixture[str]) -> None:
    print_outcomes([Outcome("operators", "Filter", "reducible", True, "agreed", {"cases": 3})])
    assert rows_printed(capsys) == [
        ["part", "claim", "verified", "hold", "cases"],
        ["operators", "reducible", "1", "1", "3"],
        ["everything", "holds"],
    ]
