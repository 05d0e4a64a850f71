"""Finite multisets of rows: what a stream holds at one instant."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal

from semantics.errors import StreamError
from semantics.value import Row, brief, identical_row, row_order


class Multiset:
    """How often each row occurs; immutable, and no row is ever stored with multiplicity 0.

    >>> pair = Multiset({("a",): 2, ("b",): 1})
    >>> pair[("a",)], pair[("z",)], len(pair)
    (2, 0, 3)
    """

    __slots__ = ("_counts",)

    def __init__(self, rows: Mapping[Row, int] | Iterable[Row] = ()) -> None:
        counts: dict[Row, int] = {}
        if not isinstance(rows, Iterable):
            raise StreamError(f"Multiset: expected rows, or a mapping from rows to multiplicities, got {brief(rows)}")
        for row, n in rows.items() if isinstance(rows, Mapping) else ((row, 1) for row in rows):
            if not _is_row(row) or type(n) is not int or n < 0:
                raise StreamError(f"Multiset: expected row tuples with multiplicities ≥ 0, got {brief(row)}: {n!r}")
            if n:
                same = identical_row(row)
                counts[same] = counts.get(same, 0) + n
        self._counts = counts

    @classmethod
    def sum(cls, parts: Iterable[tuple[Row, int]]) -> "Multiset":
        """Add up multiplicities row by row: `Σ n(e)`; rows that count as the same must be the same already."""
        counts: dict[Row, int] = {}
        for row, n in parts:
            counts[row] = counts.get(row, 0) + n
        return cls._of(counts)

    @classmethod
    def _of(cls, counts: dict[Row, int]) -> "Multiset":
        """From counts of rows that are known to be in order, none of them 0."""
        made = object.__new__(cls)
        made._counts = counts
        return made

    def __getitem__(self, row: Row) -> int:
        return self._counts.get(identical_row(row), 0)

    def __contains__(self, row: Row) -> bool:
        return self[row] > 0

    def __len__(self) -> int:
        """The number of occurrences, duplicates counted."""
        return sum(self._counts.values())

    def __iter__(self) -> Iterator[Row]:
        """Every occurrence, in the total order on rows."""
        for row, n in self.items():
            yield from [row] * n

    def items(self) -> list[tuple[Row, int]]:
        """Rows with their multiplicities, in the total order on rows."""
        if len(self._counts) < 2:
            return list(self._counts.items())
        return sorted(self._counts.items(), key=lambda item: row_order(item[0]))

    def pairs(self) -> Iterable[tuple[Row, int]]:
        """Rows with their multiplicities, in no particular order."""
        return self._counts.items()

    @property
    def support(self) -> frozenset[Row]:
        """The rows that occur at all."""
        return frozenset(self._counts)

    def filter(self, keep: Callable[[Row], bool]) -> "Multiset":
        return Multiset._of({row: n for row, n in self._counts.items() if keep(row)})

    def map(self, function: Callable[[Row], Row]) -> "Multiset":
        """Apply function to every row; rows that become the same add up."""
        return Multiset.sum((identical_row(function(row)), n) for row, n in self._counts.items())

    def combine(self, other: "Multiset", operation: Callable[[int, int], int]) -> "Multiset":
        """Apply an operation on multiplicities to every row of either side."""
        mine, theirs = self._counts, other._counts
        combined = {row: operation(mine.get(row, 0), theirs.get(row, 0)) for row in mine | theirs}
        return Multiset._of({row: n for row, n in combined.items() if n})

    def __add__(self, other: "Multiset") -> "Multiset":
        return self.combine(other, lambda n, m: n + m)

    def __sub__(self, other: "Multiset") -> "Multiset":
        """Monus: multiplicities never go below 0."""
        return self.combine(other, lambda n, m: max(n - m, 0))

    def __and__(self, other: "Multiset") -> "Multiset":
        return self.combine(other, min)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Multiset) and self._counts == other._counts

    def __reduce__(self) -> tuple[object, ...]:
        """Through the constructor: a copied NaN is another object, and must become ours again."""
        return (Multiset, (dict(self._counts),))

    def __hash__(self) -> int:
        return hash(frozenset(self._counts.items()))

    def __repr__(self) -> str:
        return f"Multiset({dict(self.items())})" if self._counts else "Multiset()"


def _is_row(row: object) -> bool:
    return isinstance(row, tuple) and all(v is None or isinstance(v, int | float | str | Decimal | tuple) for v in row)
