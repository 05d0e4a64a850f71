"""Two plans compared step by step: cases, more cases for open neighbours, proofs of what is still open.

Whatever a step examines, both plans are compared on it. Agreement on cases is evidence, no proof. A refutation is
certain: the counterexample was evaluated by the reference. The same seed gives the same verdict.
"""

from dataclasses import replace
from functools import partial
from typing import Final

from equivalence.cases.choices import Choices
from equivalence.cases.crowded_cases import choose_crowded_case
from equivalence.cases.directed.clues import clues_of
from equivalence.cases.directed.draw import choose_directed_case
from equivalence.cases.random_cases import CASE_HORIZON, Case, choose_case
from equivalence.cases.search import CaseOutcome, SearchResult, search
from equivalence.comparison.congruence import proved_in_a_part
from equivalence.comparison.solvers import solvers_missing
from equivalence.lists.equivalences import Equivalence
from equivalence.neighbours.measure import NeighbourMeasure, OpenNeighbour
from equivalence.rules.instances import Instance
from equivalence.sampling.sample import (
    compare,
    compare_at_all_times,
    directed_case,
    first_instant_of_difference,
    smallest,
)
from equivalence.verdicts.counterexample import Counterexample
from equivalence.verdicts.verdict import Verdict
from semantics import FOREVER, SparseStream
from semantics.fold import fold_plan, is_empty
from semantics.time import End

CASES_MEASURED: Final = 200
"""The search evaluates open neighbours on this many cases: nearly all that it tells apart fall in the first fifty."""
NEIGHBOURS_LOOKED_AT: Final = 12
"""Open neighbours that get cases of their own, and proofs: the decisive ones first."""
CASES_OF_A_NEIGHBOUR: Final = 40
CROWDED_CASES_OF_A_NEIGHBOUR: Final = 20
OPERATORS_OF_A_SEARCH: Final = 10
"""No counterexample to a neighbour of a longer plan is searched: it may take minutes. The limit is no time, so that the
same seed gives the same verdict on every machine."""
TEXTS_NAMED: Final = 3
"""Open neighbours that the text of a verdict names."""

Outcome = Counterexample | CaseOutcome


