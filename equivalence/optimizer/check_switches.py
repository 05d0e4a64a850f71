"""May what an optimizer makes of a plan take over from it in mid-stream, at any instant?

A session runs the plan over streams that come piece by piece, and changes to the optimizer's plan at an instant that is
chosen at random. Its results must be those of the plan alone, as the reference sees them, and none may come later than
without the change.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from equivalence.cases.choices import Choices, SeededChoices
from equivalence.cases.random_cases import Case, choose_case
from equivalence.cases.reduce_case import REDUCTION_TRIALS, reduced
from equivalence.optimizer.optimizer_fault import Optimizer, OptimizerFault, answered
from equivalence.rules.instances import Instance
from equivalence.verdicts.counterexample import Counterexample
from equivalence.verdicts.verdict import Verdict
from physical.columns.stream import PhysicalStream, joined
from physical.engines.interval.algebra import interval_graph
from physical.runtime.graph_session import GraphSession
from semantics import ArithmeticOverflow, Interval, IntervalStream, Plan, Schema, SnapeqError, WindowError, evaluate
from semantics.constraint import elements_of

SWITCHES_NEEDED: Final = 50
"""Switches with results that held rows; fewer of them are no reason to say that all is well."""
LAST_INSTANT: Final = 24
"""What happens later is not looked at."""
LONGEST: Final = 8
"""How long a row lives that comes around the switch, and how much later it may come."""

MakeSession = Callable[[dict[str, Schema]], GraphSession]


def interval_session(sources: dict[str, Schema]) -> GraphSession:
    """The session whose switches are tried, unless another one is given."""
    return GraphSession(sources, interval_graph)


@dataclass(frozen=True)
class SwitchFault:
    """How a switch went wrong: the plans, the streams, when the session was told to change, and what is wrong."""

    plans: tuple[Plan, Plan]
    case: Case
    at: int
    kind: str
    counterexample: Counterexample | None = None

    def __str__(self) -> str:
        told = f"the plan changed at {self.at}: {self.kind}"
        return told if self.counterexample is None else f"{told}\n{self.counterexample}"


@dataclass(frozen=True)
class _Run:
    """What a session gave out, and how much of the past was out at each instant."""

    result: PhysicalStream
    out: tuple[int, ...]


def check_switches(
    optimizer: Optimizer,
    generate: Callable[[Choices], Instance],
    *,
    examples: int,
    seed: int = 0,
    session: MakeSession = interval_session,
    trials: int = REDUCTION_TRIALS,
) -> Verdict:
    """Change plans for what the optimizer makes of them, in the middle of random streams."""
    tally: Counter[str] = Counter()
    for number in range(examples):
        choices = SeededChoices(f"{seed}/switch/{number}")
        outcome = _tried(choices, generate(choices), optimizer, session, trials)
        if isinstance(outcome, SwitchFault):
            evidence = {"how": "sampled", "cases": number + 1, "finding": "WrongSwitch", "error": str(outcome)}
            return Verdict("refuted", {**evidence, "seed": seed}, outcome.counterexample)
        tally[outcome] += 1
    evidence = {"how": "sampled", "cases": examples, **tally, "seed": seed}
    if tally["switched"] >= SWITCHES_NEEDED:
        return Verdict("agreed", evidence)
    why = f"only {tally['switched']} switches had results with rows, {SWITCHES_NEEDED} are needed"
    return Verdict("unknown" if tally["switched"] else "vacuous", {**evidence, "why": why})


def _tried(
    choices: Choices, instance: Instance, optimizer: Optimizer, session: MakeSession, trials: int
) -> SwitchFault | str:
    """One switch; a word, if nothing is wrong with it."""
    plan = instance.left
    answer = answered(optimizer, plan)
    if isinstance(answer, OptimizerFault) or not hasattr(answer, "plan"):
        return "unchanged"
    plans = plan, answer.plan
    case = _ending(choose_case(choices, plan.sources(), instance.constraints, awkward=False))
    at = choices.between(0, LAST_INSTANT // 2)
    if not instance.constraints:
        case = {name: _around(choices, stream, at) for name, stream in case.items()}
    try:
        fault = _fault(plans, case, at, session)
    except WindowError:
        return "no switch possible"
    except (SnapeqError, ArithmeticOverflow):
        return "not run"
    if not isinstance(fault, SwitchFault):
        return "switched" if fault else "no rows"
    return reduced(lambda smaller: _again(plans, smaller, at, session), case, fault, instance.constraints, trials)


def _again(plans: tuple[Plan, Plan], case: Case, at: int, session: MakeSession) -> SwitchFault | None:
    try:
        found = _fault(plans, case, at, session)
    except SnapeqError:
        return None
    return found if isinstance(found, SwitchFault) else None


def _fault(plans: tuple[Plan, Plan], case: Case, at: int, session: MakeSession) -> SwitchFault | bool:
    """What is wrong; else, was there any row?"""
    alone = _run(session, plans[0], case, None, at)
    changed = _run(session, plans[0], case, plans[1], at)
    expected = evaluate(plans[0], _whole(case), LAST_INSTANT)
    got = changed.result.to_logical(LAST_INSTANT)
    for instant in range(LAST_INSTANT):
        if expected.at(instant) != got.at(instant):
            seen = Counterexample(plans, case, instant, expected.at(instant), got.at(instant))
            return SwitchFault(plans, case, at, "results are lost, or come twice", seen)
    if any(mine < theirs for mine, theirs in zip(changed.out, alone.out, strict=True)):
        return SwitchFault(plans, case, at, "results come later than without the change")
    return any(len(expected.at(instant)) for instant in range(LAST_INSTANT))


def _around(choices: Choices, stream: IntervalStream, at: int) -> IntervalStream:
    """Some rows come again around the switch: the old plan must have rows that live on when the new one takes over."""
    starts = [max(0, at + shift) for shift in (-1, 0, 0, choices.between(1, LONGEST))] if stream.elements else []
    again = [(choices.of(stream.elements)[0], Interval(start, start + choices.between(1, LONGEST))) for start in starts]
    return IntervalStream(stream.schema, sorted([*stream.elements, *again], key=lambda element: element[1].start))


def _ending(case: Case) -> dict[str, IntervalStream]:
    """The part of a case that is looked at: what is valid for ever could never be taken over."""
    return {
        name: IntervalStream(
            stream.schema,
            [
                (row, Interval(valid.start, min(valid.end, LAST_INSTANT)))
                for row, valid in elements_of(stream)
                if valid.start < LAST_INSTANT
            ],
        )
        for name, stream in case.items()
    }


def _whole(case: Case) -> Mapping[str, IntervalStream]:
    return {name: IntervalStream(stream.schema, elements_of(stream)) for name, stream in case.items()}


def _run(session: MakeSession, plan: Plan, case: Case, successor: Plan | None, at: int) -> _Run:
    """All elements, instant by instant; at one of them another plan takes over."""
    running = session(dict(plan.sources()))
    results: list[PhysicalStream] = []
    out = []
    running.add("q", plan)
    running.subscribe("q", results.append)
    for t in range(LAST_INSTANT):
        if t == at and successor is not None:
            running.migrate("q", successor)
        for name, stream in _whole(case).items():
            due = [element for element in stream.elements if element[1].start == t]
            if due and name in running.entrances:
                running.push(name, IntervalStream(stream.schema, due))
        running.heartbeat(t + 1)
        out.append(sum(int((np.minimum(batch.end, t + 1) - batch.start).clip(0).sum()) for batch in results))
    running.close()
    return _Run(joined([PhysicalStream.empty(plan.schema), *results]), tuple(out))
