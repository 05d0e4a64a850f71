"""The test that a counterexample becomes is run: it fails while the sides differ, and holds once they agree."""

import pytest

from equivalence.cases.functions import KNOWN_FUNCTIONS
from equivalence.lists.equivalences import Equivalence
from equivalence.report.regression import as_test
from equivalence.verdicts.counterexample import Counterexample
from equivalence.verdicts.engine_fault import EngineFault
from semantics import Multiset, parse, parse_plan
from tests.paths import ROOT

pytest_plugins = ["pytester"]


@pytest.fixture(autouse=True)
def this_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    """The inner pytest runs in a process and a folder of its own, but with this code."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


S = parse("interval(x str): ('it\\'s \\\\ \"\\u{a}')@[0,∞) ('')@[1,3)")
NUMBERS = parse("interval(x int): (4)@[0,∞) (7)@[1,3)")
PLAN, OTHER = "S(x str)", "S(x str) | window(range 2)"


def found(*plans: str, right: str = "{}") -> Counterexample:
    return Counterexample(tuple(map(parse_plan, plans)), {"S": S}, 3, Multiset(), parse(right))


CALLS = Counterexample(
    (parse_plan("S(x int) | filter(even(x))", KNOWN_FUNCTIONS),), {"S": NUMBERS}, 1, Multiset(), Multiset()
)
FAULT = EngineFault(parse_plan("S(x int) | distinct"), {"S": NUMBERS}, 3, "Raises", "ValueError: no")


@pytest.mark.parametrize(
    ("case", "engine", "equivalence", "passed"),
    [
        (found(PLAN, OTHER), None, "snapshot-multiset", 0),
        (found(PLAN, PLAN), None, "snapshot-multiset", 1),
        (found("S(x str) | distinct", "S(x str) | filter(x <> '') | window(range 2)"), None, "snapshot-set", 1),
        (found(OTHER), "interval", "snapshot-multiset", 1),
        (found(PLAN, right="{('')}"), None, "snapshot-multiset", 0),
        (CALLS, "interval", "snapshot-multiset", 1),
        (FAULT, "interval", "snapshot-multiset", 1),
    ],
)
def test_it_runs_as_it_is(
    case: Counterexample | EngineFault,
    engine: str | None,
    equivalence: Equivalence,
    passed: int,
    pytester: pytest.Pytester,
) -> None:
    pytester.makepyfile(as_test(case, name="Größe 3!", engine=engine, equivalence=equivalence))
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", "-W", "error")
    result.assert_outcomes(passed=passed, failed=1 - passed)
    if not passed:
        result.stdout.fnmatch_lines(["*assert left == right*"])


@pytest.mark.parametrize(
    ("case", "engine", "names"),
    [
        (found(PLAN, OTHER), None, "evaluate, parse, parse_plan"),
        (found(PLAN), "interval", "evaluate, load_engine, parse, parse_plan, run_engine"),
        (CALLS, None, "GENERATED_FUNCTIONS, evaluate, parse, parse_plan"),
        (FAULT, "interval", "read_case, read_json, replay"),
    ],
)
def test_it_imports_public_names_only(case: Counterexample | EngineFault, engine: str | None, names: str) -> None:
    imports = [line for line in as_test(case, engine=engine).splitlines() if "import" in line]
    assert imports == [f"from snapeq import {names}"]


SAVED_EARLIER = {
    "test_plans.py": """\
from semantics import evaluate, parse, parse_plan


def test_two_plans() -> None:
    streams = {
        'S': parse('interval(x int): (4)@[0,∞) (7)@[1,3)'),
    }
    left = evaluate(parse_plan('S(x int)'), streams, horizon=2).at(1)
    right = evaluate(parse_plan('S(x int) | distinct'), streams, horizon=2).at(1)
    assert left == right
""",
    "test_engine.py": """\
from equivalence.engines import load_engine, run_engine
from equivalence.generate.functions import KNOWN
from semantics import evaluate, parse, parse_plan


def test_filter() -> None:
    streams = {
        'S': parse('interval(x int): (4)@[0,∞) (7)@[1,3)'),
    }
    plan = parse_plan('S(x int) | filter(even(x))', KNOWN)
    left = evaluate(plan, streams, horizon=2).at(1)
    right = run_engine(load_engine('interval'), plan, streams, 2).at(1)
    assert left == right
""",
    "test_replay.py": """\
from equivalence.replay import replay
from equivalence.report.document import read_case
from equivalence.report.reading import read_json


def test_raises() -> None:
    case = read_case(read_json('{"verdict": "refuted", "evidence": {}, "counterexample": \
{"streams": {"S": [[4, 0, null], [7, 1, 3]]}, \
"plans": ["S(x int) | distinct"], "instant": null, "left": null, "right": null, \
"fault": "Raises", "message": "ValueError: no", "horizon": 3}}'))
    assert replay(case, 'interval').holds
""",
}
"""Tests as they were written before modules had the names of today."""


def test_tests_that_were_saved_earlier_still_run(pytester: pytest.Pytester) -> None:
    for name, text in SAVED_EARLIER.items():
        (pytester.path / name).write_text(text, encoding="utf-8")
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", "-W", "error")
    result.assert_outcomes(passed=len(SAVED_EARLIER))
