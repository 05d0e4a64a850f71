"""Plans that an optimizer changes are kept, and varied: so most of what is tried says something about it."""

from collections.abc import Hashable
from typing import Final

from equivalence.cases.choices import Choices, SeededChoices
from equivalence.cases.directed.comparisons import parts
from semantics import Expression, Plan
from semantics.rebuild import with_expressions

ONE_CHOICE_IN: Final = (0, 24, 8, 4)
"""How many choices of a plan there are to each that is drawn anew; 0 leaves the plan as it is, over new streams."""

KEPT_OF_A_KIND: Final = 12


def features_of(plan: Plan) -> frozenset[str]:
    """What a plan is made of: its operators, aggregates, and kinds of expressions.

    A rewrite may be right for one kind of condition and wrong for another, so that both should be varied.
    """
    found = {node.operator for node in plan.walk()}
    for node in plan.walk():
        with_expressions(node, lambda expression: _noted(found, expression))
        found |= {type(aggregate).__name__ for aggregate in getattr(node, "aggregates", ())}
    return frozenset(found)


def _noted(found: set[str], expression: Expression) -> Expression:
    found |= {getattr(part, "symbol", type(part).__name__) for part in parts(expression)}
    return expression


class VariedChoices(Choices):
    """Choices made before, some of them drawn anew, and new ones after they end; `made` records them all."""

    def __init__(self, seed: object, base: tuple[int, ...], one_in: int) -> None:
        self._fresh = SeededChoices(seed)
        self._base = base
        self._one_in = one_in
        self.made: list[int] = []

    def below(self, n: int) -> int:
        old = self._base[len(self.made)] if len(self.made) < len(self._base) else n
        anew = old >= n or (self._one_in > 0 and self._fresh.below(self._one_in) == 0)
        self.made.append(self._fresh.below(n) if anew else old)
        return self.made[-1]


class ChangedPlans:
    """The choices of plans that were changed, a few for each kind of change."""

    def __init__(self) -> None:
        self._telling: dict[Hashable, list[tuple[int, ...]]] = {}
        self._silent: dict[Hashable, list[tuple[int, ...]]] = {}

    def add(self, kind: Hashable, choices: tuple[int, ...], telling: bool) -> None:
        """Keep the latest few of a kind; those whose result held rows go first, as they teach more."""
        kept = (self._telling if telling else self._silent).setdefault(kind, [])
        kept.append(choices)
        del kept[:-KEPT_OF_A_KIND]

    def choices(self, seed: str) -> "SeededChoices | VariedChoices":
        """Half of the time a plan from nowhere; else a variation of one that was changed, each kind equally often."""
        direction = SeededChoices(f"{seed}/direction")
        kinds = list({**self._silent, **self._telling}.values())
        if not kinds or direction.chance(1, 2):
            return SeededChoices(seed)
        return VariedChoices(seed, direction.of(direction.of(kinds)), direction.of(ONE_CHOICE_IN))
