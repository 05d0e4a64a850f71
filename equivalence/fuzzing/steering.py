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
    """The choices of queries that made rules fire, a few for each rule, and how often each fired."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self.kept: dict[str, list[tuple[int, ...]]] = {}

    def choices(self, number: int, fired: Mapping[str, int]) -> Made:
        """Those for a numbered query; what the numbers before it showed decides, too."""
        seed = f"{self._seed}/{number}"
        direction = SeededChoices(f"{seed}/direction")
        if not self.kept or direction.chance(1, 2):
            return SeededChoices(seed)
        seldom = sorted(self.kept, key=lambda rule: (fired.get(rule, 0), rule))[:SELDOM_RULES]
        return VariedChoices(seed, direction.of(self.kept[direction.of(seldom)]), direction.of(ONE_CHOICE_IN))

    def note(self, rule: str, made: tuple[int, ...]) -> None:
        """These choices made the rule fire."""
        kept = self.kept.setdefault(rule, [])
        kept.append(made)
        del kept[:-KEPT_OF_A_RULE]
