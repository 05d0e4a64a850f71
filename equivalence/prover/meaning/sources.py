"""Streams as terms that keep their constraints by construction, so that no axiom about them is needed.

If a key tells rows apart, a stream is not a multiplicity but two functions of the key and the instant: whether there is
a row, and its other columns. Every stream that keeps the constraints can be written so; soundness rests on that.
`Unique`, which allows NULL, is not made use of.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

from equivalence.prover.meaning.expressions import SORTS
from equivalence.prover.terms.build import (
    ZERO,
    at_most,
    call,
    conj,
    disj,
    equal,
    exists,
    indicator,
    is_null,
    mul,
    neg,
    positive,
)
from equivalence.prover.terms.term import ROW_OF_A_KEY, Fresh, SmtSort, Symbol, Term
from semantics import Schema
from semantics.constraint import (
    Constraint,
    DuplicateFree,
    Key,
    Lasting,
    NotNull,
    Once,
    References,
    Unique,
    UniqueInstants,
)


@dataclass(frozen=True)
class SourceTerms:
    """The terms of the sources, given their schemas and constraints."""

    schemas: Mapping[str, Schema]
    constraints: Collection[Constraint]
    fresh: Fresh

    def times(self, source: str, row: Sequence[Term], time: Term, above: tuple[str, ...] = ()) -> Term:
        """How often the row is in the stream; streams that refer to one another in a circle are cut open."""
        about = [c for c in self.constraints if c.source == source]
        if Lasting(source) in about and time != ZERO:
            return mul(indicator(at_most(ZERO, time)), self.times(source, row, ZERO, above))
        unique = [positions for c in about if (positions := self._unique(c)) is not None]
        once = [self._once(source, self._positions(source, c.columns), row, time) for c in about if isinstance(c, Once)]
        led = [self._led(c, row, time, (*above, source)) for c in about if isinstance(c, References)]
        present = sorted(
            {p for c in about if isinstance(c, NotNull | Key | Once) for p in self._positions(source, c.columns)}
        )
        if not unique and not once:
            return mul(indicator(conj(*led)), call(self._stream(source, tuple(present)), *row, time))
        there = [self._one_row(source, positions, row, time) for positions in unique]
        full = [neg(is_null(row[p])) for p in present]
        return indicator(conj(at_most(ZERO, time), *full, *there, *once, *led))

    def _unique(self, constraint: Constraint) -> tuple[int, ...] | None:
        """The columns that tell rows apart: all where there are no duplicates, none with unique instants."""
        match constraint:
            case Key(source=source, columns=columns):
                return self._positions(source, columns)
            case DuplicateFree(source=source):
                return tuple(range(len(self.schemas[source])))
            case UniqueInstants():
                return ()
            case NotNull() | References() | Once() | Unique() | Lasting():
                return None
            case _:
                assert_never(constraint)

    def _stream(self, source: str, present: tuple[int, ...]) -> Symbol:
        sorts = (*self._sorts(source), SmtSort.INT)
        return Symbol(f"stream {source}", sorts, SmtSort.INT, "stream", present)

    def _one_row(self, source: str, positions: tuple[int, ...], row: Sequence[Term], time: Term) -> Term:
        """There is a row for this key, and it is this one."""
        sorts, key = self._sorts(source), [row[p] for p in positions]
        parameters, name = (*(sorts[p] for p in positions), SmtSort.INT), f"{source} by {positions}"
        there = call(Symbol(f"{ROW_OF_A_KEY}{name}", parameters, SmtSort.BOOL), *key, time)
        rest = [i for i in range(len(row)) if i not in positions]
        values = [call(Symbol(f"column {i} {name}", parameters, sorts[i]), *key, time) for i in rest]
        return conj(there, *(equal(row[i], value) for i, value in zip(rest, values, strict=True)))

    def _once(self, source: str, positions: tuple[int, ...], row: Sequence[Term], time: Term) -> Term:
        """There is a row for this key, at one instant, and it is this one."""
        sorts, key = self._sorts(source), [row[p] for p in positions]
        parameters, name = tuple(sorts[p] for p in positions), f"{source} once by {positions}"
        there = call(Symbol(f"{ROW_OF_A_KEY}{name}", parameters, SmtSort.BOOL), *key)
        when = call(Symbol(f"when {name}", parameters, SmtSort.INT), *key)
        rest = [i for i in range(len(row)) if i not in positions]
        values = [call(Symbol(f"column {i} {name}", parameters, sorts[i]), *key) for i in rest]
        return conj(there, equal(time, when), *(equal(row[i], value) for i, value in zip(rest, values, strict=True)))

    def _led(self, reference: References, row: Sequence[Term], time: Term, above: tuple[str, ...]) -> Term:
        """References that are not NULL have a target at the same instant."""
        if reference.target not in self.schemas or reference.target in above:
            return conj()
        other = [self.fresh.var("y", sort) for sort in self._sorts(reference.target)]
        values = [row[p] for p in self._positions(reference.source, reference.columns)]
        targets = [other[p] for p in self._positions(reference.target, reference.target_columns)]
        hit = conj(*map(equal, values, targets), positive(self.times(reference.target, other, time, above)))
        return disj(*map(is_null, values), exists(tuple(other), hit))

    def _sorts(self, source: str) -> tuple[SmtSort, ...]:
        return tuple(SORTS[type_] for type_ in self.schemas[source].types)

    def _positions(self, source: str, columns: tuple[str, ...]) -> tuple[int, ...]:
        return tuple(self.schemas[source].index(column, "Constraint") for column in columns)
