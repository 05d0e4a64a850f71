"""Many cases of raw streams in one run of Spark's event-time operators, judged by the reference."""

from equivalence.cases.case_column import lift, lift_cases, unlift
from equivalence.cases.choices import SeededChoices
from equivalence.cases.random_cases import CASE_HORIZON, Case
from equivalence.cases.situation import choose_case_in
from equivalence.cases.situations import SITUATIONS
from physical.adapters.spark.event_time_engine import SparkEventTimeEngine
from semantics import LogicalStream, Plan, RawStream, Stream
from semantics.constraint import elements_of
from tests.physical.engines.spark.lifted import reference

WHOLE = [
    situation for situation in SITUATIONS.values() if situation.delivery == "whole" and situation.name != "silence"
]


def raw_cases(plan: Plan, number: int, seed: int = 0) -> list[Case]:
    """Cases for a plan, in all situations, without those in which integers overflow."""
    drawn = [_raw_case(plan, SeededChoices(f"{seed}/{i}"), i) for i in range(number)]
    return [case for case in drawn if reference(plan, case) is not None]


def _raw_case(plan: Plan, choices: SeededChoices, number: int) -> Case:
    case = choose_case_in(choices, WHOLE[number % len(WHOLE)], plan.sources())
    return {name: raw(stream) for name, stream in case.items()}


def raw(stream: Stream) -> RawStream:
    """Only the beginning of every element."""
    timed = [(row, interval.start) for row, interval in elements_of(stream) if interval.start < CASE_HORIZON]
    return RawStream(stream.schema, sorted(timed, key=lambda element: element[1]))


def together(engine: SparkEventTimeEngine, plan: Plan, cases: list[Case]) -> list[LogicalStream]:
    """What Spark says of each case, all in one run."""
    found = engine.run(lift(plan), lift_cases(plan, cases), CASE_HORIZON).to_logical(CASE_HORIZON)
    return list(unlift(found, plan.schema, len(cases)))


def wrong(engine: SparkEventTimeEngine, plan: Plan, cases: list[Case]) -> list[tuple[Case, LogicalStream]]:
    """The cases in which Spark is not right, with its answer."""
    pairs = zip(cases, together(engine, plan, cases), strict=True)
    return [(case, found) for case, found in pairs if found != reference(plan, case)]
