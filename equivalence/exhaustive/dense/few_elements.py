"""All cases of few elements over many rows, instants and numbers of copies.

Small scopes have many copies of few rows. Here it is the other way round: NULL, all constants of the plans and their
neighbours are among the values of every column, as far as the budget goes, and a row may come in as many copies at once
as a window of rows or a threshold on a count asks for.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement, islice
from math import comb, prod
from typing import Final

import numpy as np

from equivalence.exhaustive.dense.counts import CaseBatch, Counts, Rows, Shape, Width, narrowest
from equivalence.exhaustive.dense.domain import Domains
from equivalence.exhaustive.dense.sizes import largest_total
from equivalence.exhaustive.dense.small_scope import SNAPSHOTS_TO_AGGREGATE, has_aggregates
from equivalence.exhaustive.dense.space import Indices
from equivalence.exhaustive.dense.timing import Timing, fits_densely, instants_that_matter, listed_instants, timing_of
from semantics import Plan, Row, Schema, Value
from semantics.expression import Constant, Expression, children
from semantics.notation.show_expression import show_value
from semantics.plan import CountWindow, Filter, PartitionedWindow, Source

MOST_ELEMENTS: Final = 4
"""Cases of more elements than this are left to the small scope."""
MOST_COPIES: Final = 10_000
"""Windows and thresholds for which a row must come more often than this do not fit."""
MOST_INSTANTS: Final = 12
SHARE_OF_LIMIT: Final = 8
"""Cases of each number of elements are at most this part of the limit."""
NUMBERS_PER_CASE: Final = 80
"""Multiplicities that a case may have on average, if there are as many cases as the limit admits."""
NUMBERS_PER_BATCH: Final = 1 << 21

Cell = tuple[str, Row, int, int]
"""A source, a row, the place of an instant, and how many copies there are."""


@dataclass(frozen=True)
class Extent:
    """How many of all candidates there are in a scope."""

    rows: int = 1
    instants: int = 1
    copies: int = 1


@dataclass(frozen=True)
class FewElements:
    """All cases of a number of elements, each a row of a source at an instant in some number of copies."""

    nodes: tuple[Plan, ...]
    elements: int
    rows: Domains
    copies: tuple[int, ...]
    timing: Timing
    lasting: frozenset[str] = frozenset()

    @property
    def schemas(self) -> dict[str, Schema]:
        return {node.name: node.schema for node in self.nodes if isinstance(node, Source)}

    @property
    def cases(self) -> int:
        return _cases(self._cells, self.elements)

    @property
    def _cells(self) -> int:
        return sum(len(rows) * len(self._places(name)) * len(self.copies) for name, rows in self.rows.items())

    def _places(self, name: str) -> list[int]:
        return [0] if name in self.lasting else self.timing.places

    def cells(self) -> list[Cell]:
        """All elements that there may be: early ones, single ones and first rows first."""
        found = [
            (place, copies, number, name, row)
            for name, rows in self.rows.items()
            for place in self._places(name)
            for copies in self.copies
            for number, row in enumerate(rows)
        ]
        ordered = sorted(found, key=lambda cell: cell[:4])
        return [(name, row, place, copies) for place, copies, _, name, row in ordered]

    def batches(self) -> Iterator[CaseBatch]:
        """All cases, in batches that fit into memory."""
        given = dict.fromkeys(self.rows, self.elements * max(self.copies))
        width = narrowest(largest_total(self.nodes, given, len(self.timing.moments)))
        numbers = len(self.timing.moments) * sum(map(len, self.rows.values()))
        cells = self.cells()
        combinations = combinations_with_replacement(range(len(cells)), self.elements)
        while chosen := list(islice(combinations, max(NUMBERS_PER_BATCH // numbers, 64))):
            shape = (len(self.timing.moments), len(chosen))
            yield CaseBatch(self._sources(cells, np.array(chosen), width), shape, width, self.timing.moments)

    def _sources(self, cells: Sequence[Cell], chosen: Indices, width: Width) -> dict[str, Rows]:
        shape = (len(self.timing.moments), len(chosen))
        return {name: self._stream(name, cells, chosen, shape, width) for name in self.rows}

    def _stream(self, name: str, cells: Sequence[Cell], chosen: Indices, shape: Shape, width: Width) -> Rows:
        """What a source holds in the cases that consist of these cells: one line of cells for each case."""
        rows = self.rows[name]
        numbers = {row: number for number, row in enumerate(rows)}
        mine = np.array([cell[0] == name for cell in cells])
        places = np.array([(numbers[cell[1]] if cell[0] == name else 0, *cell[2:]) for cell in cells])
        counts: Counts = np.zeros((len(rows), *shape), width)
        for element in chosen.T:
            (cases,) = np.nonzero(mine[element])
            row, place, copies = places[element[cases]].T
            counts[row, place, cases] += copies.astype(width)
        counts[:, 1:] = counts[:, :1] if name in self.lasting else counts[:, 1:]
        return dict(zip(rows, counts, strict=True))

    def to_json(self) -> dict[str, object]:
        return {
            "elements": self.elements,
            "cases": self.cases,
            "instants": list(self.timing.instants),
            "copies": list(self.copies),
            "rows": {name: len(rows) for name, rows in self.rows.items()},
            "values": {name: self._values(name) for name in self.rows},
        }

    def _values(self, name: str) -> dict[str, list[str]]:
        """The values of each column."""
        columns = zip(self.schemas[name].names, zip(*self.rows[name], strict=True), strict=True)
        return {column: [show_value(v) for v in dict.fromkeys(values)] for column, values in columns}

    def __str__(self) -> str:
        number = "one element" if self.elements == 1 else f"{self.elements} elements"
        copies = "" if self.copies == (1,) else f" in {_alternatives(self.copies)} copies"
        extents = "; ".join(f"{name}: {self._extent(name)}" for name in self.rows)
        return f"{number}{copies} {listed_instants(self.timing.instants)}; {extents}"

    def _extent(self, name: str) -> str:
        values = ", ".join(f"{column} in {{{', '.join(shown)}}}" for column, shown in self._values(name).items())
        return f"{len(self.rows[name])} rows, {values}"


def few_elements(nodes: tuple[Plan, ...], rows: Domains, limit: int, lasting: frozenset[str]) -> list[FewElements]:
    """For each number of elements the largest scope within the limit."""
    ordered = {name: _every_value_first(candidates) for name, candidates in rows.items()}
    scopes = [_largest(nodes, elements, ordered, limit, lasting) for elements in range(1, MOST_ELEMENTS + 1)]
    return [scope for scope in scopes if scope is not None]


def _largest(
    nodes: tuple[Plan, ...], elements: int, rows: Domains, limit: int, lasting: frozenset[str]
) -> FewElements | None:
    """The scope that is reached by growing: in rows, in instants and in copies in turn."""
    reducible = all(node.reducible for node in nodes)
    copies = copies_that_matter(nodes)
    instants = 1 if reducible else MOST_INSTANTS if fits_densely(nodes) else len(instants_that_matter(nodes))
    most = Extent(max(map(len, rows.values())), min(instants, MOST_INSTANTS), len(copies))

    def scope(extent: Extent) -> FewElements:
        chosen = {name: candidates[: extent.rows] for name, candidates in rows.items()}
        timing = timing_of(nodes, lasting, extent.instants)
        return FewElements(nodes, elements, chosen, copies[: extent.copies], timing, lasting)

    def fits(extent: Extent) -> bool:
        made = scope(extent)
        cases = limit // SHARE_OF_LIMIT
        if has_aggregates(nodes):
            cases = min(cases, SNAPSHOTS_TO_AGGREGATE)
        numbers = made.cases * len(made.timing.moments) * prod(map(len, made.rows.values()))
        return made.cases <= cases and numbers <= limit * NUMBERS_PER_CASE

    return scope(_grown(Extent(), most, fits)) if fits(Extent()) else None


def _grown(extent: Extent, most: Extent, fits: Callable[[Extent], bool]) -> Extent:
    """Grow in each direction in turn, while it fits: copies first, since there are few numbers of them."""
    before = extent
    for direction in ("copies", "rows", "instants"):
        larger = replace(extent, **{direction: getattr(extent, direction) + 1})
        if getattr(larger, direction) <= getattr(most, direction) and fits(larger):
            extent = larger
    return extent if extent == before else _grown(extent, most, fits)


def _cases(cells: int, elements: int) -> int:
    """How many multisets of this many elements there are."""
    return comb(cells + elements - 1, elements)


def _every_value_first(rows: Sequence[Row]) -> tuple[Row, ...]:
    """The same rows; those with a value that no row before has in the same column come first."""
    seen: set[tuple[int, Value]] = set()
    first = []
    for row in rows:
        if not {*enumerate(row)} <= seen:
            first.append(row)
            seen |= {*enumerate(row)}
    return tuple(dict.fromkeys([*first, *rows]))


def copies_that_matter(nodes: Sequence[Plan]) -> tuple[int, ...]:
    """One copy; as many as fill a window of rows, and one more; as many as thresholds over aggregates ask for."""
    windows = [node.rows for node in nodes if isinstance(node, CountWindow | PartitionedWindow)]
    limits = [c for node in nodes if isinstance(node, Filter) and has_aggregates(node.walk()) for c in _integers(node)]
    numbers = [n + step for n in sorted({*windows, *limits}) for step in (1, 0)]
    return tuple(dict.fromkeys([1, *(n for n in numbers if 1 < n <= MOST_COPIES)]))


def _integers(node: Filter) -> Iterator[int]:
    """The integers in a predicate."""
    for part in _parts(node.predicate):
        if isinstance(part, Constant) and type(part.value) is int:
            yield part.value


def _parts(expression: Expression) -> Iterator[Expression]:
    yield expression
    for child in children(expression):
        yield from _parts(child)


def _alternatives(numbers: Sequence[int]) -> str:
    *others, last = map(str, sorted(numbers))
    return f"{', '.join(others)} or {last}" if others else last
