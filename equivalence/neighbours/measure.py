"""How much cases notice: which neighbours of the compared plans they tell from their plans.

This measures the cases. It shows no equivalence: plans that differ may have no open neighbour.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from typing import Final

from equivalence.cases.random_cases import Case
from equivalence.neighbours.change import ChangeKind
from equivalence.neighbours.changed_path import ChangedPath, changed_path, same_somewhere
from equivalence.neighbours.neighbours_of import Neighbour, neighbours_of
from equivalence.neighbours.other_numbers import further, with_numbers_of
from semantics import FOREVER, ArithmeticOverflow, FunctionError, Plan, SparseStream, TooManyChanges
from semantics.fold import fold_plan
from semantics.sparse import SparseEvaluation, first_difference
from semantics.time import End

MOST_NEIGHBOURS: Final = 150
"""Of the two plans together; the decisive ones come first."""
CHANGES_OF_A_NEIGHBOUR: Final = 5_000
"""On a case on which a neighbour changes more often, it is not evaluated."""

Differ = Callable[[SparseStream, SparseStream], bool]


def as_multisets(left: SparseStream, right: SparseStream) -> bool:
    """Do two results differ at some instant?"""
    return first_difference(left, right) is not None


@dataclass(frozen=True)
class OpenNeighbour:
    """A neighbour, and the plan that it has not been told from."""

    of: Plan
    neighbour: Neighbour

    @cached_property
    def path(self) -> ChangedPath:
        """Where the two differ."""
        return changed_path(self.of, self.neighbour.plan)


class NeighbourMeasure:
    """The neighbours of some plans: told apart by a case, proved the same as their plan, or open."""

    def __init__(self, *plans: Plan, differ: Differ = as_multisets) -> None:
        self._differ = differ
        self.open = _chosen(*dict.fromkeys(map(fold_plan, plans)))
        self.of = len(self.open)
        self.told_apart = self.proved = 0

    def look(self, case: Case, horizon: End = FOREVER) -> None:
        """Evaluate all open neighbours on a case that the plans were compared on, up to the same horizon."""
        if not self.open:
            return
        evaluation = SparseEvaluation(case, horizon, limit=CHANGES_OF_A_NEIGHBOUR)
        still = [pair for pair in self.open if not self._tells_apart(pair, evaluation)]
        self.told_apart += len(self.open) - len(still)
        self.open = still

    def proved_same(self, pair: OpenNeighbour) -> None:
        """Note that a neighbour means the same as its plan, so that no case can tell them apart.

        If it compares something with another constant, one that is further away is open in its place.
        """
        self.open = [other for other in self.open if other is not pair]
        self.proved += 1
        longer = further(pair.neighbour) if pair.neighbour.change is ChangeKind.COMPARED_CONSTANT else None
        if longer is not None:
            self.open.append(OpenNeighbour(pair.of, longer))
            self.of += 1

    def decisive(self) -> list[str]:
        """What is open and may not stay so."""
        return list(dict.fromkeys(pair.neighbour.text for pair in self.open if pair.neighbour.decisive))

    def evidence(self) -> dict[str, object]:
        """The part of a verdict's evidence that is called neighbours."""
        texts = list(dict.fromkeys(pair.neighbour.text for pair in self.open))
        return {"told_apart": self.told_apart, "of": self.of, "proved": self.proved, "open": texts}

    def _tells_apart(self, pair: OpenNeighbour, evaluation: SparseEvaluation) -> bool:
        """Does the case show a difference? Where a plan has no result, it shows nothing."""
        try:
            if same_somewhere(pair.path, evaluation):
                return False
            return self._differ(evaluation.of(pair.of), evaluation.of(pair.neighbour.plan))
        except (ArithmeticOverflow, FunctionError, TooManyChanges):
            return False


def _chosen(*plans: Plan) -> list[OpenNeighbour]:
    """The neighbours of all plans, but none that is one of the plans; at most so many, the decisive ones first.

    A plan with a number of another one is open even if it is the other one: two plans that differ in a number alone
    have to be told apart or proved the same.
    """
    borrowed = {(pair.of, pair.neighbour.plan): pair for pair in _with_numbers_of_each_other(*plans)}
    found = [pair for pair in _neighbours(*plans) if pair.neighbour.plan not in plans]
    own = [pair for pair in found if (pair.of, pair.neighbour.plan) not in borrowed]
    decisive_first = sorted([*own, *borrowed.values()], key=lambda pair: pair.neighbour.rank)
    return decisive_first[:MOST_NEIGHBOURS]


def _neighbours(*plans: Plan) -> Iterator[OpenNeighbour]:
    return (OpenNeighbour(plan, neighbour) for plan in plans for neighbour in neighbours_of(plan))


def _with_numbers_of_each_other(*plans: Plan) -> Iterator[OpenNeighbour]:
    for plan, other in permutations(plans, 2):
        yield from (OpenNeighbour(plan, neighbour) for neighbour in with_numbers_of(plan, other))
