"""The search for a case on which a function and a query differ, and the smallest such case."""

from typing import Final

from equivalence.cases.choices import Choices, SeededChoices
from equivalence.cases.directed.evaluate import evaluate_case
from equivalence.cases.random_cases import Case
from equivalence.cases.reduce_case import reduced
from equivalence.cases.search import CaseOutcome, SearchResult, search
from equivalence.comparison.settle_neighbours import NeighbourSettlement
from equivalence.conformance.subject.tolerance import close
from equivalence.neighbours.measure import NeighbourMeasure, as_multisets
from equivalence.programs.placed_cases import PlacedCases, at_once, placed, with_one_table
from equivalence.programs.program_cases import ProgramCases
from equivalence.programs.program_inputs import name_of
from equivalence.programs.program_output import ProgramOutput
from equivalence.programs.program_verdict import unrefuted
from equivalence.python_functions.function_runs import FunctionRunner
from equivalence.recordings.panes import as_panes, by_pane, differ_at_panes
from equivalence.verdicts.counterexample import Counterexample
from equivalence.verdicts.engine_fault import EngineFault
from equivalence.verdicts.fault_kind import Fault
from equivalence.verdicts.verdict import Verdict
from semantics import ArithmeticOverflow, Instant, Plan, SparseStream, TooManyChanges, Type
from semantics.sparse import first_difference

CASES_THAT_SHOW_THE_KIND: Final = 60
"""A function is called on so many cases before one that never gives a row is taken to give intervals."""
CASES_MEASURED: Final = 200
"""Neighbours are evaluated on so many cases: nearly all that are told apart fall in the first fifty."""
TRIALS_TO_SHRINK: Final = 500
"""Each trial is a call of the function."""
CASES_IN_THE_LONG_RUN: Final = 20
"""So many cases are also tried as one long input: a function may forget, or remember, too much."""
CASES_DAYS_APART: Final = 3
ROWS_AT_ONCE: Final = 300

Failure = Counterexample | EngineFault
Outcome = Failure | CaseOutcome


