"""Rows that make a difference: between two explanations, or between a right output and a deviation."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from equivalence.cases.choices import Choices, SeededChoices
from equivalence.cases.random_rows import COMMON_VALUES
from equivalence.deviations.cells import same
from equivalence.deviations.deviation import Variant, applied
from equivalence.deviations.outcome import Outcomes, slide_of
from equivalence.deviations.reach import reach
from equivalence.deviations.situation import Arrival, Input, Situation
from equivalence.recordings.recording import EveryInstant, Judged, LastInstants, OneInstant
from semantics import FOREVER, Instant, Interval, Schema, SnapeqError, Value
from semantics.sparse.row_steps import Counts

TRIES: Final = 60
SIZES: Final = (1, 2, 3, 4, 6, 9)
"""How many rows are added: the fewest first."""
MOST_VALUES: Final = 6
FEW_ENOUGH: Final = 400
TAIL: Final = 60
"""Rows of the recording that stay before those that are added."""

Rows = Mapping[str, tuple[Arrival, ...]]
Test = Callable[[Situation], bool]


@dataclass(frozen=True)
class RowMaker:
    """Makes rows like those that are there, with NULLs, ties and repetitions, after the last one."""

    situation: Situation
    choices: Choices

    def rows(self, number: int) -> Rows:
        names = sorted(self.situation.inputs)
        made: dict[str, list[Arrival]] = {name: [] for name in names}
        time = max(self.situation.times, default=0) + 1
        for _ in range(number):
            time += self.choices.of((0, 0, 1, 2, self._far()))
            name = self.choices.of(names)
            made[name].append(self._arrival(name, time, made[name]))
        return {name: tuple(arrivals) for name, arrivals in made.items() if arrivals}

    def _far(self) -> int:
        back = reach(self.situation.plan)
        length = 6 if back == FOREVER else int(back)
        return self.choices.between(1, max(length, slide_of(self.situation), 2))

    def _arrival(self, name: str, time: Instant, before: Sequence[Arrival]) -> Arrival:
        if before and self.choices.chance(1, 4):
            return replace(before[-1], valid=Interval(time, time + 1))
        given = self.situation.inputs[name]
        row = tuple(self.choices.of(values) for values in _values(given, given.schema))
        marked = given.is_marked
        late = self.choices.between(0, 8) if marked and self.choices.chance(1, 3) else 0
        at = max(time - late, 0)
        return Arrival(row, Interval(at, at + 1), time - 1 if marked else None)


def _values(given: Input, schema: Schema) -> list[list[Value]]:
    """Per column the first few values that are there, some common ones, and NULL."""
    columns = []
    for i, column in enumerate(schema.columns):
        known = list(dict.fromkeys(arrival.row[i] for arrival in given.arrivals[:200]))[:MOST_VALUES]
        columns.append(list(dict.fromkeys([*known, *COMMON_VALUES[column.type][:3], None])))
    return columns


def extended(situation: Situation, rows: Rows) -> Situation:
    """The situation with more rows, judged long enough to see them go."""
    inputs = {
        name: replace(given, arrivals=(*given.arrivals, *rows.get(name, ())))
        for name, given in situation.inputs.items()
    }
    longer = replace(situation, inputs=inputs)
    return replace(longer, judged=_later(longer))


def _later(situation: Situation) -> Judged:
    back = reach(situation.plan)
    end = max(situation.times, default=0) + (10 if back == FOREVER else int(back)) + 2 * slide_of(situation) + 2
    match situation.judged:
        case EveryInstant(horizon):
            return EveryInstant(horizon if horizon == FOREVER else max(horizon, end))
        case LastInstants(step, offset, horizon):
            return LastInstants(step, offset, max(end, 0 if horizon == FOREVER else horizon))
        case OneInstant():
            return OneInstant(max(situation.times, default=0))


def tail(situation: Situation) -> Situation:
    """The last rows only, if there are many: what was long before tells nothing more about rows to come."""
    if situation.rows <= FEW_ENOUGH:
        return situation
    return situation.with_inputs(lambda given: replace(given, arrivals=given.arrivals[-TAIL:]))


def search(situation: Situation, test: Test, seed: object = 0) -> Rows | None:
    """The fewest rows to be added to a situation such that the test passes."""
    for size in SIZES:
        for i in range(TRIES):
            rows = RowMaker(situation, SeededChoices(f"{seed}-{size}-{i}")).rows(size)
            try:
                if test(extended(situation, rows)):
                    return rows
            except SnapeqError:
                continue
    return None


def told_apart(situation: Situation, left: Sequence[Variant], right: Sequence[Variant]) -> Rows | None:
    """Rows after which two explanations no longer agree, if some are found."""

    def differ(longer: Situation) -> bool:
        return not same(_output(left, longer), _output(right, longer))

    return search(tail(situation), differ)


def _output(variants: Sequence[Variant], situation: Situation) -> Counts:
    return Outcomes().of(applied(variants, situation))
