"""What the suite would have noticed, operator by operator.

Each plan was tried on a case. Had the engine computed a neighbour of the plan instead, one that differs from it at this
operator, would the result on this case have been wrong? Some plans of each operator are asked.
"""

from collections import Counter
from typing import Final

from equivalence.conformance.judge import Attempt
from equivalence.neighbours.changed_path import changed_path, same_somewhere
from equivalence.neighbours.neighbours_of import Neighbour, neighbours_of
from semantics import ArithmeticOverflow, FunctionError, Plan, TooManyChanges
from semantics.constraint import elements_of
from semantics.fold import fold_plan
from semantics.sparse import SparseEvaluation, first_difference

PLANS_OF_AN_OPERATOR: Final = 24
CHANGES_OF_A_PLAN: Final = 500
"""A plan whose result changes more often on its case is not asked: others tell the same in less time."""
ELEMENTS_OF_A_CASE: Final = 100
"""Nor is a plan whose case has more elements."""
NEIGHBOURS_OF_A_PLAN: Final = 8


class OperatorNeighbours:
    """How many neighbours of the plans tried were told apart by the case that the engine was right about."""

    def __init__(self) -> None:
        self._plans: Counter[str] = Counter()
        self._of: Counter[tuple[str, str]] = Counter()
        self._told_apart: Counter[tuple[str, str]] = Counter()

    def note(self, operator: type[Plan], attempt: Attempt) -> None:
        """Ask the neighbours of a plan at this operator, unless enough plans of it were asked."""
        name = operator.__name__
        if self._plans[name] >= PLANS_OF_AN_OPERATOR or _elements(attempt) > ELEMENTS_OF_A_CASE:
            return
        near = [n for n in neighbours_of(attempt.plan) if n.operator == name][:NEIGHBOURS_OF_A_PLAN]
        self._plans[name] += bool(near)
        evaluation = SparseEvaluation(attempt.seen, attempt.horizon, limit=CHANGES_OF_A_PLAN)
        plan = fold_plan(attempt.plan)
        for neighbour in near:
            differs = _differs(evaluation, plan, neighbour)
            if differs is not None:
                self._of[name, neighbour.change] += 1
                self._told_apart[name, neighbour.change] += differs

    def evidence(self) -> dict[str, dict[str, object]]:
        """By operator: told apart, of how many, and the kinds of change that no case told apart."""
        operators = dict.fromkeys(name for name, _ in self._of)
        return {name: self._evidence(name) for name in sorted(operators)}

    def _evidence(self, name: str) -> dict[str, object]:
        kinds = [kind for operator, kind in self._of if operator == name]
        told_apart, of = (sum(counter[name, kind] for kind in kinds) for counter in (self._told_apart, self._of))
        unnoticed = sorted(str(kind) for kind in kinds if not self._told_apart[name, kind])
        return {"told_apart": told_apart, "of": of, "open": unnoticed}


def _elements(attempt: Attempt) -> int:
    return sum(len(elements_of(stream)) for stream in attempt.seen.values())


def _differs(evaluation: SparseEvaluation, plan: Plan, neighbour: Neighbour) -> bool | None:
    """Are the results on the case different? None if one of them has no result that is short enough."""
    try:
        if same_somewhere(changed_path(plan, neighbour.plan), evaluation):
            return False
        return first_difference(evaluation.of(plan), evaluation.of(neighbour.plan)) is not None
    except (ArithmeticOverflow, FunctionError, TooManyChanges):
        return None
