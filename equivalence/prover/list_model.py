"""Counterexamples of rules about lists: few elements, any rows and intervals, any sizes; each is replayed.

In a list every occurrence is an element of its own, so there are no multiplicities to leave open: elements are.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

from equivalence.check import compare_lists
from equivalence.constraint import DuplicateFree, broken
from equivalence.free import ListInstance
from equivalence.list_counterexample import ListCounterexample
from equivalence.lists import Listed
from equivalence.prover.build import ZERO, at_most, conj, equal, less, neg, number
from equivalence.prover.concrete import constants
from equivalence.prover.course import Course
from equivalence.prover.elements import Element
from equivalence.prover.expressions import Expressions
from equivalence.prover.list_runs import AT, Runs, TooManyPieces, difference
from equivalence.prover.smtlib import problem
from equivalence.prover.solvers import Z3
from equivalence.prover.terms import FALSE, Sort, Term, Var
from equivalence.prover.valuation import Model, Valuation, name_of, rows_named
from equivalence.rule import Equivalence
from semantics import Interval, IntervalStream, Stream, Type

SHORT: Final = ((1, 8), (2, 12))
"""(elements of each list, beginnings of courses that are looked at), in the order in which they are tried."""
LONG: Final = ((2, 40), (3, 50))
"""The same, where it is known that there is a counterexample."""
LATEST: Final = 6
"""No interval ends later, so that counterexamples are read easily."""
STEPS: Final = 150_000
STRIDE: Final = 7919
"""A prime, so that the beginnings are taken from all over."""


def refute_lists(
    instance: ListInstance,
    equivalence: Equivalence,
    known: Sequence[Term],
    scopes: Sequence[tuple[int, int]],
    solver: Z3,
) -> ListCounterexample | None:
    """Look for lists on which the sides differ, longer and longer ones."""
    if not all(isinstance(constraint, DuplicateFree) for constraint in instance.constraints):
        return None
    found = (_Lists(instance, equivalence, tuple(known), n, solver).searched(courses) for n, courses in scopes)
    return next((counterexample for counterexample in found if counterexample is not None), None)


class _Lists:
    """So many elements in every list."""

    def __init__(
        self, instance: ListInstance, equivalence: Equivalence, known: tuple[Term, ...], elements: int, solver: Z3
    ) -> None:
        self._instance, self._equivalence, self._solver = instance, equivalence, solver
        self._expressions = Expressions()
        self._valuation = Valuation(constants((instance.left, instance.right)))
        self._sources = {
            name: [Element(row, *_interval(name, i)) for i, row in enumerate(rows_named(name, schema, elements))]
            for name, schema in sorted(instance.sources.items())
        }
        self._known = (*known, at_most(ZERO, AT), *self._intervals(), *self._constraints())

    def searched(self, courses: int) -> ListCounterexample | None:
        """Along one course after another, early and late decisions of known ones turned round in no plain order."""
        beginnings: list[list[Term]] = [[]]
        for number_ in range(courses):
            if not beginnings:
                break
            beginning = beginnings.pop(STRIDE * number_ % len(beginnings))
            model = self._model(beginning)
            if model is not None:
                course = Course(model, self._valuation.calls(model, self._expressions))
                found = self._along(course)
                if found is not None:
                    return found
                beginnings += course.others(len(beginning))
        return None

    def _along(self, course: Course) -> ListCounterexample | None:
        """A counterexample among all that takes this course."""
        runs = Runs(self._sources, self._expressions, course.decide)
        with suppress(TooManyPieces):
            left, right = runs.of(self._instance.left), runs.of(self._instance.right)
            differs = difference(left, right, self._equivalence, runs)
            model = None if differs == FALSE else self._model([*course.taken, differs])
            return None if model is None else self._replayed(model)
        return None

    def _model(self, conditions: Sequence[Term]) -> Model | None:
        asked = self._valuation.asked(self._columns(), self._expressions)
        answer, model = self._solver.model(problem([*self._known, *conditions, *asked]), STEPS)
        return model if answer == "sat" else None

    def _columns(self) -> list[tuple[Term, Type]]:
        return [
            (value, type_)
            for name, elements in self._sources.items()
            for element in elements
            for value, type_ in zip(element.row, self._instance.sources[name].types, strict=True)
        ]

    def _intervals(self) -> list[Term]:
        return [
            conj(at_most(ZERO, e.start), less(e.start, e.end), at_most(e.end, number(LATEST)))
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
        """The counterexample that the model means, if it is one."""
        filling = self._valuation.filling(model, self._expressions)
        case = {name: self._list(name, model) for name in self._sources}
        if any(broken(constraint, self._streams(case)) for constraint in self._instance.constraints):
            return None
        left, right = filling.listing(self._instance.left), filling.listing(self._instance.right)
        found = compare_lists(ListInstance(left, right), case, self._equivalence)
        return found if isinstance(found, ListCounterexample) else None

    def _list(self, name: str, model: Model) -> Listed:
        schema = self._instance.sources[name]
        rows = [(self._valuation.row(model, e.row, schema), e) for e in self._sources[name]]
        return tuple((row, Interval(_instant(model, e.start, 0), _instant(model, e.end, LATEST))) for row, e in rows)

    def _streams(self, case: Mapping[str, Listed]) -> dict[str, Stream]:
        return {name: IntervalStream(self._instance.sources[name], elements) for name, elements in case.items()}


def _interval(name: str, i: int) -> tuple[Term, Term]:
    return Var(f"{name} element {i} start", Sort.INT), Var(f"{name} element {i} end", Sort.INT)


def _instant(model: Model, term: Term, otherwise: int) -> int:
    """An instant of the model; one that does not matter may be any."""
    value = model.get(name_of(term))
    return value if isinstance(value, int) else otherwise