class FunctionSearch:
    """Cases for one function, and what came of them."""

    def __init__(
        self, runner: FunctionRunner, cases: ProgramCases, output: ProgramOutput | None, seed: int, tolerance: float
    ) -> None:
        self._runner, self._cases, self._seed, self._tolerance = runner, cases, seed, tolerance
        self.kind: ProgramOutput = output or self._kind_shown()
        self._plan: Plan = cases.plan
        self._step: int | None = None
        if self.kind == "panes":
            self._plan, self._step = as_panes(cases.plan)
        self._neighbours = NeighbourMeasure(
            self._plan, differ=as_multisets if self._step is None else differ_at_panes(self._step)
        )
        self._measured = 0
        self._latest: list[Case] = []

    def verdict(self, examples: int, given: Case) -> Verdict:
        """Try the case that was given, then small and directed ones, then a long one, then what is about neighbours."""
        found = SearchResult[Failure](failure=self._failure(given) if given else None)
        if found.failure is None:
            found = search(self._free, examples, self._seed, TRIALS_TO_SHRINK, directed=self._directed)
        failure = found.failure or self._failure_of_long_runs() or self._failure_about_neighbours()
        evidence = self._evidence(found)
        if failure is not None:
            return Verdict("refuted", evidence, self._smallest(failure))
        dense = found.tally[CaseOutcome.TOO_DENSE]
        if dense > (found.directed or 0) // 2:
            why = f"{dense} of {found.cases} cases change too often to be compared: windows over rows that last"
            return Verdict("unknown", {**evidence, "why": why})
        return unrefuted(evidence, found.fired, self._neighbours)

    def _evidence(self, found: SearchResult[Failure]) -> dict[str, object]:
        counts = found.evidence(self._seed)
        name, taken = name_of(self._runner.function), ", ".join(dict.fromkeys(self._runner.kinds.values()))
        return {"how": counts.pop("how"), "function": name, "input": taken, "output": self.kind, **counts}

    def _kind_shown(self) -> ProgramOutput:
        """The kind of the first output that shows it."""
        for number in range(CASES_THAT_SHOW_THE_KIND):
            draw = self._cases.directed if number % 2 else self._cases.free
            kind = self._runner.output_kind(draw(SeededChoices(f"kind/{number}")))
            if kind is not None:
                return kind
        return "intervals"

    def _free(self, choices: Choices) -> Outcome:
        return self._noted(self._cases.free(choices))

    def _directed(self, choices: Choices) -> Outcome:
        return self._noted(self._cases.directed(choices))

    def _about_a_neighbour(self, case: Case) -> Outcome:
        self._measured = 0
        return self._noted(case)

    def _noted(self, case: Case) -> Outcome:
        """What a case showed; and which neighbours it would have shown, if it is one of the first."""
        outcome = self._compared(case)
        if outcome is CaseOutcome.FIRED:
            self._latest = [*self._latest[1 - CASES_IN_THE_LONG_RUN :], case]
        if outcome in (CaseOutcome.FIRED, CaseOutcome.EMPTY) and self._measured < CASES_MEASURED:
            self._measured += 1
            self._neighbours.look(case)
        return outcome

    def _failure(self, case: Case) -> Failure | None:
        outcome = self._compared(case)
        return None if isinstance(outcome, CaseOutcome) else outcome

    def _compared(self, case: Case) -> Outcome:
        """Call the function on a case, and compare what it gives with the right answer at all instants."""
        if not self._runner.can_be_given(case):
            return CaseOutcome.UNMET
        try:
            [right] = evaluate_case([self._plan], case)
        except ArithmeticOverflow:
            return CaseOutcome.OVERFLOW
        except TooManyChanges:
            return CaseOutcome.TOO_DENSE
        try:
            found = self._runner.run(case, self.kind, self._step or 1)
        except Fault as fault:
            return EngineFault(self._plan, case, 0, fault.name, fault.message)
        t = self._first_difference(right, found)
        if t is None:
            return CaseOutcome.FIRED if right.runs else CaseOutcome.EMPTY
        return Counterexample((self._plan,), case, t, right.at(t), found.at(t))

    def _first_difference(self, right: SparseStream, found: SparseStream) -> Instant | None:
        """The first wrong instant; of panes, only those count at which one ends."""
        step = self._step
        if step is None:
            return differ_first(right, found, self._tolerance)
        pane = differ_first(by_pane(right, step), by_pane(found, step), self._tolerance)
        return None if pane is None else pane * step - 1

    def _failure_of_long_runs(self) -> Failure | None:
        """The latest cases as one input: one after the other, days apart, and all at once."""
        if len(self._latest) < 2:
            return None
        cases = with_one_table(self._latest, self._cases.constraints)
        few = [*cases[:1], *cases[-CASES_DAYS_APART:]]  # a table is that of the first
        return (
            self._failure_of_a_run(self._placed(cases).streams())
            or self._failure_of_a_run(self._placed(few, self._cases.day + 1).streams())
            or self._failure_of_a_run(at_once(cases, self._cases.tables, ROWS_AT_ONCE))
        )

    def _placed(self, cases: list[Case], at_least: int = 0) -> PlacedCases:
        return placed(cases, self._cases.plan, self._cases.clues, self._cases.tables, at_least)

    def _failure_of_a_run(self, streams: Case) -> Failure | None:
        whole = self._cases.given(streams)
        return self._failure(whole) if self._cases.is_promised(whole) else None

    def _failure_about_neighbours(self) -> Failure | None:
        return NeighbourSettlement[Failure](
            self._neighbours, self._cases, self._about_a_neighbour, self._seed
        ).failure()

    def _smallest(self, failure: Failure) -> Failure:
        """The failure of the smallest case; a wrong result stays one, and an error stays an error."""

        def alike(case: Case) -> Failure | None:
            found = self._failure(case)
            return found if isinstance(found, Counterexample) == isinstance(failure, Counterexample) else None

        return reduced(alike, failure.streams, failure, self._cases.constraints)


def differ_first(right: SparseStream, found: SparseStream, tolerance: float) -> Instant | None:
    """The first instant at which two results differ by more than the tolerance of floats."""
    exact = first_difference(right, found)
    if exact is None or Type.FLOAT not in right.schema.types:
        return exact
    changes = {i.start for _, i, _ in (*right.runs, *found.runs)} | {i.end for _, i, _ in (*right.runs, *found.runs)}
    moments = sorted(int(t) for t in changes if exact <= t < float("inf"))
    return next((t for t in moments if not close(right.at(t), found.at(t), tolerance)), None)
