"""Which query comes next: from nowhere, or near one that made a seldom rule fire."""

from collections.abc import Mapping
from typing import Final

from equivalence.cases.choices import SeededChoices
from equivalence.optimizer.directed_plans import ONE_CHOICE_IN, VariedChoices

KEPT_OF_A_RULE: Final = 12
SELDOM_RULES: Final = 3
"""Of the rules that fired, so many of the seldom ones are helped."""

Made = SeededChoices | VariedChoices


class Steering:
    """The choices of queries that made rules fire, a few for each rule, and how often each fired.

    What was seen counts from the next round on: so the queries of a round do not depend on each other, and can be tried
    in any order, by any number of processes.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self.kept: dict[str, list[tuple[int, ...]]] = {}
        self.noted: list[tuple[str, tuple[int, ...]]] = []
        """Of the round that is going on."""
        self.fired: dict[str, int] = {}
        """As it was when the round began."""

    def begin_round(self, fired: Mapping[str, int]) -> None:
        self.fired = dict(fired)
        for rule, made in self.noted:
            kept = self.kept.setdefault(rule, [])
            kept.append(made)
            del kept[:-KEPT_OF_A_RULE]
        self.noted = []

    def choices(self, number: int) -> Made:
        """Those for a numbered query; what the rounds before it showed decides, too."""
        seed = f"{self._seed}/{number}"
        direction = SeededChoices(f"{seed}/direction")
        if not self.kept or direction.chance(1, 2):
            return SeededChoices(seed)
        seldom = sorted(self.kept, key=lambda rule: (self.fired.get(rule, 0), rule))[:SELDOM_RULES]
        return VariedChoices(seed, direction.of(self.kept[direction.of(seldom)]), direction.of(ONE_CHOICE_IN))

    def note(self, rule: str, made: tuple[int, ...], *, telling: bool = True) -> None:
        """These choices made the rule fire; where little shows, they are better than none, but not than others."""
        if telling or rule not in self.kept:
            self.noted.append((rule, made))
