"""Decide neighbours that the cases of a search have left open: by cases of their own, then by proof.

Whoever searches says how a case is drawn and examined. Whatever is drawn here is examined as all other cases are, so it
may also be what refutes.
"""

from collections.abc import Callable, Collection
from typing import Final, Generic, Protocol, TypeVar

from equivalence.cases.choices import Choices
from equivalence.cases.random_cases import Case
from equivalence.cases.search import CaseOutcome, search
from equivalence.comparison.congruence import proved_in_a_part
from equivalence.comparison.solvers import solvers_missing
from equivalence.neighbours.measure import NeighbourMeasure, OpenNeighbour
from equivalence.verdicts.counterexample import Counterexample
from semantics import Plan
from semantics.constraint import Constraint

NEIGHBOURS_LOOKED_AT: Final = 12
"""Open neighbours that get cases of their own, and proofs: the decisive ones first."""
CASES_OF_A_NEIGHBOUR: Final = 40
CROWDED_CASES_OF_A_NEIGHBOUR: Final = 20
OPERATORS_OF_A_SEARCH: Final = 10
"""No counterexample to a neighbour of a longer plan is searched: it may take minutes. The limit is no time, so that the
same seed gives the same verdict on every machine."""

T = TypeVar("T")


class NeighbourCases(Protocol):
    """How cases are drawn that may tell a neighbour from its plan."""

    constraints: Collection[Constraint]

    def directed(self, choices: Choices, *neighbours: Plan) -> Case:
        """A case around what the compared plans and these neighbours speak of."""
        ...

    def crowded(self, choices: Choices) -> Case:
        """A case in which much meets: keys and conditions of joins show there."""
        ...

    def given(self, case: Case) -> Case:
        """A case that was found elsewhere, as it can be examined."""
        ...


class NeighbourSettlement(Generic[T]):
    """Goes through open neighbours until all are settled, enough were looked at, or a case fails."""

    def __init__(
        self,
        neighbours: NeighbourMeasure,
        cases: NeighbourCases,
        examine: Callable[[Case], T | CaseOutcome],
        seed: int,
    ) -> None:
        self._neighbours, self._cases, self._examine, self._seed = neighbours, cases, examine, seed
        self._failure: T | None = None

    def failure(self) -> T | None:
        """Settle what can be settled; what failed on the way, if anything did."""
        looked_at: list[OpenNeighbour] = []
        while pending := [pair for pair in self._neighbours.open if pair not in looked_at][:NEIGHBOURS_LOOKED_AT]:
            for step in (self._draw_more, self._draw_crowded, self._prove):
                for pair in pending:
                    if self._failure is None and pair in self._neighbours.open:
                        step(pair)
            looked_at += pending
            if len(looked_at) >= NEIGHBOURS_LOOKED_AT:
                break
        return self._failure

    def _draw_more(self, pair: OpenNeighbour) -> None:
        """Cases around what the neighbour speaks of, until one tells it apart."""
        self._search(pair, lambda choices: self._cases.directed(choices, pair.neighbour.plan), CASES_OF_A_NEIGHBOUR)

    def _draw_crowded(self, pair: OpenNeighbour) -> None:
        self._search(pair, self._cases.crowded, CROWDED_CASES_OF_A_NEIGHBOUR)

    def _search(self, pair: OpenNeighbour, draw: Callable[[Choices], Case], number: int) -> None:
        def examine(choices: Choices) -> T | CaseOutcome:
            if pair not in self._neighbours.open:
                return CaseOutcome.UNCHANGED
            return self._examine(draw(choices))

        self._failure = search(examine, number, self._seed).failure

    def _prove(self, pair: OpenNeighbour) -> None:
        """Proved the same, in the part that differs or as a whole, it is settled."""
        if solvers_missing() is not None:
            return
        if proved_in_a_part(pair.of, pair.neighbour.plan, self._cases.constraints):
            self._neighbours.proved_same(pair)
        elif sum(1 for _ in pair.of.walk()) <= OPERATORS_OF_A_SEARCH:
            self._refute(pair)

    def _refute(self, pair: OpenNeighbour) -> None:
        """A counterexample to the neighbour is one more case."""
        from equivalence.prover.prove import refute_at_once

        verdict = refute_at_once(pair.of, pair.neighbour.plan, constraints=self._cases.constraints)
        if isinstance(verdict.counterexample, Counterexample):
            outcome = self._examine(self._cases.given(verdict.counterexample.streams))
            self._failure = None if isinstance(outcome, CaseOutcome) else outcome
