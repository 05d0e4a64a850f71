"""Every deviation as a ready example of the playground: a query, a few rows, and what such an engine makes of them.

Where the deviation is another plan, both plans are shown; where it concerns rows on their way in or out, the second one
is a stream with what the engine has written.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, cast

from equivalence.cases.choices import SeededChoices
from equivalence.deviations.cells import differing_cells
from equivalence.deviations.deviation import Clue, Deviation, Variant
from equivalence.deviations.odd_operators import LooseWindow, OddOperator
from equivalence.deviations.outcome import Outcomes
from equivalence.deviations.random_situations import choose_situation
from equivalence.deviations.situation import Arrival, Input, Situation
from equivalence.recordings.recording import EveryInstant
from semantics import FOREVER, Plan, SnapeqError, show
from semantics.notation.json_values import exact_element
from semantics.plan import Source, TimeWindow
from semantics.sparse.row_steps import Counts, spans
from semantics.value import row_order
from snapeq import DEVIATIONS

ROWS: Final = (10, 20, 40)
"""As few as possible; some deviations need more."""
TRIES: Final = 300
WRITTEN: Final = "Written"
UNNAMED: Final = "deviating("
"""A function that only a wrong engine has."""
Example = dict[str, Any]


@dataclass(frozen=True)
class Shown:
    """A situation in which a deviation shows, and what comes of it."""

    situation: Situation
    variant: Variant
    right: Counts
    wrong: Counts


def deviation_examples() -> list[Example]:
    """One for every deviation that shows in a few rows."""
    found = ((deviation, _shown(deviation)) for deviation in DEVIATIONS)
    return [_example(shown) for _, shown in found if shown is not None]


def _shown(deviation: Deviation) -> Shown | None:
    """The first small situation in which it makes a difference, if there is one."""
    for rows in ROWS:
        for i in range(TRIES):
            situation = choose_situation(SeededChoices(f"example-{deviation.name}-{i}"), rows)
            if situation.lateness == "keep" and (deviation.knob == "lateness" or _is_continuous(situation)):
                judged = EveryInstant(max(situation.times, default=0) + 20)
                for shown in _differences(replace(situation, judged=judged), deviation):
                    return shown
    return None


def _is_continuous(situation: Situation) -> bool:
    return isinstance(situation.judged, EveryInstant)


def _differences(situation: Situation, deviation: Deviation) -> Iterator[Shown]:
    outcomes = Outcomes()
    try:
        right = outcomes.of(situation)
        suspects = tuple((name, 0) for name, given in situation.inputs.items() if given.arrivals)
        clue = Clue(first=max(situation.times, default=0), suspects=suspects)
        for variant in deviation.variants(situation, clue):
            wrong = outcomes.of(variant.applied(situation))
            if differing_cells(right, wrong):
                yield Shown(situation, variant, right, wrong)
    except SnapeqError:
        return


def _example(shown: Shown) -> Example:
    situation = shown.situation
    events = {name: _events(given) for name, given in situation.inputs.items()}
    wrong = _plain(shown.variant.applied(situation).plan) if shown.variant.deviation.stage == "plan" else None
    second = "" if wrong is None else show(wrong)
    if wrong is None or UNNAMED in second:
        second = show(Source(WRITTEN, situation.plan.schema))
        events[WRITTEN] = _written(shown.wrong)
    return {
        "title": f"Deviation: {shown.variant.name}",
        "queries": [{"text": text, "dialect": "snapeq"} for text in (show(situation.plan), second)],
        "events": events,
        "cursor": differing_cells(shown.right, shown.wrong)[0].start,
    }


def _plain(plan: Plan) -> Plan | None:
    """The plan without operators that only wrong engines have; None if it cannot do without."""
    node = cast(object, plan)
    if isinstance(node, LooseWindow) and not node.ahead and not node.phase:
        below = _plain(node.input)
        return None if below is None else TimeWindow(below, node.size, node.slide)
    if isinstance(node, OddOperator):
        return None
    children = [_plain(child) for child in plan.inputs]
    return None if None in children else plan.with_inputs(*cast(list[Plan], children))


def _events(given: Input) -> list[object]:
    ordered = sorted(given.arrivals, key=lambda arrival: arrival.time)
    return [_event(arrival) for arrival in ordered]


def _event(arrival: Arrival) -> object:
    return exact_element(arrival.row, arrival.valid)


def _written(counts: Counts) -> list[object]:
    held = [(interval, row, n) for row, steps in counts.items() for interval, n in spans(steps, FOREVER)]
    rows = [(interval, row) for interval, row, n in held for _ in range(n)]
    rows.sort(key=lambda each: (each[0].start, row_order(each[1])))
    return [exact_element(row, interval) for interval, row in rows]
