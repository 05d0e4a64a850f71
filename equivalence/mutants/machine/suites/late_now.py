"""Now in all operators that may ask for it, and at instants so late that sums with it leave 64 bits."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from equivalence.cases.choices import SeededChoices
from equivalence.cases.situations import ASKING, NOW_LATE, SITUATIONS
from equivalence.conformance.attempts import attempt_in
from equivalence.conformance.subject.in_process import AnyEngine, InProcess
from equivalence.conformance.subject.time_limit import Unguarded
from equivalence.mutants.machine.suites.engine_cases import can_be_listed, wrong_of
from equivalence.mutants.machine.trial import Suite, Trial
from semantics.plan import Filter, Map

ASKING_FOR_NOW: Final = tuple(situation for situation in SITUATIONS.values() if situation.asks_for_now)
IN_TURN: Final = tuple(sorted(ASKING, key=lambda operator: operator.__name__))


def now_of(engine: AnyEngine) -> Suite:
    """Each operator that may ask for now in turn, in the situations in which it does."""

    def trials(seed: int, size: int) -> Iterator[Trial]:
        subject = InProcess(engine, guard=Unguarded(0))
        for number in range(size):
            choices = SeededChoices(f"now/{seed}/{number}")
            operator = IN_TURN[number % len(IN_TURN)]
            possible = [s for s in ASKING_FOR_NOW if s.operators is None or operator in s.operators]
            attempt = attempt_in(choices, operator, choices.of(possible))
            if attempt.plan.mentions_now and can_be_listed(attempt):
                yield Trial(f"{engine.name} now", number, partial(wrong_of, subject, attempt))

    return trials


def late_now_of(engine: AnyEngine) -> Suite:
    """Filters and maps that ask for it, over rows that last."""

    def trials(seed: int, size: int) -> Iterator[Trial]:
        subject = InProcess(engine, guard=Unguarded(0))
        for number in range(size):
            choices = SeededChoices(f"late now/{seed}/{number}")
            attempt = attempt_in(choices, choices.of((Filter, Map)), NOW_LATE)
            if can_be_listed(attempt):
                yield Trial(f"{engine.name} late now", number, partial(wrong_of, subject, attempt))

    return trials
