"""Situations that other suites had alone before: crowds, few keys in step, numbers that are made for each other."""

import pytest

from equivalence.cases.choices import SeededChoices
from equivalence.cases.random_plans import OPERATORS
from equivalence.cases.situations import SITUATIONS
from equivalence.conformance.judge import judge
from equivalence.conformance.subject.in_process import InProcess
from equivalence.conformance.suite import attempt_in
from equivalence.verdicts.finding import Finding
from physical.engine import ENGINES
from physical.engines.interval.engine import IntervalEngine
from semantics import Plan
from tests.equivalence.conformance.boundary_bugs import BOUNDARY_BUGS, FLOAT_SUM_BUGS

NEW = (
    "crowds",
    "crowds in batches",
    "few keys in step",
    "numbers",
    "numbers in step",
    "edges",
    "computing predicates",
    "computing conditions",
)


def findings(engine: object, name: str, operators: list[type[Plan]], cases: int) -> list[Finding]:
    situation = SITUATIONS[name]
    fitting = [o for o in operators if situation.operators is None or o in situation.operators]
    with InProcess(engine) as subject:  # type: ignore[arg-type]  # any object that has what an engine has
        attempts = (
            attempt_in(SeededChoices(f"{name}/{i}"), fitting[i % len(fitting)], situation) for i in range(cases)
        )
        return [found for a in attempts if isinstance(found := judge(subject, a, blaming=False), Finding)]


@pytest.mark.parametrize("engine", [name for name in ENGINES if name != "reevaluation"])
@pytest.mark.parametrize("name", NEW)
def test_differential_our_engines_are_right_in_the_new_situations(engine: str, name: str) -> None:
    assert findings(ENGINES[engine], name, list(OPERATORS), 22) == []


@pytest.mark.parametrize("name", FLOAT_SUM_BUGS)
def test_what_enters_a_sum_has_to_leave_it_again(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(*FLOAT_SUM_BUGS[name])
    assert findings(IntervalEngine(), "numbers in step", list(OPERATORS), 72)


@pytest.mark.parametrize("name", ["row join drops two", "row grouping forgets the last", "semijoin forgets"])
def test_few_keys_in_step_catch_what_goes_too_early(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    operator, patch = BOUNDARY_BUGS[name]
    monkeypatch.setattr(*patch)
    assert findings(IntervalEngine(), "few keys in step", [operator], 24)
