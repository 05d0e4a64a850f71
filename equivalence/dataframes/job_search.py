"""The search for a case on which a job and a query differ, and the smallest such case."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from equivalence.cases.choices import SeededChoices
from equivalence.cases.random_cases import Case
from equivalence.conformance.subject.tolerance import close
from equivalence.dataframes.compare_cases import CaseDifference, first_differences
from equivalence.dataframes.job_arrival import across_an_end
from equivalence.dataframes.job_runs import JobRunner
from equivalence.neighbours.measure import NeighbourMeasure, as_multisets
from equivalence.programs.placed_cases import PlacedCases, after_nothing, at_one_instant, placed, with_one_table
from equivalence.programs.program_cases import ProgramCases
from equivalence.programs.program_inputs import name_of
from equivalence.programs.program_output import ProgramOutput, counted_answer
from equivalence.programs.program_verdict import unrefuted
from equivalence.query_files.query_over_files import QueryOverFiles
from equivalence.recordings.panes import as_panes, differ_at_panes
from equivalence.verdicts.counterexample import Counterexample
from equivalence.verdicts.verdict import Verdict
from physical.engines.interval.run_plan import run
from semantics import (
    ArithmeticOverflow,
    Instant,
    IntervalStream,
    Multiset,
    Plan,
    RawStream,
    SnapeqError,
    Stream,
    Unsupported,
    evaluate_sparse,
    show,
)
from semantics.constraint import elements_of
from semantics.stream import IntervalElement

CASES_IN_A_RUN: Final = 200
"""A run of a job costs about as much as thousands of elements."""
ROUNDS_TO_SHRINK: Final = 12
"""Each round is one run: all smaller cases are tried in it."""
TRIED_ALONE: Final = 3
"""Smaller cases that fail among others are tried by themselves, each with a run."""
ORDERS_TRIED: Final = 4
ROUNDS_IN_DISORDER: Final = 4
"""If rows come in disorder, a run has many more batches, so fewer are made."""
SIMPLE_NUMBERS: Final = (0, 1, 2)
MOST_SINGLES: Final = 24
"""Single elements are left out of streams that have no more."""
LARGE: Final = 2**31
"""Neither sums nor products of smaller integers overflow."""
LATEST_MILLISECOND: Final = 200_000_000_000_000
"""In the year 8307: Spark's timestamps end in 9999, and a late row comes after all cases."""


