"""Counterexamples with times of any size: few rows at few instants, and the solver says which instants these are.

So windows of 600 and of 601 instants are told apart by an element and the instant 600 after it. Each counterexample is
replayed by `semantics.evaluate_sparse`, the reference for times of any size.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import ClassVar, Final

from equivalence.prover.refute.floats import ExactNumbers
from equivalence.prover.refute.outcome import SearchOutcome, first_found
from equivalence.prover.refute.plans import (
    STEPS_PER_QUESTION,
    UNANSWERED_BEFORE_GIVING_UP,
    BoundedPlanSearch,
    Scopes,
    Sides,
)
from equivalence.prover.refute.row_table import NoTermForAggregate
from equivalence.prover.refute.sparse_tables import NoSparseTerm, SparseTables
from equivalence.prover.refute.valuation import Model
from equivalence.prover.solver.solvers import Z3
from equivalence.prover.terms.build import ZERO, at_most, conj, equal, less
from equivalence.prover.terms.term import SmtSort, Term, Var
from equivalence.rules.instances import Instance
from equivalence.verdicts.counterexample import Counterexample
from semantics import Stream, TooManyChanges, evaluate_sparse
from semantics.sparse import first_difference

SPARSE_SCOPES: Final[Scopes] = ((1, 1), (1, 2), (2, 1), (2, 2))
"""(rows of each source, instants), in the order in which they are tried."""


class FewCopies(ExactNumbers):
    """Numbers for models in which copies are fewer: instants make them hard enough to read."""

    caps: ClassVar[Sequence[int | None]] = (1, 3, None)


NOW: Final = Var("now", SmtSort.INT)
"""The instant at which the sides differ."""


def refute_sparse(
    instance: Instance, known: tuple[Term, ...] = (), scopes: Scopes = SPARSE_SCOPES, solver: Z3 | None = None
) -> SearchOutcome:
    """Look for streams on which the sides differ at some instant, with elements at any instants."""
    asked = solver or Z3()
    searches = (SparsePlanSearch(instance, known, *scope, asked).searched(sure=False) for scope in scopes)
    try:
        return first_found(searches, UNANSWERED_BEFORE_GIVING_UP)
    except (NoTermForAggregate, NoSparseTerm) as reason:
        return SearchOutcome(outside=str(reason))


class SparsePlanSearch(BoundedPlanSearch):
    """The search in one scope, in which instants are numbers that are left open."""

    def __init__(self, instance: Instance, known: tuple[Term, ...], rows: int, instants: int, solver: Z3) -> None:
        numbers = FewCopies()
        super().__init__(instance, "snapshot-multiset", known, rows, instants, solver, numbers, STEPS_PER_QUESTION)
        self._times = [Var(f"instant {i}", SmtSort.INT) for i in range(instants)]

    def _differs(self) -> Term:
        tables = SparseTables(self._expressions, self._sources, self._times, frozenset(self._lasting))
        return self._apart(*(tables.at(plan, NOW) for plan in (self._instance.left, self._instance.right)))

    def _timing(self) -> list[Term]:
        """Instants are in their order, and none is before 0."""
        ordered = [less(one, other) for one, other in pairwise(self._times)]
        return [at_most(ZERO, NOW), at_most(ZERO, self._times[0]), *ordered]

    def _asked(self, differs: Term, cap: int | None) -> tuple[str, Model]:
        """Small models shall begin at 0, if there are such: they are read easily."""
        if cap is not None:
            answer, model = super()._asked(conj(differs, equal(self._times[0], ZERO)), cap)
            if answer == "sat":
                return answer, model
        return super()._asked(differs, cap)

    def _instant(self, number: int, model: Model) -> int:
        return int(model.get(self._times[number].name) or 0)

    def _difference(self, sides: Sides, streams: Mapping[str, Stream], model: Model) -> Counterexample | None:
        """Where the sides differ first, up to the instant of the model."""
        horizon = int(model.get(NOW.name) or 0) + 1
        with suppress(TooManyChanges):
            left, right = (evaluate_sparse(plan, streams, horizon) for plan in sides)
            t = first_difference(left, right)
            return None if t is None else Counterexample(sides, streams, t, left.at(t), right.at(t))
        return None