class PlanComparison:
    """Two plans, what was found out so far, and the verdict on it."""

    def __init__(self, instance: Instance, seed: int = 0, equivalence: Equivalence = "snapshot-multiset") -> None:
        self._instance = instance
        self._seed = seed
        self._equivalence = equivalence
        self._found = SearchResult[Counterexample]()
        self._measured = 0
        self.neighbours = NeighbourMeasure(instance.left, instance.right, differ=self._differ)

    @property
    def refuted(self) -> bool:
        return self._found.failure is not None

    @property
    def always_empty(self) -> bool:
        """Do both plans hold nothing, whatever the streams are, for a reason that can be read off?"""
        return is_empty(fold_plan(self._instance.left)) and is_empty(fold_plan(self._instance.right))

    def search(self, examples: int) -> None:
        """Compare both plans on the first cases of the seed, free and directed in turn, as far as they are new."""
        self._found = search(self._free, examples, self._seed, directed=self._directed, after=self._found)
        self._found.failure = self._smallest(self._found.failure)

    def settle(self) -> None:
        """Decide as many open neighbours as possible: by cases of their own, then by proof."""
        looked_at: list[OpenNeighbour] = []
        while pending := [pair for pair in self.neighbours.open if pair not in looked_at][:NEIGHBOURS_LOOKED_AT]:
            for step in (self._draw_more, self._draw_crowded, self._prove):
                for pair in pending:
                    if not self.refuted and pair in self.neighbours.open:
                        step(pair)
            looked_at += pending
            if len(looked_at) >= NEIGHBOURS_LOOKED_AT:
                break

    def verdict(self) -> Verdict:
        """Refuted; vacuous, if no case could have failed; unknown while a decisive neighbour is open; else agreed."""
        evidence = self._found.evidence(self._seed)
        if self.refuted:
            return Verdict("refuted", evidence, self._found.failure)
        if not self._found.fired:
            return Verdict("vacuous", evidence)
        evidence |= {"neighbours": self.neighbours.evidence()}
        unnoticed = self.neighbours.decisive()
        return Verdict("unknown", evidence | {"why": _why(unnoticed)}) if unnoticed else Verdict("agreed", evidence)

    def _free(self, choices: Choices) -> Outcome:
        case = choose_case(choices, self._instance.sources, self._instance.constraints)
        return self._noted(compare(self._instance, case, self._equivalence), case, CASE_HORIZON)

    def _directed(self, choices: Choices) -> Outcome:
        return self._compared(directed_case(choices, self._instance))

    def _compared(self, case: Case) -> Outcome:
        return self._noted(compare_at_all_times(self._instance, case, self._equivalence), case, FOREVER)

    def _noted(self, outcome: Outcome, case: Case, horizon: End) -> Outcome:
        """What a case showed; and which neighbours it would have shown, if it is one of the first."""
        if isinstance(outcome, CaseOutcome) and self._measured < CASES_MEASURED:
            self._measured += 1
            self.neighbours.look(case, horizon)
        return outcome

    def _draw_more(self, pair: OpenNeighbour) -> None:
        """Cases around what the neighbour speaks of, until one tells it apart."""
        self._measured = 0
        examined = search(partial(self._around, pair), CASES_OF_A_NEIGHBOUR, self._seed)
        self._found = replace(self._found, failure=self._smallest(examined.failure))

    def _around(self, pair: OpenNeighbour, choices: Choices) -> Outcome:
        if pair not in self.neighbours.open:
            return CaseOutcome.UNCHANGED
        clues = clues_of(self._instance.left, self._instance.right, pair.neighbour.plan)
        return self._compared(choose_directed_case(choices, self._instance.sources, self._instance.constraints, clues))

    def _draw_crowded(self, pair: OpenNeighbour) -> None:
        """Cases in which much meets: keys and conditions of joins show there."""
        self._measured = 0
        examined = search(partial(self._crowded, pair), CROWDED_CASES_OF_A_NEIGHBOUR, self._seed)
        self._found = replace(self._found, failure=self._smallest(examined.failure))

    def _crowded(self, pair: OpenNeighbour, choices: Choices) -> Outcome:
        if pair not in self.neighbours.open:
            return CaseOutcome.UNCHANGED
        return self._compared(choose_crowded_case(choices, self._instance.sources, self._instance.constraints))

    def _prove(self, pair: OpenNeighbour) -> None:
        """Proved the same, in the part that differs or as a whole, it is settled."""
        if solvers_missing() is not None:
            return
        if proved_in_a_part(pair.of, pair.neighbour.plan, self._instance.constraints):
            self.neighbours.proved_same(pair)
        elif sum(1 for _ in pair.of.walk()) <= OPERATORS_OF_A_SEARCH:
            self._refute(pair)

    def _refute(self, pair: OpenNeighbour) -> None:
        """A counterexample to the neighbour is one more case."""
        from equivalence.prover.prove import refute_at_once

        verdict = refute_at_once(pair.of, pair.neighbour.plan, constraints=self._instance.constraints)
        if isinstance(verdict.counterexample, Counterexample):
            self._measured = 0
            outcome = self._compared(verdict.counterexample.streams)
            self._found.failure = self._smallest(outcome if isinstance(outcome, Counterexample) else None)

    def _smallest(self, found: Counterexample | None) -> Counterexample | None:
        return None if found is None else smallest(self._instance, found, self._equivalence)

    def _differ(self, left: SparseStream, right: SparseStream) -> bool:
        return first_instant_of_difference(left, right, self._equivalence) is not None


def _why(unnoticed: list[str]) -> str:
    """What nothing tried would have noticed, and what to do."""
    named = ", ".join(unnoticed[:TEXTS_NAMED])
    more = f" and {len(unnoticed) - TEXTS_NAMED} more" if len(unnoticed) > TEXTS_NAMED else ""
    return f"nothing tried would have noticed {named}{more}"
