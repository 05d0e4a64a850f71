"""Mutations of a tiny module in forked processes: planted kills and planted survivors."""

import signal
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from equivalence.mutants.machine.fork_server import Note, Result, run_forked
from equivalence.mutants.machine.laboratory import Laboratory
from equivalence.mutants.machine.live_code import LiveCode
from equivalence.mutants.machine.outcome import MutantOutcome
from equivalence.mutants.machine.reach import Reach, RightCodeFails
from equivalence.mutants.machine.syntax_mutations import SyntaxMutation, mutations_of
from equivalence.mutants.machine.trial import Trial
from tests.equivalence.mutants.machine import example

MODULE = example.__name__
MUTATIONS = list(mutations_of(MODULE, Path(example.__file__).read_text(encoding="utf-8")))


def differs(name: str, argument: int, expected: object) -> str | None:
    found = getattr(example, name)(argument)
    return None if found == expected else f"{found} for {expected}"


def trials() -> Iterator[Trial]:
    calls = [
        ("below", 2, True),
        ("below", 3, False),
        ("far_below", 5, True),
        ("countdown", 2, 0),
        ("ended_by", 7, None),
        ("stepped", 6, 7),
        ("raised", 7, 8),
        ("quartered", 8, 2),
    ]
    for number, (name, argument, expected) in enumerate(calls):
        yield Trial("example", number, partial(differs, name, argument, expected))


@pytest.fixture(scope="module")
def laboratory() -> Laboratory:
    reach = Reach(files=frozenset({str(example.__file__)}))
    for trial in trials():
        reach.add(trial)
    return Laboratory(replace(reach), LiveCode.found((MODULE,)))


def mutation(function: str, kind: str, after: str) -> SyntaxMutation:
    (found,) = (m for m in MUTATIONS if (m.function, m.kind, m.after) == (function, kind, after))
    return found


def outcome(laboratory: Laboratory, *what: str) -> MutantOutcome:
    (found,) = laboratory.outcomes([mutation(*what)])
    return found


def test_a_planted_fault_that_a_trial_sees_is_killed(laboratory: Laboratory) -> None:
    found = outcome(laboratory, "below", "boundary", "x <= LIMIT")
    assert (found.status, found.by, found.finding, found.trials) == ("killed", "example 1", "True for False", 2)


def test_a_planted_fault_that_no_trial_sees_survives(laboratory: Laboratory) -> None:
    found = outcome(laboratory, "far_below", "boundary", "x <= 100")
    assert (found.status, found.trials) == ("survived", 1)


def test_a_function_that_no_trial_calls_is_not_reached(laboratory: Laboratory) -> None:
    assert outcome(laboratory, "never_called", "boundary", "x <= LIMIT").status == "not reached"


def test_a_constant_of_a_module_is_another_wherever_it_is_used(laboratory: Laboratory) -> None:
    found = outcome(laboratory, "", "constant", "4")
    assert (found.status, found.by) == ("killed", "example 1")


def test_an_attribute_of_a_class_is_another(laboratory: Laboratory) -> None:
    found = outcome(laboratory, "Step", "constant", "2")
    assert (found.status, found.finding) == ("killed", "8 for 7")


def test_a_default_value_is_another(laboratory: Laboratory) -> None:
    found = outcome(laboratory, "raised", "constant", "2")
    assert (found.status, found.finding) == ("killed", "9 for 8")


def test_what_cannot_even_be_loaded_is_killed(laboratory: Laboratory) -> None:
    found = outcome(laboratory, "", "constant", "0")
    assert (found.status, found.by, found.finding[:17]) == ("killed", "loading 0", "ZeroDivisionError")


def test_a_mutant_that_never_ends_is_killed_by_its_cpu_time(laboratory: Laboratory) -> None:
    endless = [m for m in MUTATIONS if (m.function, m.before, m.after) == ("countdown", "n -= 1", "pass")]
    assert [(found.status, found.finding) for found in laboratory.outcomes(endless)] == [("killed", "takes too long")]


def test_a_mutant_that_crashes_is_killed_by_its_signal(laboratory: Laboratory) -> None:
    found = outcome(laboratory, "ended_by", "negated comparison", "number != 0")
    assert (found.status, found.finding) == ("killed", f"signal {signal.SIGUSR1:d}")


def test_the_right_code_is_as_it_was_after_all_that(laboratory: Laboratory) -> None:
    mutations = [m for m in MUTATIONS if m.function in ("below", "far_below")]
    assert len(list(laboratory.outcomes(mutations, processes=2))) == len(mutations)
    assert [trial.finding() for trial in trials()] == [None] * 8


def test_right_code_that_fails_a_trial_is_no_judge() -> None:
    with pytest.raises(RightCodeFails, match="example 0: False for True"):
        Reach().add(Trial("example", 0, partial(differs, "below", 3, True)))


def work(item: int, note: Note) -> Result:
    note(item)
    if item == 2:
        signal.raise_signal(signal.SIGUSR1)
    if item == 3:
        raise ValueError("three")
    return {"item": item}


def test_children_end_with_a_result_a_signal_or_an_error() -> None:
    ended = {end.item: end for end in run_forked([1, 2, 3], work, processes=2)}
    assert ended[1].result == {"item": 1}
    assert (ended[2].result, ended[2].signal, ended[2].noted) == (None, signal.SIGUSR1, 2)
    assert ended[3].result == {"failed": "ValueError: three"}
