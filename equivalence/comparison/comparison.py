"""Two plans compared step by step: cases, more cases for open neighbours, proofs of what is still open.

Whatever a step examines, both plans are compared on it. Agreement on cases is evidence, no proof. A refutation is
certain: the counterexample was evaluated by the reference. The same seed gives the same verdict.
"""

from collections.abc import Collection
from dataclasses import replace
from typing import Final

from equivalence.cases.choices import Choices
from equivalence.cases.crowded_cases import choose_crowded_case
from equivalence.cases.directed.clues import clues_of
from equivalence.cases.directed.draw import choose_directed_case
from equivalence.cases.random_cases import CASE_HORIZON, Case, choose_case
from equivalence.cases.search import CaseOutcome, SearchResult, search
from equivalence.comparison.settle_neighbours import NeighbourSettlement
from equivalence.lists.equivalences import Equivalence
from equivalence.neighbours.measure import NeighbourMeasure
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
from semantics import FOREVER, Plan, SparseStream
from semantics.constraint import Constraint
from semantics.fold import fold_plan, is_empty
from semantics.time import End

CASES_MEASURED: Final = 200
"""The search evaluates open neighbours on this many cases: nearly all that it tells apart fall in the first fifty."""
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
        """Decide as many open neighbours as possible: by cases of their own, then by proof. A refutation stands."""
        if self.refuted:
            return
        cases = _InstanceCases(self._instance)
        failure = NeighbourSettlement(self.neighbours, cases, self._measured_again, self._seed).failure()
        self._found = replace(self._found, failure=self._smallest(failure))

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

    def _measured_again(self, case: Case) -> Outcome:
        """What a case shows that is about an open neighbour."""
        self._measured = 0
        return self._compared(case)

    def _smallest(self, found: Counterexample | None) -> Counterexample | None:
        return None if found is None else smallest(self._instance, found, self._equivalence)

    def _differ(self, left: SparseStream, right: SparseStream) -> bool:
        return first_instant_of_difference(left, right, self._equivalence) is not None


class _InstanceCases:
    """Cases for two plans and one of their neighbours."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self.constraints: Collection[Constraint] = instance.constraints

    def directed(self, choices: Choices, *neighbours: Plan) -> Case:
        clues = clues_of(self._instance.left, self._instance.right, *neighbours)
        return choose_directed_case(choices, self._instance.sources, self.constraints, clues)

    def crowded(self, choices: Choices) -> Case:
        return choose_crowded_case(choices, self._instance.sources, self.constraints)

    def given(self, case: Case) -> Case:
        return case


def _why(unnoticed: list[str]) -> str:
    """What nothing tried would have noticed, and what to do."""
    named = ", ".join(unnoticed[:TEXTS_NAMED])
    more = f" and {len(unnoticed) - TEXTS_NAMED} more" if len(unnoticed) > TEXTS_NAMED else ""
    return f"nothing tried would have noticed {named}{more}"
