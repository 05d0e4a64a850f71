"""Counterexamples by bounded search: few rows and instants, any values, any multiplicities; each is replayed.

A solver is asked for rows, multiplicities, sizes and functions for which the two sides differ. Its answer is put into
plans and streams. It is a counterexample only if `semantics.evaluate` finds that the sides differ there.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Final, assert_never

from equivalence.lists.equivalences import Equivalence
from equivalence.prover.meaning.concrete import constants
from equivalence.prover.refute.floats import ANY_FACTORS, ExactNumbers
from equivalence.prover.refute.outcome import SearchOutcome, first_found
from equivalence.prover.refute.plan_tables import Tables
from equivalence.prover.refute.row_table import CountedRow, NoTermForAggregate, present, times_of
from equivalence.prover.refute.valuation import Model, Valuation, name_of, rows_named
from equivalence.prover.solver.solvers import Z3
from equivalence.prover.terms.build import ONE, ZERO, add, at_most, conj, disj, equal, indicator, is_null, neg, number
from equivalence.prover.terms.smtlib import problem, written_size
from equivalence.prover.terms.term import SmtSort, Term, Var
from equivalence.rules.instances import Instance
from equivalence.sampling.sample import alike
from equivalence.verdicts.counterexample import Counterexample
from semantics import ArithmeticOverflow, IntervalStream, Plan, RawStream, Row, Stream, evaluate
from semantics.constraint import (
    ALWAYS,
    Constraint,
    DuplicateFree,
    Key,
    Lasting,
    NotNull,
    Once,
    References,
    Unique,
    UniqueInstants,
    broken,
)

Sides = tuple[Plan, Plan]
Scopes = Sequence[tuple[int, int]]
SCOPES: Final[Scopes] = ((1, 1), (1, 2), (2, 1), (2, 2), (1, 3), (3, 1), (2, 3), (1, 4), (3, 2), (2, 4), (1, 6))
"""(rows of each source, instants), in the order in which they are tried: small ones are read easily."""
SCOPES_OF_ROUNDED: Final[Scopes] = ((3, 1),)
"""The scope where floats are rounded: one, because rounding makes questions hard."""
STEPS_PER_QUESTION: Final = 150_000
"""Solver steps for a question. A larger budget does not apply where multiplicities may be any: that is too hard."""
UNANSWERED_BEFORE_GIVING_UP: Final = 2
"""Unanswered questions with few of each row before the search ends: larger scopes are harder still."""
PARTS_PER_QUESTION: Final = 150_000
"""A question with more parts than this, all repetitions written out, counts as unanswered."""
ELEMENTS_REPLAYED: Final = 10_000
"""A model with more elements in a stream than this is not replayed."""


def refute(
    instance: Instance,
    equivalence: Equivalence = "snapshot-multiset",
    known: Sequence[Term] = (),
    scopes: Scopes = SCOPES,
    solver: Z3 | None = None,
    numbers: type[ExactNumbers] = ExactNumbers,
    steps: int = STEPS_PER_QUESTION,
    *,
    sure: bool = False,
) -> SearchOutcome:
    """Look for streams on which the sides differ, in larger and larger scopes; `sure` if there are known to be some."""
    asked = solver or Z3()
    searched = (
        BoundedPlanSearch(instance, equivalence, tuple(known), *scope, asked, numbers(), steps).searched(sure)
        for scope in scopes
    )
    try:
        return first_found(searched, UNANSWERED_BEFORE_GIVING_UP)
    except NoTermForAggregate as reason:
        return SearchOutcome(outside=str(reason))


class BoundedPlanSearch:
    """The search in one scope: a number of rows for every source, and of instants."""

    def __init__(
        self,
        instance: Instance,
        equivalence: Equivalence,
        known: tuple[Term, ...],
        rows: int,
        instants: int,
        solver: Z3,
        expressions: ExactNumbers,
        steps: int,
    ) -> None:
        self._instance, self._equivalence, self._known = instance, equivalence, known
        self._instants, self._solver, self._steps = instants, solver, steps
        self._expressions = expressions
        self._valuation = Valuation(constants((instance.left, instance.right)), expressions.tried)
        self._rows = {name: rows_named(name, schema, rows) for name, schema in sorted(instance.sources.items())}
        self._lasting = {c.source for c in instance.constraints if isinstance(c, Lasting)}
        self._sources = {
            name: _history(name, rows_, instants, name in self._lasting) for name, rows_ in self._rows.items()
        }

    def searched(self, sure: bool) -> SearchOutcome:
        """Few of each row first, because such models are read easily.

        Unless there is sure to be a model, any multiplicity is tried before all else: mostly there is none, and one
        question says so.
        """
        differs, caps = self._differs(), self._expressions.caps
        answers = {} if sure else {caps[-1]: self._asked(differs, caps[-1])}
        if not sure and answers[caps[-1]][0] == "unsat":
            return SearchOutcome()
        failed = unanswered = 0
        for cap in caps:
            answer, model = answers.get(cap) or self._asked(differs, cap)
            unanswered += answer == "unknown" and cap is not None
            if answer == "sat":
                found = self._replayed(model)
                if found is not None:
                    return SearchOutcome(found)
                failed += 1
        return SearchOutcome(None, failed, unanswered)

    def _asked(self, differs: Term, cap: int | None) -> tuple[str, Model]:
        counts = [e.times for history in self._sources.values() for table in history for e in table]
        natural = [at_most(ZERO, n) for n in counts] + ([at_most(n, number(cap)) for n in counts] if cap else [])
        natural += [neg(ANY_FACTORS)] if cap else []
        assertions = [
            *self._known,
            *natural,
            *self._constraints(),
            *self._tried(),
            *self._timing(),
            *self._expressions.assertions,
            differs,
        ]
        if sum(map(written_size, assertions)) > PARTS_PER_QUESTION:
            return "unknown", {}
        return self._solver.model(problem(assertions), self._steps if cap else STEPS_PER_QUESTION)

    def _differs(self) -> Term:
        """Some row is there more often on one side: at the last instant, or at any where a side looks ahead."""
        tables, sides = Tables(self._expressions, self._sources), (self._instance.left, self._instance.right)
        histories = zip(*map(tables.of, sides), strict=True)
        ahead = any(side.has_lookahead for side in sides)
        return disj(*(self._apart(*both) for both in (histories if ahead else [*histories][-1:])))

    def _apart(self, left: Sequence[CountedRow], right: Sequence[CountedRow]) -> Term:
        return disj(*(neg(self._same(e.row, left, right)) for e in (*left, *right)))

    def _timing(self) -> list[Term]:
        """What a model must say of instants: nothing, where they are 0, 1, 2 and so on."""
        return []

    def _same(self, row: tuple[Term, ...], left: Sequence[CountedRow], right: Sequence[CountedRow]) -> Term:
        one, other = times_of(row, left), times_of(row, right)
        if self._equivalence == "snapshot-set":
            return equal(indicator(at_most(ONE, one)), indicator(at_most(ONE, other)))
        return equal(one, other)

    def _tried(self) -> list[Term]:
        """Texts and floats are among the values tried; arguments and results of functions have names."""
        columns = [
            (value, type_)
            for name, rows in self._rows.items()
            for row in rows
            for value, type_ in zip(row, self._instance.sources[name].types, strict=True)
        ]
        return self._valuation.assertions(columns, self._expressions)

    def _constraints(self) -> list[Term]:
        return [
            formula
            for constraint in self._instance.constraints
            if constraint.source in self._sources
            for t in range(self._instants)
            for formula in self._kept(constraint, t)
        ]

    def _kept(self, constraint: Constraint, t: int) -> list[Term]:
        table = self._sources[constraint.source][t]
        match constraint:
            case NotNull(columns=columns):
                values = [(e, e.row[i]) for e in table for i in self._positions(constraint.source, columns)]
                return [disj(neg(present(e)), neg(is_null(v))) for e, v in values]
            case Key(source=source, columns=columns):
                return [*self._kept(NotNull(source, columns), t), *self._single(source, columns, t)]
            case Unique(source=source, columns=columns):
                positions = self._positions(source, columns)
                once = zip(table, self._single(source, columns, t), strict=True)
                return [disj(*(is_null(e.row[p]) for p in positions), single) for e, single in once]
            case Lasting():
                return []  # by construction: its history is the same at every instant
            case DuplicateFree(source=source):
                return self._single(source, self._instance.sources[source].names, t)
            case UniqueInstants():
                return [at_most(add(ZERO, *(e.times for e in table)), ONE)]
            case Once(source=source, columns=columns):
                return [*self._kept(NotNull(source, columns), t), *self._single_ever(source, columns)]
            case References():
                return [self._led(constraint, e, t) for e in table]
            case _:
                assert_never(constraint)

    def _single(self, source: str, columns: tuple[str, ...], t: int) -> list[Term]:
        return self._once(self._sources[source][t], self._positions(source, columns))

    def _single_ever(self, source: str, columns: tuple[str, ...]) -> list[Term]:
        entries = [e for table in self._sources[source] for e in table]
        return self._once(entries, self._positions(source, columns))

    def _once(self, table: Sequence[CountedRow], positions: Sequence[int]) -> list[Term]:
        keys = [CountedRow(tuple(e.row[p] for p in positions), e.times) for e in table]
        return [at_most(times_of(key.row, keys), ONE) for key in keys]

    def _led(self, reference: References, entry: CountedRow, t: int) -> Term:
        values = [entry.row[p] for p in self._positions(reference.source, reference.columns)]
        targets = self._positions(reference.target, reference.target_columns)
        hits = [conj(present(e), *map(equal, values, (e.row[p] for p in targets))) for e in self._target(reference, t)]
        return disj(neg(present(entry)), *map(is_null, values), *hits)

    def _target(self, reference: References, t: int) -> Sequence[CountedRow]:
        return self._sources[reference.target][t] if reference.target in self._sources else ()

    def _positions(self, source: str, columns: tuple[str, ...]) -> list[int]:
        return [self._instance.sources[source].index(column, "Constraint") for column in columns]

    # From a model to streams

    def _replayed(self, model: Model) -> Counterexample | None:
        """The counterexample that the model stands for, if the reference agrees; None also if an integer overflows."""
        with suppress(ArithmeticOverflow):
            case = {name: self._stream(name, model) for name in self._sources}
            streams: dict[str, Stream] = {name: stream for name, stream in case.items() if stream is not None}
            interpretation = self._valuation.interpretation(model, self._expressions)
            sides = (interpretation.plan(self._instance.left), interpretation.plan(self._instance.right))
            return self._compared(sides, streams, model) if len(streams) == len(case) else None
        return None

    def _compared(self, sides: Sides, streams: Mapping[str, Stream], model: Model) -> Counterexample | None:
        given = [constraint for constraint in self._instance.constraints if constraint.source in streams]
        kept = not any(broken(constraint, streams) for constraint in given)
        return self._difference(sides, streams, model) if kept else None

    def _difference(self, sides: Sides, streams: Mapping[str, Stream], _: Model) -> Counterexample | None:
        """Where the reference finds that the sides differ first."""
        lefts, rights = (evaluate(plan, streams, self._instants).snapshots for plan in sides)
        differing = [t for t in range(self._instants) if not alike(lefts[t], rights[t], self._equivalence)]
        first = differing[0] if differing else None
        return None if first is None else Counterexample(sides, streams, first, lefts[first], rights[first])

    def _instant(self, number: int, _: Model) -> int:
        """The instant that has this number among those of the search."""
        return number

    def _stream(self, name: str, model: Model) -> Stream | None:
        schema = self._instance.sources[name]
        elements: list[tuple[Row, int]] = []
        for t, table in enumerate(self._sources[name][: 1 if name in self._lasting else None]):
            for entry in table:
                row = self._valuation.row(model, entry.row, schema)
                times = model.get(name_of(entry.times), 0)
                if not isinstance(times, int) or times + len(elements) > ELEMENTS_REPLAYED:
                    return None
                elements += [(row, self._instant(t, model))] * times
        if name in self._lasting:
            return IntervalStream(schema, [(row, ALWAYS) for row, _ in elements])
        return RawStream(schema, elements)


def _history(name: str, rows: Iterable[tuple[Var, ...]], instants: int, lasting: bool) -> list[list[CountedRow]]:
    listed = list(rows)
    times = [0] * instants if lasting else range(instants)
    return [
        [CountedRow(row, Var(f"{name} row {i} at {t}", SmtSort.INT)) for i, row in enumerate(listed)] for t in times
    ]
