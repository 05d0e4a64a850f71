"""Situations that other suites had alone before: crowds, few keys in step, numbers that are made for each other."""

import numpy as np
import pytest

from equivalence.cases.choices import SeededChoices
from equivalence.cases.random_plans import OPERATORS
from equivalence.cases.situation import choose_in_situation, with_types
from equivalence.cases.situations import SITUATIONS
from equivalence.conformance.attempts import attempt_in
from equivalence.conformance.judge import judge
from equivalence.conformance.subject.in_process import InProcess
from equivalence.verdicts.finding import Finding
from physical.engine import ENGINES
from physical.engines.incremental import finish_aggregates
from physical.engines.interval.engine import IntervalEngine
from physical.kernels.partial_aggregates import exact_sums
from physical.kernels.types import Array, Ints
from semantics import Plan, Type
from semantics.plan import Grouping
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


def test_the_smallest_number_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its last bit is its only one."""

    def without(own: Ints, count: int, bits: Ints, divisors: Ints) -> Array:
        return exact_sums(own, count, np.where(bits == 1, 0, bits), divisors)

    monkeypatch.setattr(finish_aggregates, "exact_sums", without)
    assert findings(ENGINES["incremental"], "numbers", list(OPERATORS), 72)


@pytest.mark.parametrize("name", ["numbers", "numbers in step"])
def test_an_engine_without_floats_gets_sums_of_integers(name: str) -> None:
    situation = with_types(SITUATIONS[name], frozenset({Type.INT, Type.BOOL}))
    plans = [choose_in_situation(SeededChoices(f"{name}/{i}"), situation, Grouping)[0] for i in range(20)]
    assert not any(Type.FLOAT in source.types for plan in plans for source in plan.sources().values())


@pytest.mark.parametrize("name", ["row join drops two", "row grouping forgets the last", "semijoin forgets"])
def test_few_keys_in_step_catch_what_goes_too_early(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    operator, patch = BOUNDARY_BUGS[name]
    monkeypatch.setattr(*patch)
    assert findings(IntervalEngine(), "few keys in step", [operator], 24)
