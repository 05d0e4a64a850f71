"""What constraints say about streams, in the forms in which the kernel can use it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from equivalence.constraint import Constraint, DuplicateFree, Key, NotNull, References, UniqueInstants
from equivalence.prover import steps
from equivalence.prover.expressions import SORTS
from equivalence.prover.terms import (
    Fresh,
    Sort,
    Symbol,
    Term,
    Var,
    call,
    conj,
    disj,
    equal,
    exists,
    for_all,
    is_null,
    neg,
    positive,
)
from semantics import Schema
from semantics.plan import Source


@dataclass(frozen=True)
class Known:
    """The streams that come up, and their constraints."""

    schemas: Mapping[str, Schema]
    constraints: Collection[Constraint] = ()

    def stream(self, source: Source) -> Symbol:
        return self._symbol(source.name)

    @property
    def keys(self) -> list[steps.Key]:
        """What makes a row of a snapshot unique: all columns where there are no duplicates, none with unique instants."""
        return [steps.Key(f"stream {c.source}", positions) for c in self._mine if (positions := self._unique(c)) is not None]

    def axioms(self, fresh: Fresh) -> tuple[Term, ...]:
        """What the streams' definitions do not already say."""
        axioms = []
        for constraint in self._mine:
            positions = self._unique(constraint)
            if isinstance(constraint, References) and constraint.target in self.schemas:
                axioms.append(self._reference(constraint, fresh))
            elif positions is not None and not isinstance(constraint, DuplicateFree):
                axioms.append(self._one_row(constraint.source, positions, fresh))
        return tuple(axioms)

    @property
    def _mine(self) -> list[Constraint]:
        return [constraint for constraint in self.constraints if constraint.source in self.schemas]

    def _unique(self, constraint: Constraint) -> tuple[int, ...] | None:
        match constraint:
            case Key(source=source, columns=columns):
                return self._positions(source, columns)
            case DuplicateFree(source=source):
                return tuple(range(len(self.schemas[source])))
            case UniqueInstants():
                return ()
            case NotNull() | References():
                return None

    def _symbol(self, source: str) -> Symbol:
        schema = self.schemas[source]
        about = [c for c in self._mine if c.source == source]
        present = [p for c in about if isinstance(c, NotNull | Key) for p in self._positions(source, c.columns)]
        once = any(self._unique(c) is not None for c in about)
        sorts = (*(SORTS[type_] for type_ in schema.types), Sort.INT)
        return Symbol(f"stream {source}", sorts, Sort.INT, "stream", once, tuple(sorted(set(present))))

    def _positions(self, source: str, columns: tuple[str, ...]) -> tuple[int, ...]:
        return tuple(self.schemas[source].index(column, "Constraint") for column in columns)

    def _row(self, source: str, fresh: Fresh) -> tuple[Var, ...]:
        return tuple(fresh.var("x", SORTS[type_]) for type_ in self.schemas[source].types)

    def _one_row(self, source: str, positions: tuple[int, ...], fresh: Fresh) -> Term:
        """Two rows of one snapshot that agree at these positions are one."""
        x, y, t = self._row(source, fresh), self._row(source, fresh), fresh.var("t", Sort.INT)
        stream = self._symbol(source)
        both = conj(positive(call(stream, *x, t)), positive(call(stream, *y, t)))
        agree = conj(*(equal(x[p], y[p]) for p in positions))
        same = conj(*(equal(a, b) for a, b in zip(x, y, strict=True)))
        return for_all((*x, *y, t), disj(neg(both), neg(agree), same))

    def _reference(self, reference: References, fresh: Fresh) -> Term:
        """A row whose references are not NULL has a target at the same instant."""
        x, y, t = self._row(reference.source, fresh), self._row(reference.target, fresh), fresh.var("t", Sort.INT)
        values = [x[p] for p in self._positions(reference.source, reference.columns)]
        targets = [y[p] for p in self._positions(reference.target, reference.target_columns)]
        there = positive(call(self._symbol(reference.source), *x, t))
        hit = conj(*(equal(a, b) for a, b in zip(values, targets, strict=True)))
        found = exists(y, conj(positive(call(self._symbol(reference.target), *y, t)), hit))
        return for_all((*x, t), disj(neg(there), *map(is_null, values), found))
