"""Cases of the conformance suite, each with what the reference says."""

from collections.abc import Iterator
from functools import partial
from itertools import islice

from equivalence.cases.choices import SeededChoices
from equivalence.conformance.judge import Attempt, judge
from equivalence.conformance.subject.in_process import AnyEngine, InProcess
from equivalence.conformance.subject.time_limit import Unguarded
from equivalence.conformance.suite import attempt_in, endless_cells
from equivalence.mutants.machine.trial import Suite, Trial
from equivalence.verdicts.finding import Finding
from physical.kernels.jit import NUMBERS_BEFORE_NUMBA, loading


def cases_of(engine: AnyEngine) -> Suite:
    """The cases that `conform` would give this engine, in its order."""

    def trials(seed: int, size: int) -> Iterator[Trial]:
        subject = InProcess(engine, guard=Unguarded(0))
        for number, attempt in enumerate(_attempts(subject, seed, size)):
            yield Trial(f"{engine.name} cases", number, partial(_wrong, subject, attempt))

    return trials


def cases_without_numba(engine: AnyEngine) -> Suite:
    """The same cases while numba is not loaded yet, so that numpy does what it can do as well."""

    def trials(seed: int, size: int) -> Iterator[Trial]:
        for trial in cases_of(engine)(seed, size):
            yield Trial(f"{trial.suite} without numba", trial.number, partial(_before_numba, trial))

    return trials


def _attempts(subject: InProcess, seed: int, size: int) -> Iterator[Attempt]:
    for number, (operator, situation) in enumerate(islice(endless_cells(subject, seed), size)):
        attempt = attempt_in(SeededChoices(f"{seed}/{number}"), operator, situation)
        attempt.expected  # noqa: B018  # computed here and kept
        yield attempt


def _wrong(subject: InProcess, attempt: Attempt) -> str | None:
    outcome = judge(subject, attempt, blaming=False)
    return f"{outcome.name}: {outcome.message}"[:200] if isinstance(outcome, Finding) else None


def _before_numba(trial: Trial) -> str | None:
    loading.left = NUMBERS_BEFORE_NUMBA
    try:
        return trial.wrong()
    finally:
        loading.left = 0
