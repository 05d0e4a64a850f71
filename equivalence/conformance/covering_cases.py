"""The cases with which the suite begins: rows of dimension values that cover every pair of them, for every operator."""

from collections.abc import Callable, Collection, Iterator
from functools import cached_property
from typing import Final

from equivalence.cases.choices import Choices, ReplayedChoices, SeededChoices
from equivalence.cases.dimensions.covering import covering_rows, in_turns
from equivalence.cases.dimensions.dimension import DIMENSION_NAMES, Row
from equivalence.cases.dimensions.scenario import choices_of, choose_scenario
from equivalence.cases.random_plans import OPERATORS
from equivalence.cases.shrink import FindFailure
from equivalence.conformance.judge import Attempt
from equivalence.conformance.subject.history import holds_a_row
from equivalence.verdicts.finding import Finding
from semantics import Plan, TooManyChanges
from semantics.plan import Source

CASES_OF_A_ROW: Final = 4
"""So many are made before an empty result is accepted: it says nothing of the pairs of the row."""

Generate = Callable[[Choices], Attempt]


def covering_attempts(sessions: bool, seed: int = 0) -> Iterator[tuple[type[Plan], Attempt]]:
    """The cases with which the suite begins, for engines with sessions or without: they hold all pairs of values."""
    for operator, row in in_turns({operator: covering_rows(operator, sessions) for operator in OPERATORS}):
        yield operator, CoveringCase(operator, row, f"{seed}/0", sessions).attempt


def choices_of_row(operator: type[Plan], row: Row, seed: str, sessions: bool) -> SeededChoices:
    return choices_of(operator, row, f"{seed}/{sorted(row.items())}", sessions)


def attempt_by_row(operator: type[Plan], sessions: bool) -> Generate:
    """Makes attempts of choices that begin with a row of dimension values."""

    def generate(choices: Choices) -> Attempt:
        made = choose_scenario(choices, operator, sessions)
        return Attempt(made.plan, made.case, made.horizon, made.delivery, twice=choices.chance(1, 8))

    return generate


class CoveringCase:
    """The case of one row; of a few that the row allows, the first that tells something."""

    def __init__(
        self,
        operator: type[Plan],
        row: Row,
        seed: str,
        sessions: bool,
        known: Collection[type[Plan]] = tuple(OPERATORS),
    ) -> None:
        self.operator, self.row = operator, row
        self._usable = {Source, *known}
        self.generate = attempt_by_row(operator, sessions)
        seeds = [seed, *(f"{seed}/{number}" for number in range(1, CASES_OF_A_ROW))]
        self._choices = (choices_of_row(operator, row, each, sessions) for each in seeds)

    @property
    def attempt(self) -> Attempt:
        return self._made[1]

    @property
    def choices(self) -> SeededChoices:
        return self._made[0]

    def prepare(self) -> None:
        """Make the case, and find out what is right, before anybody asks."""
        _ = self._made

    @cached_property
    def _made(self) -> tuple[SeededChoices, Attempt]:
        for choices in self._choices:
            made = choices, self.generate(choices)
            if self._can_be_run(made[1].plan) and _tells(made[1]):
                break
        return made

    def _can_be_run(self, plan: Plan) -> bool:
        """Does it hold no operator that the engine does not know? The engine is not asked: it may be at work."""
        return all(type(node) in self._usable for node in plan.walk())


def _tells(attempt: Attempt) -> bool:
    """Does the right result hold a row, or is there none since integers overflow?"""
    try:
        return attempt.expected is None or holds_a_row(attempt.expected)
    except TooManyChanges:
        return False


def with_simple_values(
    find: FindFailure[Finding], made: tuple[int, ...], finding: Finding
) -> tuple[tuple[int, ...], Finding]:
    """The first choices, which are those of a row, set to the simplest value wherever the failure does not need more.

    Shrinking would come to them late: it first tries to do without parts of the choices, and these are never left out.
    """
    for place in range(len(DIMENSION_NAMES)):
        replayed = ReplayedChoices((*made[:place], 0, *made[place + 1 :]))
        simpler = find(replayed) if made[place : place + 1] != (0,) else None
        if simpler is not None:
            made, finding = tuple(replayed.made), simpler
    return made, finding
