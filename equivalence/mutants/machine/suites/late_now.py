"""Now at instants so late that sums with it leave 64 bits."""

from collections.abc import Iterator
from functools import partial

from equivalence.cases.choices import SeededChoices
from equivalence.cases.situations import NOW_LATE
from equivalence.conformance.attempts import attempt_in
from equivalence.conformance.subject.in_process import AnyEngine, InProcess
from equivalence.conformance.subject.time_limit import Unguarded
from equivalence.mutants.machine.suites.engine_cases import can_be_listed, wrong_of
from equivalence.mutants.machine.trial import Suite, Trial
from semantics.plan import Filter, Map


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
