"""Which query comes next: from nowhere, or near one that made a seldom rule fire."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from equivalence.cases.choices import SeededChoices
from equivalence.optimizer.directed_plans import VariedChoices

FAMILIES_OF_A_RULE: Final = 8
KEPT_OF_A_FAMILY: Final = 3
SELDOM_RULES: Final = 3
"""Of the rules that fired, so many of the seldom ones are helped, but none that half of all queries make fire."""
ONE_CHOICE_IN: Final = (24, 8, 4)
"""How many choices of a query there are to each that is drawn anew."""

Choices = tuple[int, ...]


@dataclass(frozen=True)
class Drawn:
    """Choices to be made for a query, and the query from nowhere that it descends from."""

    choices: SeededChoices | VariedChoices
    family: int


@dataclass
class Families:
    """Queries that made a rule fire, by what they descend from: none can have all places for its offspring."""

    kept: dict[int, list[Choices]] = field(default_factory=dict)

    def add(self, family: int, made: Choices) -> None:
        """The oldest one goes where there are too many."""
        members = self.kept.setdefault(family, [])
        members.append(made)
        del members[:-KEPT_OF_A_FAMILY]
        if len(self.kept) > FAMILIES_OF_A_RULE:
            del self.kept[next(iter(self.kept))]

    def one(self, direction: SeededChoices) -> tuple[int, Choices]:
        family = direction.of(list(self.kept))
        return family, direction.of(self.kept[family])


class Steering:
    """The choices of queries that made rules fire, a few for each rule, and how often each fired.

    What was seen counts from the next round on: so the queries of a round do not depend on each other, and can be tried
    in any order, by any number of processes.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self.kept: dict[str, Families] = {}
        self.noted: list[tuple[str, int, Choices]] = []
        """Of the round that is going on."""
        self.fired: dict[str, int] = {}
        """As it was when the round began."""

    def begin_round(self, fired: Mapping[str, int]) -> None:
        self.fired = dict(fired)
        for rule, family, made in self.noted:
            self.kept.setdefault(rule, Families()).add(family, made)
        self.noted = []

    def drawn(self, number: int) -> Drawn:
        """The choices of a numbered query; what the rounds before it showed decides, too."""
        seed = f"{self._seed}/{number}"
        direction = SeededChoices(f"{seed}/direction")
        fired = sorted((self.fired.get(rule, 0), rule) for rule in self.kept)
        seldom = [rule for times, rule in fired if 2 * times < number][:SELDOM_RULES]
        if not seldom or direction.chance(1, 2):
            return Drawn(SeededChoices(seed), number)
        family, made = self.kept[direction.of(seldom)].one(direction)
        return Drawn(VariedChoices(seed, made, direction.of(ONE_CHOICE_IN)), family)

    def note(self, rule: str, family: int, made: Choices, *, telling: bool = True) -> None:
        """These choices made the rule fire; where little shows, they are better than none, but not than others."""
        if telling or rule not in self.kept:
            self.noted.append((rule, family, made))
