"""A case of a row: a plan, streams, how they are delivered, and up to when that matters.

A row is itself a sequence of choices, one for each dimension. So a finding shrinks from its row to simpler values, and
from there to fewer elements, like any other.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from equivalence.cases.choices import Choices, SeededChoices
from equivalence.cases.delivery import Delivery, choose_comings
from equivalence.cases.dimensions.dimension import Row, dimensions_of, possible
from equivalence.cases.dimensions.plans import choose_plan_of
from equivalence.cases.dimensions.pools import INSTANTS
from equivalence.cases.dimensions.retention import reach
from equivalence.cases.dimensions.streams import LARGEST_STREAM, StreamsOfRow
from equivalence.cases.random_cases import Case
from equivalence.cases.schedules import DISORDER_SLACK, choose_schedule, choose_steps
from semantics import FOREVER, Plan, Stream
from semantics.constraint import elements_of

SMALL_BATCH: Final = 8
SMALL_CASE: Final = 100
"""Elements. A larger case is pushed in batches of any size: small ones take long, and small cases have them."""


@dataclass(frozen=True)
class Scenario:
    """A plan and a case to try an engine on, and the row of the covering list that they were made of."""

    plan: Plan
    case: Case
    horizon: int
    delivery: Delivery
    row: Row


class RowThenSeed(SeededChoices):
    """The choices of a row, and then those of a seed."""

    def __init__(self, first: Sequence[int], seed: object) -> None:
        super().__init__(seed)
        self._first = iter(first)

    def below(self, n: int) -> int:
        given = next(self._first, None)
        if given is None:
            return super().below(n)
        self.made.append(given)
        return given


def choices_of(operator: type[Plan], row: Row, seed: object, sessions: bool = True) -> SeededChoices:
    """Choices from which `choose_scenario` makes a case of this row."""
    places = [dimension.values.index(row[dimension.name]) for dimension in dimensions_of(operator, sessions)]
    return RowThenSeed(places, seed)


def choose_scenario(choices: Choices, operator: type[Plan], sessions: bool = True) -> Scenario:
    """A value of each dimension, and then a case of these values."""
    row: dict[str, str] = {}
    for dimension in dimensions_of(operator, sessions):
        value = choices.of(dimension.values)
        # A row of the covering list is always possible; what shrinking makes of it need not be.
        row[dimension.name] = value if possible({**row, dimension.name: value}) else dimension.values[0]
    plan = choose_plan_of(choices, operator, row)
    case = StreamsOfRow(choices, row, plan).case()
    return Scenario(plan, case, _horizon(plan, case, row), _choose_delivery(choices, case, row), row)


def _horizon(plan: Plan, case: Case, row: Row) -> int:
    """After everything has come and gone."""
    spans = [interval for stream in case.values() for _, interval in elements_of(stream)]
    last = max((s.start if s.end == FOREVER else int(s.end) for s in spans), default=INSTANTS[row["instants"]])
    return last + reach(plan) + 4


def _choose_delivery(choices: Choices, case: Case, row: Row) -> Delivery:
    kind = row["delivery"]
    if kind in ("rows", "columns"):
        return Delivery(columns=kind == "columns")
    if kind == "in step":
        return Delivery(schedule=choose_steps(choices, case))
    slack = DISORDER_SLACK if kind == "disorder" else 0
    largest = SMALL_BATCH if sum(map(_size, case.values())) < SMALL_CASE else LARGEST_STREAM
    schedule = choose_schedule(choices, case, slack=slack, largest=1 if kind == "one by one" else largest)
    if kind == "queries come and go":
        return choose_comings(choices, schedule)
    return Delivery(schedule=schedule, slack=slack)


def _size(stream: Stream) -> int:
    return len(elements_of(stream))
