"""Findings made small, as far as it is worth it: runs may cost much, and a declared difference is no news."""

from collections import Counter
from typing import Final

from equivalence.cases.choices import Choices, SeededChoices
from equivalence.cases.dimensions.dimension import DIMENSION_NAMES
from equivalence.cases.shrink import shrink
from equivalence.conformance.covering_cases import Generate, with_simple_values
from equivalence.conformance.declared_differences import explained_by
from equivalence.conformance.judge import judge
from equivalence.conformance.smallest_streams import is_same_fault, on_smallest_streams
from equivalence.conformance.subject.in_process import Subject
from equivalence.verdicts.counterexample import Counterexample
from equivalence.verdicts.fault_kind import FaultKind
from equivalence.verdicts.finding import Finding

DIMENSIONS: Final = "dimensions"
"""Stands for a situation where the cases that cover all pairs of dimensions are meant."""
SHRINKING_TRIALS: Final = 2000
"""For each finding, of which there may be many."""
SHRINKING_TRIALS_OF_OTHERS: Final = 400
"""Of an engine that takes many cases in one run, as those that others wrote do: each has a query to plan."""
SHRINKING_TRIALS_IF_RUNS_COST_MUCH: Final = 100
SLOW_FAULTS: Final = frozenset({FaultKind.HANGS, FaultKind.CRASHED})
SHRINKING_TRIALS_IF_SLOW: Final = 20
"""Every trial of a hanging case may take the whole time limit, and after a crash the engine has to start again."""
SLOW_FINDINGS_TO_SHRINK: Final = 3
"""An engine that always crashes has a finding for every operator: shrinking them all would take hours."""
LOOKS_BEHIND_A_DIFFERENCE: Final = 2
"""So often something else is looked for behind a declared difference of the same operator."""
HANGS_TO_GIVE_UP: Final = 12
"""An engine that hangs again and again takes the whole time limit each time, and little is learnt from it."""


class SmallFindings:
    """Makes findings of one engine small."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self._slow = 0
        self._looked: Counter[tuple[FaultKind, str]] = Counter()

    def declared(self, finding: Finding) -> str | None:
        """The difference which the engine declares, if one explains the finding."""
        return explained_by(self.subject.differences, finding)

    def smallest(self, finding: Finding, choices: SeededChoices, generate: Generate) -> tuple[Finding, str | None]:
        """The smallest case of the same fault, and the difference that explains it, if all that is found is one.

        What only stood by, such as an infinity, is gone in the smallest case.
        """
        slow = finding.name in SLOW_FAULTS
        trials = self._trials(slow)
        self._slow += slow
        if trials == SHRINKING_TRIALS_OF_OTHERS:
            early = on_smallest_streams(self.subject, finding)
            if self.declared(early) is not None:
                return self._behind(finding, choices, generate, early, trials)
        small = self._shrunk(finding, choices, generate, trials, declared=True)
        if self.declared(small) is None:
            return small, None
        return self._behind(finding, choices, generate, small, trials)

    def _behind(
        self, finding: Finding, choices: SeededChoices, generate: Generate, small: Finding, trials: int
    ) -> tuple[Finding, str | None]:
        """A case that no declared difference explains, if only the operator at fault is left; or this one."""
        kind = finding.name, finding.operator
        self._looked[kind] += 1
        if trials == SHRINKING_TRIALS or self._looked[kind] <= LOOKS_BEHIND_A_DIFFERENCE:
            other = self._shrunk(finding, choices, generate, trials, declared=False)
            found = other.counterexample
            if isinstance(found, Counterexample) and found.plans == (found.blamed,):
                return other, None
        return small, self.declared(small)

    def _shrunk(
        self, finding: Finding, choices: SeededChoices, generate: Generate, trials: int, declared: bool
    ) -> Finding:
        """The smallest case in which the same is wrong with the same operator, be it a declared difference or not."""

        def same(tried: Choices) -> Finding | None:
            if self.subject.hangs >= HANGS_TO_GIVE_UP:
                return None
            outcome = judge(self.subject, generate(tried))
            if not isinstance(outcome, Finding) or not is_same_fault(outcome, finding):
                return None
            return outcome if declared or self.declared(outcome) is None else None

        made = tuple(choices.made)
        if finding.situation == DIMENSIONS and trials > len(DIMENSION_NAMES):
            made, finding = with_simple_values(same, made, finding)
        small = shrink(same, made, finding, trials)
        again = declared and trials >= SHRINKING_TRIALS_OF_OTHERS
        return on_smallest_streams(self.subject, small) if again else small

    def _trials(self, slow: bool) -> int:
        if slow:
            return SHRINKING_TRIALS_IF_SLOW if self._slow < SLOW_FINDINGS_TO_SHRINK else 0
        if self.subject.lifts:
            return SHRINKING_TRIALS_IF_RUNS_COST_MUCH
        return SHRINKING_TRIALS if self.subject.cases_per_run == 1 else SHRINKING_TRIALS_OF_OTHERS
