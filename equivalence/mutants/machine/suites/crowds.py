"""Cases of the situations with crowds, some with much time between any two instants, and whole runs without a horizon."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from equivalence.cases.choices import SeededChoices
from equivalence.cases.crowds import HORIZON
from equivalence.cases.dimensions.dimension import WINDOWED
from equivalence.cases.random_plans import OPERATORS
from equivalence.cases.situations import SITUATIONS
from equivalence.conformance.attempts import attempt_in
from equivalence.conformance.judge import Attempt
from equivalence.conformance.subject.in_process import AnyEngine, InProcess
from equivalence.conformance.subject.results import elements, snapshots
from equivalence.conformance.subject.time_limit import Unguarded
from equivalence.mutants.machine.suites.engine_cases import can_be_listed, wrong_of
from equivalence.mutants.machine.suites.settling import settles
from equivalence.mutants.machine.trial import Suite, Trial
from physical.engines.interval.run_plan import run
from semantics import Interval, IntervalStream, Stream
from semantics.constraint import elements_of

CROWDS: Final = tuple(SITUATIONS[name] for name in ("crowds", "crowds in batches", "few keys in step"))
STRETCH: Final = 1 << 40


def crowds_of(engine: AnyEngine) -> Suite:
    """Every operator in turn, over crowded streams, at once, in batches and one by one."""

    def trials(seed: int, size: int) -> Iterator[Trial]:
        subject = InProcess(engine, guard=Unguarded(0))
        operators = sorted(OPERATORS, key=lambda operator: operator.__name__)
        for number in range(size):
            choices = SeededChoices(f"crowds/{seed}/{number}")
            attempt = attempt_in(choices, operators[number % len(operators)], choices.of(CROWDS))
            if choices.chance(1, 6) and not any(type(node) in WINDOWED for node in attempt.plan.walk()):
                attempt = _stretched(attempt)
            if can_be_listed(attempt):
                yield Trial(f"{engine.name} crowds", number, partial(wrong_of, subject, attempt))

    return trials


def _stretched(attempt: Attempt) -> Attempt:
    """The same with much time between any two instants, at once."""
    case = {name: _stretched_stream(stream) for name, stream in attempt.case.items()}
    return Attempt(attempt.plan, case, attempt.horizon * STRETCH)


def _stretched_stream(stream: Stream) -> IntervalStream:
    spans = [(row, Interval(i.start * STRETCH, i.end * STRETCH)) for row, i in elements_of(stream)]
    return IntervalStream(stream.schema, spans)


def endless_runs(seed: int, size: int) -> Iterator[Trial]:
    """Whole runs of the interval engine that nobody tells when to stop."""
    operators = sorted(OPERATORS, key=lambda operator: operator.__name__)
    for number in range(size):
        choices = SeededChoices(f"endless runs/{seed}/{number}")
        attempt = attempt_in(choices, operators[number % len(operators)], CROWDS[0])
        if can_be_listed(attempt) and attempt.expected is not None and settles(attempt.plan, attempt.case):
            yield Trial("endless runs", number, partial(_wrong_without_horizon, attempt))


def _wrong_without_horizon(attempt: Attempt) -> str | None:
    found = elements(run(attempt.plan, attempt.case), attempt.plan.schema)
    return None if snapshots(found, HORIZON) == attempt.expected else "differs without a horizon"
