"""The test that a counterexample becomes is run: it fails while the sides differ, and holds once they agree."""

import pytest

from equivalence.lists.equivalences import Equivalence
from equivalence.report.regression import as_test
from equivalence.verdicts.counterexample import Counterexample
from semantics import Multiset, parse, parse_plan
from tests.paths import ROOT

pytest_plugins = ["pytester"]


@pytest.fixture(autouse=True)
def this_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    """The inner pytest runs in a process and a folder of its own, but with this code."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


S = parse("interval(x str): ('it\\'s \\\\ \"\\u{a}')@[0,∞) ('')@[1,3)")
PLAN, OTHER = "S(x str)", "S(x str) | window(range 2)"


def found(*plans: str, right: str = "{}") -> Counterexample:
    return Counterexample(tuple(map(parse_plan, plans)), {"S": S}, 3, Multiset(), parse(right))


@pytest.mark.parametrize(
    ("case", "engine", "equivalence", "passed"),
    [
        (found(PLAN, OTHER), None, "snapshot-multiset", 0),
        (found(PLAN, PLAN), None, "snapshot-multiset", 1),
        (found("S(x str) | distinct", "S(x str) | filter(x <> '') | window(range 2)"), None, "snapshot-set", 1),
        (found(OTHER), "interval", "snapshot-multiset", 1),
        (found(PLAN, right="{('')}"), None, "snapshot-multiset", 0),
    ],
)
def test_it_runs_as_it_is(
    case: Counterexample, engine: str | None, equivalence: Equivalence, passed: int, pytester: pytest.Pytester
) -> None:
    pytester.makepyfile(as_test(case, name="Größe 3!", engine=engine, equivalence=equivalence))
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    result.assert_outcomes(passed=passed, failed=1 - passed)
    if not passed:
        result.stdout.fnmatch_lines(["*assert left == right*"])
