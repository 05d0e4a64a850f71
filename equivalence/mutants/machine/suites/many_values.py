"""Expressions over many rows of all types: a function or cast shows most of its ways on one batch of values."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from equivalence.cases.choices import SeededChoices
from equivalence.cases.situations import SITUATIONS
from equivalence.conformance.attempts import attempt_in
from equivalence.conformance.subject.in_process import AnyEngine, InProcess
from equivalence.conformance.subject.time_limit import Unguarded
from equivalence.mutants.machine.suites.engine_cases import can_be_listed, wrong_of
from equivalence.mutants.machine.trial import Suite, Trial
from semantics.plan import Map

ROWS: Final = 24
TYPED: Final = tuple(
    replace(SITUATIONS[name], depth=1, least=ROWS, largest=2 * ROWS, delivery="whole")
    for name in ("functions", "types", "functions of arrays and rows")
)


def many_values_of(engine: AnyEngine) -> Suite:
    """Maps of functions, casts and comparisons."""

    def trials(seed: int, size: int) -> Iterator[Trial]:
        subject = InProcess(engine, guard=Unguarded(0))
        for number in range(size):
            choices = SeededChoices(f"many values/{seed}/{number}")
            attempt = attempt_in(choices, Map, choices.of(TYPED))
            if can_be_listed(attempt):
                yield Trial(f"{engine.name} many values", number, partial(wrong_of, subject, attempt))

    return trials