class JobSearch:
    """Cases for one job, and what came of them."""

    def __init__(self, runner: JobRunner, query: QueryOverFiles, seed: int, tolerance: float) -> None:
        self.runner, self.query, self.seed, self.tolerance = runner, query, seed, tolerance
        self.plan: Plan = query.plan
        self.pane: int | None = None
        self.kind: ProgramOutput | None = runner.options.output
        self.draw = ProgramCases(query, awkward_directed=True)
        self.neighbours: NeighbourMeasure | None = None
        self.cases = self.fired = self.runs = 0
        self.overflowing = 0
        """Cases that were left out, because the job overflows on such integers and the query does not."""

    def verdict(self, examples: int) -> Verdict:
        for first in range(0, examples, CASES_IN_A_RUN):
            cases, differences = self._compared(self._drawn(range(first, min(first + CASES_IN_A_RUN, examples))))
            self.cases += len(cases)
            if differences:
                return self._refuted(cases, differences[0].case)
            self._measure(cases)
        return unrefuted(self._evidence(), self.fired, self.neighbours)

    def _compared(self, cases: list[Case]) -> tuple[list[Case], list[CaseDifference]]:
        """The differences; if the job overflows where the query does not, of the cases without large integers."""
        try:
            return cases, self._differences(cases)
        except ArithmeticOverflow:
            small = [case for case in cases if not _has_large_integers(case)]
            self.overflowing += len(cases) - len(small)
            return small, self._differences(small)

    def _measure(self, cases: Sequence[Case]) -> None:
        """Note the neighbours that these cases tell from the query, at the instants that are compared."""
        differ = as_multisets if self.pane is None else differ_at_panes(self.pane)
        self.neighbours = self.neighbours or NeighbourMeasure(self.plan, differ=differ)
        for case in cases:
            self.neighbours.look(case, self._placed([case]).horizon)

    def _evidence(self) -> dict[str, object]:
        counts = {"cases": self.cases, "fired": self.fired, "runs": self.runs, "seed": self.seed}
        name = name_of(self.runner.job)
        arrival = self.runner.options.arrival
        said = {"slack": arrival.slack, "late": arrival.late, "overflowing": self.overflowing}
        return {"how": "sampled", "job": name, "output": self.kind, **counts, **{k: v for k, v in said.items() if v}}

    def _drawn(self, numbers: range) -> list[Case]:
        """Free and directed cases by turns, each with a right answer, as many as fit into Spark's time."""
        drawn = with_one_table([self._case(number) for number in numbers], self.draw.constraints)
        cases = [case for case in drawn if self._has_an_answer(case)]
        if not cases:
            return []
        most = LATEST_MILLISECOND // self.runner.milliseconds // self._placed(cases).period
        if not most:
            raise Unsupported("check_job: windows of the query are longer than the time that Spark can represent")
        return cases[:most]

    def _case(self, number: int) -> Case:
        choices = SeededChoices(f"{self.seed}/{number}")
        drawn = self.draw.directed(choices) if number % 2 else self.draw.free(choices)
        slack = self.runner.options.arrival.slack
        moved = across_an_end(drawn, self.query.plan, slack) if slack and number % 4 == 2 else drawn
        return moved if self.draw.is_promised(moved) else drawn

    def _has_an_answer(self, case: Case) -> bool:
        try:
            run(self.query.plan, case, self._placed([case]).horizon)
        except ArithmeticOverflow:
            return False
        return True

    def _placed(self, cases: Sequence[Case]) -> PlacedCases:
        return placed(cases, self.query.plan, self.draw.clues, self.draw.tables)

    def _differences(self, cases: Sequence[Case]) -> list[CaseDifference]:
        """Run the job on all cases at once, and compare what it gives with the right answer."""
        if not cases:
            return []
        # Before it has seen anything, Spark's watermark stands at 1970: operators drop what is not later than that.
        before = 1 if self.runner.options.streaming else 0
        together = self._placed(after_nothing(cases, self.draw.tables) if before else cases)
        streams = together.streams()
        ran = self.runner.run(streams, together.horizon, together.step)
        self.runs += 1
        if ran.kind == "panes" and self.pane is None:
            self.plan, self.pane = as_panes(self.query.plan)
        self.kind = ran.kind
        right = counted_answer(run(self.plan, streams, together.horizon), self.pane, together.horizon)
        self.fired += len({start // together.period for start in right.start.tolist()})
        differences = first_differences(right, ran.found, together, self.tolerance)
        return [replace(one, case=max(one.case - before, 0)) for one in differences]

    def _alone(self, case: Case) -> list[CaseDifference]:
        """The difference of one case; if rows come in disorder it is repeated, so that they come in several orders."""
        copies = ORDERS_TRIED if self.runner.options.arrival.slack else 1
        return [replace(found, case=0) for found in self._differences([case] * copies)[:1]]

    def _refuted(self, cases: Sequence[Case], failed: int) -> Verdict:
        """Make the case small that failed; or the next one, if the job gave a result too early; or all together."""
        evidence = self._evidence()
        until = cases[: failed + 2]
        for case in (*until[failed:], self._placed(until).streams()):
            alone = self._alone(case)
            if alone:
                small, first = self._smallest(case, alone[0])
                return Verdict("refuted", evidence, self._counterexample(small, first))
        return Verdict("refuted", {**evidence, "error": "the job gives another result for the same input later"})

    def _smallest(self, case: Case, difference: CaseDifference) -> tuple[Case, CaseDifference]:
        """As few and simple elements as still fail; each round tries all smaller cases at once."""
        for _ in range(ROUNDS_IN_DISORDER if self.runner.options.arrival.slack else ROUNDS_TO_SHRINK):
            smaller = [one for one in (*_smaller(case), *_simpler(case)) if self.draw.is_promised(one)]
            found = self._first_alone(smaller, self._differences(smaller))
            if found is None:
                break
            case, difference = smaller[found.case], found
        return case, difference

    def _first_alone(self, cases: Sequence[Case], found: Sequence[CaseDifference]) -> CaseDifference | None:
        """The first case that fails by itself, and not only among others: a job may give out a result too early."""
        for difference in found[: 1 if self.runner.options.arrival.slack else TRIED_ALONE]:
            alone = self._alone(cases[difference.case])
            if alone:
                return replace(alone[0], case=difference.case)
        return None

    def _counterexample(self, case: Case, difference: CaseDifference) -> Counterexample:
        """The reference has the last word on what is right."""
        right = self._right_at(case, difference.instant)
        if not close(right, difference.right, self.tolerance):
            raise SnapeqError(f"check_job: our own engine is wrong; please report: {show(self.plan)} on {case}")
        return Counterexample((self.plan,), case, difference.instant, right, difference.found)

    def _right_at(self, case: Case, instant: Instant) -> Multiset:
        """What the reference holds then: nothing where no pane of the query ends, though the job has one there."""
        if instant < 0 or (self.pane is not None and (instant + 1) % self.pane):
            return Multiset()
        return evaluate_sparse(self.plan, case, self._placed([case]).horizon).at(instant)


def _has_large_integers(case: Case) -> bool:
    values = (value for stream in case.values() for row, _ in elements_of(stream) for value in row)
    return any(type(value) is int and abs(value) >= LARGE for value in values)


def _smaller(case: Case) -> Iterator[Case]:
    """The same case with fewer elements: half of a stream first, then all but one."""
    for name, stream in case.items():
        elements = elements_of(stream)
        half = len(elements) // 2
        parts = [elements[:half], elements[half:]] if half > 1 else []
        singles = [(*elements[:i], *elements[i + 1 :]) for i in range(len(elements))]
        for kept in (*parts, *(singles if len(singles) <= MOST_SINGLES else ())):
            yield {**case, name: _of_kind(stream, kept)}


def _simpler(case: Case) -> Iterator[Case]:
    """The same case with a simple number in the place of another one, wherever it occurs."""
    numbers = {v for stream in case.values() for row, _ in elements_of(stream) for v in row if type(v) is int}
    for number in sorted(numbers - {*SIMPLE_NUMBERS}):
        for simple in SIMPLE_NUMBERS:
            yield {name: _replaced(stream, number, simple) for name, stream in case.items()}


def _replaced(stream: Stream, old: int, new: int) -> Stream:
    rows = [(tuple(new if v == old and type(v) is int else v for v in row), i) for row, i in elements_of(stream)]
    return _of_kind(stream, rows)


def _of_kind(stream: Stream, elements: Sequence[IntervalElement]) -> Stream:
    """A stream of the same kind with these elements."""
    made = IntervalStream(stream.schema, elements)
    return at_one_instant(made) if isinstance(stream, RawStream) else made
