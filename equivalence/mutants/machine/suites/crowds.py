"""Cases of some dozen elements that live side by side: on fewer, the heaps, chains and trees of kernels do little."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from equivalence.cases.choices import Choices, SeededChoices
from equivalence.cases.delivery import WHOLE, Delivery
from equivalence.cases.dimensions.dimension import JOINS, WINDOWED
from equivalence.cases.plan_shapes import JoinConditions, ManyAggregates, OneArgument
from equivalence.cases.random_plans import OPERATORS
from equivalence.cases.schedules import DISORDER_SLACK, choose_schedule
from equivalence.cases.situations import SITUATIONS, ChooseSpan, Situation, choose_in_situation
from equivalence.conformance.judge import Attempt
from equivalence.conformance.subject.in_process import AnyEngine, InProcess
from equivalence.conformance.subject.results import elements, snapshots
from equivalence.conformance.subject.time_limit import Unguarded
from equivalence.mutants.machine.suites.engine_cases import can_be_listed, wrong_of
from equivalence.mutants.machine.suites.settling import settles
from equivalence.mutants.machine.trial import Suite, Trial
from physical.engines.interval.run_plan import run
from semantics import FOREVER, Interval, IntervalStream, Plan, Stream
from semantics.constraint import elements_of
from semantics.stream import IntervalElement

VALUES: Final = ("plain", "nulls", "ties", "floats", "extremes", "aggregates", "neighbours", "sharing", "expressions")
"""Situations whose plans and values are taken; their elements are not."""
LAST_START: Final = 20
HORIZON: Final = 40
STRETCH: Final = 1 << 40


def crowds_of(engine: AnyEngine) -> Suite:
    """Every operator in turn, over crowded streams, at once or in batches."""

    def trials(seed: int, size: int) -> Iterator[Trial]:
        subject = InProcess(engine, guard=Unguarded(0))
        operators = sorted(OPERATORS, key=lambda operator: operator.__name__)
        for number in range(size):
            choices = SeededChoices(f"crowds/{seed}/{number}")
            attempt = _an_attempt(choices, operators[number % len(operators)])
            if choices.chance(1, 6) and not any(type(node) in WINDOWED for node in attempt.plan.walk()):
                attempt = _stretched(attempt)
            if can_be_listed(attempt) and not _overflows_in_a_join(attempt):
                yield Trial(f"{engine.name} crowds", number, partial(wrong_of, subject, attempt))

    return trials


def _overflows_in_a_join(attempt: Attempt) -> bool:
    """Then an engine may have a result: it does not test pairs that an index rules out."""
    return attempt.expected is None and any(type(node) in JOINS for node in attempt.plan.walk())


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
        attempt = _an_attempt(SeededChoices(f"endless runs/{seed}/{number}"), operators[number % len(operators)])
        if can_be_listed(attempt) and attempt.expected is not None and settles(attempt.plan, attempt.case):
            yield Trial("endless runs", number, partial(_wrong_without_horizon, attempt))


def _wrong_without_horizon(attempt: Attempt) -> str | None:
    found = elements(run(attempt.plan, attempt.case), attempt.plan.schema)
    return None if snapshots(found, HORIZON) == attempt.expected else "differs without a horizon"


def _an_attempt(choices: Choices, operator: type[Plan]) -> Attempt:
    fitting = [s for name in VALUES if (s := SITUATIONS[name]).operators is None or operator in s.operators]
    situation = _crowded(choices, choices.of(fitting))
    if operator in JOINS and choices.chance(2, 3):
        situation = replace(situation, shape=JoinConditions)
    plan, case = choose_in_situation(choices, situation, operator)
    slack = choices.of((0, 0, DISORDER_SLACK))
    schedule = choose_schedule(choices, case, slack=slack, largest=choices.of((4, 12, 40)))
    delivery = Delivery(schedule=schedule, slack=slack) if choices.chance(1, 2) else WHOLE
    return Attempt(plan, case, HORIZON, delivery)


def _crowded(choices: Choices, situation: Situation) -> Situation:
    """The situation with more elements, of which most repeat a row; when they are valid is chosen for a whole case."""
    spans = (_of_any_length, _of_length(choices.between(1, 9)), _in_bursts)
    least = choices.of((16, 8, 32))
    shape = OneArgument if situation.shape is ManyAggregates and choices.chance(1, 2) else situation.shape
    again, span = choices.of((6, 3, 7)), choices.of(spans)
    return replace(situation, least=least, largest=least + 8, again=again, span=span, shape=shape)


def _of_any_length(choices: Choices, before: IntervalElement | None) -> Interval:
    start = choices.below(LAST_START)
    if choices.chance(1, 16):
        return Interval(start, FOREVER)
    return Interval(start, start + choices.between(1, 12))


def _of_length(length: int) -> ChooseSpan:
    """As behind a window: elements end in the order in which they start."""

    def span(choices: Choices, before: IntervalElement | None) -> Interval:
        start = choices.below(LAST_START)
        return Interval(start, start + length)

    return span


def _in_bursts(choices: Choices, before: IntervalElement | None) -> Interval:
    start = choices.of((0, 1, 9, 10))
    return Interval(start, start + choices.between(1, 12))
