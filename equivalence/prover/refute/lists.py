"""Counterexamples of rules about lists: few elements, any rows and intervals, any sizes; each is replayed.

In a list every occurrence is an element of its own, so no multiplicities are left open, only elements.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import product
from typing import Final

from equivalence.lists.equivalences import Equivalence
from equivalence.lists.list_operators import ElementList
from equivalence.prover.meaning.concrete import constants
from equivalence.prover.refute.floats import ANY_FACTORS, ExactNumbers
from equivalence.prover.refute.list_difference import COMPARED_INSTANT, difference
from equivalence.prover.refute.list_slot import Slot
from equivalence.prover.refute.list_slots import LATEST_END, SlotLists, TooManyPlaces
from equivalence.prover.refute.outcome import SearchOutcome, first_found
from equivalence.prover.refute.valuation import Model, Valuation, name_of, rows_named
from equivalence.prover.solver.solvers import Z3
from equivalence.prover.terms.build import ZERO, at_most, conj, equal, less, neg, number
from equivalence.prover.terms.smtlib import problem
from equivalence.prover.terms.term import SmtSort, Term, Var
from equivalence.rules.instances import ListInstance
from equivalence.sampling.sample import compare_lists
from equivalence.verdicts.list_counterexample import ListCounterexample
from semantics import ArithmeticOverflow, Interval, IntervalStream, Schema, Stream, Type
from semantics.constraint import DuplicateFree, broken

EXTRA_ELEMENTS_SHORT: Final = (0, 1)
"""Elements beyond the first of each list, in all lists together, in the order in which they are tried."""
EXTRA_ELEMENTS_LONG: Final = (1, 2, 3)
"""The same for the long search."""
MOST_ELEMENTS_IN_ALL_LISTS: Final = 4
"""All lists together have at most this many elements."""


def refute_lists(
    instance: ListInstance,
    equivalence: Equivalence,
    known: Sequence[Term],
    scopes: Sequence[int],
    solver: Z3,
    steps: int,
) -> SearchOutcome:
    """Look for lists on which the sides differ, short ones first; with equal rows first, where intervals matter."""
    if not all(isinstance(constraint, DuplicateFree) for constraint in instance.constraints):
        return SearchOutcome(outside="lists of which more is known than that they have no duplicates")
    lengths = [
        each
        for more in scopes
        for each in _lengths(len(instance.sources), more)
        if sum(each) <= MOST_ELEMENTS_IN_ALL_LISTS
    ]
    rows = (False,) if equivalence.startswith("snapshot") else (True, False)
    return first_found(
        _BoundedListSearch(instance, equivalence, tuple(known), each, solver, alike=alike).searched(steps)
        for each, alike in product(lengths, rows)
    )


def _lengths(lists: int, more: int) -> list[tuple[int, ...]]:
    """All lengths of lists that have one element each and this many more together; nearly equal lengths first."""
    if lists == 1:
        return [(1 + more,)]
    longer = [(1 + first, *rest) for first in range(more + 1) for rest in _lengths(lists - 1, more - first)]
    return sorted(longer, key=max)


class _BoundedListSearch:
    """The search among lists of given lengths."""

    def __init__(
        self,
        instance: ListInstance,
        equivalence: Equivalence,
        known: tuple[Term, ...],
        lengths: Sequence[int],
        solver: Z3,
        *,
        alike: bool,
    ) -> None:
        self._instance, self._equivalence, self._solver = instance, equivalence, solver
        self._expressions = ExactNumbers()
        self._valuation = Valuation(constants((instance.left, instance.right)), ExactNumbers.tried)
        self._sources = {
            name: [Slot(row, *_interval(name, i)) for i, row in enumerate(_rows(name, schema, length, alike))]
            for (name, schema), length in zip(sorted(instance.sources.items()), lengths, strict=True)
        }
        self._known = (*known, at_most(ZERO, COMPARED_INSTANT), *self._intervals(), *self._constraints())

    def searched(self, steps: int) -> SearchOutcome:
        try:
            asked = [*self._known, *self._differs(), *self._expressions.assertions, neg(ANY_FACTORS)]
        except TooManyPlaces:
            return SearchOutcome(unanswered=1)
        asked += self._valuation.assertions(self._columns(), self._expressions)
        answer, model = self._solver.model(problem(asked), steps)
        found = self._replayed(model) if answer == "sat" else None
        return SearchOutcome(found, int(answer == "sat" and found is None), int(answer == "unknown"))

    def _differs(self) -> list[Term]:
        lists = SlotLists(self._sources, self._expressions)
        left, right = lists.of(self._instance.left), lists.of(self._instance.right)
        differs = difference(left, right, self._equivalence, lists.definitions)
        return [*lists.definitions.equations, differs]

    def _columns(self) -> list[tuple[Term, Type]]:
        return [
            (value, type_)
            for name, elements in self._sources.items()
            for element in elements
            for value, type_ in zip(element.row, self._instance.sources[name].types, strict=True)
        ]

    def _intervals(self) -> list[Term]:
        return [
            conj(at_most(ZERO, e.start), less(e.start, e.end), at_most(e.end, number(LATEST_END)))
            for elements in self._sources.values()
            for e in elements
        ]

    def _constraints(self) -> list[Term]:
        """No row is there twice at an instant."""
        return [
            neg(conj(*map(equal, one.row, other.row), less(one.start, other.end), less(other.start, one.end)))
            for constraint in self._instance.constraints
            for i, one in enumerate(self._sources.get(constraint.source, ()))
            for other in self._sources[constraint.source][:i]
        ]

    def _replayed(self, model: Model) -> ListCounterexample | None:
        """The counterexample that the model stands for, if the reference agrees; None also if an integer overflows."""
        with suppress(ArithmeticOverflow):
            interpretation = self._valuation.interpretation(model, self._expressions)
            sides = ListInstance(
                interpretation.listing(self._instance.left), interpretation.listing(self._instance.right)
            )
            return self._compared(sides, {name: self._list(name, model) for name in self._sources})
        return None

    def _compared(self, sides: ListInstance, case: Mapping[str, ElementList]) -> ListCounterexample | None:
        if any(broken(constraint, self._streams(case)) for constraint in self._instance.constraints):
            return None
        found = compare_lists(sides, case, self._equivalence)
        return found if isinstance(found, ListCounterexample) else None

    def _list(self, name: str, model: Model) -> ElementList:
        schema = self._instance.sources[name]
        rows = [(self._valuation.row(model, e.row, schema), e) for e in self._sources[name]]
        return tuple(
            (row, Interval(_instant(model, e.start, 0), _instant(model, e.end, LATEST_END))) for row, e in rows
        )

    def _streams(self, case: Mapping[str, ElementList]) -> dict[str, Stream]:
        return {name: IntervalStream(self._instance.sources[name], elements) for name, elements in case.items()}


def _rows(name: str, schema: Schema, rows: int, alike: bool) -> list[tuple[Var, ...]]:
    return rows_named(name, schema, 1) * rows if alike else rows_named(name, schema, rows)


def _interval(name: str, i: int) -> tuple[Term, Term]:
    return Var(f"{name} element {i} start", SmtSort.INT), Var(f"{name} element {i} end", SmtSort.INT)


def _instant(model: Model, term: Term, otherwise: int) -> int:
    """An instant of the model; one that does not matter may be any."""
    value = model.get(name_of(term))
    return value if isinstance(value, int) else otherwise
