"""Few rows that hold every possible pair of values: a pairwise covering list, by greedy choice."""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, product
from random import Random
from typing import Final

from equivalence.cases.dimensions.dimension import Dimension, Row, dimensions_of, possible
from equivalence.cases.random_plans import OPERATORS
from semantics import Plan

COSTLY: Final = {"elements": {"tens": 4, "hundreds": 8}, "copies": {"1000": 8}}
"""How many wanted pairs a value must make in a row, since its cases take several times as long as others."""

Pair = tuple[tuple[str, str], tuple[str, str]]
"""Two dimensions, each with a value, in the order of their names."""


def pairs_of(row: Row) -> Iterator[Pair]:
    """All pairs of values of a row."""
    return combinations(sorted(row.items()), 2)


def possible_pairs(operator: type[Plan], sessions: bool = True) -> frozenset[Pair]:
    """What has to be covered."""
    found: list[Pair] = []
    for one, other in combinations(sorted(dimensions_of(operator, sessions), key=lambda d: d.name), 2):
        found += [((one.name, a), (other.name, b)) for a, b in product(one.values, other.values)]
    return frozenset(pair for pair in found if _together(pair))


@cache
def _together(pair: Pair) -> bool:
    return possible(dict(pair))


def covering_rows(operator: type[Plan], sessions: bool = True) -> tuple[Row, ...]:
    """Rows in which every possible pair of values of an operator's dimensions occurs; always the same rows.

    >>> from semantics.plan import Distinct
    >>> covered = {pair for row in covering_rows(Distinct) for pair in pairs_of(row)}
    >>> covered == possible_pairs(Distinct)
    True
    """
    return _covering_rows(operator.__name__, sessions)


@cache
def _covering_rows(name: str, sessions: bool) -> tuple[Row, ...]:
    operator = next(operator for operator in OPERATORS if operator.__name__ == name)
    return tuple(rows_with(operator, possible_pairs(operator, sessions), sessions, name))


def rows_with(operator: type[Plan], pairs: Iterable[Pair], sessions: bool, seed: str) -> Iterator[Row]:
    """Rows in which all of these pairs occur."""
    dimensions = dimensions_of(operator, sessions)
    wanted = dict.fromkeys(sorted(pairs))
    random = Random(seed).random
    while wanted:
        row = _row(dimensions, next(iter(wanted)), wanted, random)
        for pair in pairs_of(row):
            wanted.pop(pair, None)
        yield row


def _row(dimensions: Sequence[Dimension], first: Pair, wanted: Container[Pair], random: Callable[[], float]) -> Row:
    """A row with a pair; of each further dimension the value that makes most of the wanted pairs with those before."""
    row = dict(first)
    others = [dimension for dimension in dimensions if dimension.name not in row]
    # Whether a costly value is worth its cost shows when all others are known.
    for dimension in sorted(others, key=lambda dimension: (dimension.name in COSTLY, random())):
        row[dimension.name] = _best(dimension, row, wanted, random)
    return row


def _best(dimension: Dimension, row: Row, wanted: Container[Pair], random: Callable[[], float]) -> str:
    costs = COSTLY.get(dimension.name, {})

    def worth(value: str) -> tuple[int, float, float]:
        gain, cost = _gain(dimension.name, value, row, wanted), costs.get(value, 0)
        return gain if gain >= cost else 0, -cost, random()

    return max(_fitting(dimension, row), key=worth)


def _fitting(dimension: Dimension, row: Row) -> list[str]:
    """The values that can occur with each of those before; the first one of every dimension can."""
    return [
        value
        for value in dimension.values
        if all(_together(_pair((dimension.name, value), other)) for other in row.items())
    ]


def _gain(name: str, value: str, row: Row, wanted: Container[Pair]) -> int:
    """How many wanted pairs a value makes."""
    return sum(_pair((name, value), other) in wanted for other in row.items())


def _pair(one: tuple[str, str], other: tuple[str, str]) -> Pair:
    return (one, other) if one < other else (other, one)


def in_turns(rows: Mapping[type[Plan], Sequence[Row]]) -> Iterator[tuple[type[Plan], Row]]:
    """The rows of all operators, one of each at a time, so that every operator is seen early."""
    for i in range(max(map(len, rows.values()), default=0)):
        yield from ((operator, listed[i]) for operator, listed in rows.items() if i < len(listed))
