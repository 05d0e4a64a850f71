"""Cases of the conformance suite, each with what the reference says."""

from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Final

from equivalence.cases.choices import SeededChoices
from equivalence.conformance.attempts import attempt_in, cells_of, endless_cells
from equivalence.conformance.covering_cases import covering_attempts
from equivalence.conformance.judge import Attempt, judge
from equivalence.conformance.subject.history import History
from equivalence.conformance.subject.in_process import AnyEngine, InProcess
from equivalence.conformance.subject.time_limit import Unguarded
from equivalence.mutants.machine.trial import Suite, Trial
from equivalence.verdicts.finding import Finding
from physical.kernels.jit import NUMBERS_BEFORE_NUMBA, loading
from semantics import TooManyChanges
from semantics.constraint import elements_of

FEW_ELEMENTS: Final = 800
SHARE_OF_LARGE_CASES: Final = 8
MOST_ROWS: Final = 5_000


def cases_of(engine: AnyEngine) -> Suite:
    """The cases that `conform` would give this engine, in its order."""

    def trials(seed: int, size: int) -> Iterator[Trial]:
        subject = InProcess(engine, guard=Unguarded(0))
        for number, attempt in enumerate(_attempts(subject, seed, size)):
            if can_be_listed(attempt):
                yield Trial(f"{engine.name} cases", number, partial(wrong_of, subject, attempt))

    return trials


def covering_cases_of(engine: AnyEngine) -> Suite:
    """The cases that cover all pairs of dimensions, with which `conform` begins."""

    def trials(seed: int, size: int) -> Iterator[Trial]:
        subject = InProcess(engine, guard=Unguarded(0))
        attempts = islice(covering_attempts(subject.sessions, seed), size)
        for number, (_, attempt) in enumerate(attempts):
            if _is_cheap(attempt, number) and can_be_listed(attempt):
                yield Trial(f"{engine.name} dimensions", number, partial(wrong_of, subject, attempt))

    return trials


def cases_without_numba(engine: AnyEngine) -> Suite:
    """The same cases while numba is not loaded yet, so that numpy does what it can do as well."""

    def trials(seed: int, size: int) -> Iterator[Trial]:
        for trial in cases_of(engine)(seed, size):
            yield Trial(f"{trial.suite} without numba", trial.number, partial(_before_numba, trial))

    return trials


def _attempts(subject: InProcess, seed: int, size: int) -> Iterator[Attempt]:
    for number, (operator, situation) in enumerate(islice(endless_cells(cells_of(subject), seed), size)):
        yield attempt_in(SeededChoices(f"{seed}/{number}"), operator, situation)


def _is_cheap(attempt: Attempt, number: int) -> bool:
    """Has it few elements? Of those with many only some are tried, since they take most of the time."""
    elements = sum(len(elements_of(stream)) for stream in attempt.case.values())
    return elements <= FEW_ELEMENTS or number % SHARE_OF_LARGE_CASES == 0


def can_be_listed(attempt: Attempt) -> bool:
    """Compute what is right, which is kept; False if it is so much that comparing it would take most of the time."""
    try:
        return attempt.expected is None or _rows(attempt.expected) <= MOST_ROWS
    except TooManyChanges:
        return False


def _rows(history: History) -> int:
    """The rows of all snapshots, or of all runs."""
    return sum(map(len, history)) if isinstance(history, tuple) else sum(n for _, _, n in history.runs)


def wrong_of(subject: InProcess, attempt: Attempt) -> str | None:
    """What is wrong with what an engine makes of a case."""
    outcome = judge(subject, attempt, blaming=False)
    return f"{outcome.name}: {outcome.message}"[:200] if isinstance(outcome, Finding) else None


def _before_numba(trial: Trial) -> str | None:
    loading.left = NUMBERS_BEFORE_NUMBA
    try:
        return trial.wrong()
    finally:
        loading.left = 0
