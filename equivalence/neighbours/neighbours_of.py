"""The neighbours of a plan: plans that differ in one small thing from it.

Whoever compares two plans on some cases can ask of each neighbour: would these cases have noticed, had the plan been
this one? A neighbour that no case tells from its plan names something that the cases do not look at.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial

from equivalence.neighbours.change import DECISIVE, Change, ChangeKind, Number, lifted
from equivalence.neighbours.node_changes import node_changes
from semantics import Plan, SnapeqError, Value
from semantics.evaluate import Planned
from semantics.fold import fold_plan, is_empty
from semantics.plan import Filter


@dataclass(frozen=True)
class Neighbour:
    """A plan that differs in one small thing from another, and what that is."""

    plan: Plan
    change: ChangeKind
    text: str
    number: Number[Plan] | None = field(default=None, compare=False)
    """The number or text that differs, if one does."""
    operator: str = field(default="", compare=False)
    """The operator that was changed."""

    @property
    def decisive(self) -> bool:
        """Does it change a size, a slide, a number of rows, a landmark, or a constant?

        While such a neighbour is open, nobody may say that two plans agree.
        """
        return self.change in DECISIVE

    @property
    def rank(self) -> int:
        """Where it stands among all: sizes and thresholds before other constants, and these before the rest."""
        return 1 if self.change is ChangeKind.CONSTANT else 0 if self.decisive else 2

    @classmethod
    def by(cls, change: Change[Plan]) -> "Neighbour":
        return cls(change.made, change.kind, change.text, change.number, change.operator)

    def with_number(self, value: Value) -> "Neighbour | None":
        """The neighbour with this value in place of the one that differs, if there is such a plan."""
        try:
            return None if self.number is None else Neighbour.by(self.number.to(value))
        except SnapeqError:
            return None


def neighbours_of(query: Planned) -> tuple[Neighbour, ...]:
    """All neighbours, each once; constants are folded and dead branches left out before, since nothing depends on them.

    >>> from semantics import parse_plan
    >>> [near.text for near in neighbours_of(parse_plan("S(x int) | filter(x > 2 + 3) | window(range 600)"))][:4]
    ['RANGE 599 instead of 600', 'RANGE 601 instead of 600', 'SLIDE 2 instead of 1', '`x >= 5` instead of `x > 5`']
    """
    plan = fold_plan(query.plan)
    found: dict[Plan, Neighbour] = {}
    for change in _changes(plan):
        if change.made not in found and fold_plan(change.made) != plan:
            found[change.made] = Neighbour.by(change)
    return tuple(found.values())


def _changes(plan: Plan) -> Iterator[Change[Plan]]:
    """Changes of the root, then of its inputs; of what is always empty, only those of the filter that makes it so."""
    empty = is_empty(plan)
    if not empty or isinstance(plan, Filter):
        yield from (replace(change, operator=plan.operator) for change in node_changes(plan))
    for i, child in enumerate(plan.inputs):
        if is_empty(child) or not empty:
            yield from lifted(_changes(child), partial(_with_input, plan, i))


def _with_input(plan: Plan, i: int, child: Plan) -> Plan:
    return plan.with_inputs(*plan.inputs[:i], child, *plan.inputs[i + 1 :])
