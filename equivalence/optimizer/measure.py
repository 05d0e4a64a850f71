"""Statistics of a stream from some of its elements: how many come, how long they hold, which values they have."""

from typing import Final

import numpy as np

from equivalence.optimizer.cost import INSTANTS_OF_FOREVER, Statistics
from physical.columns.column import ColumnVector, identity_codes
from physical.columns.stream import PhysicalStream
from physical.kernels.types import ENDLESS, Ints

ELEMENTS_OF_A_SAMPLE: Final = 2_000
"""So many rows are kept to try predicates on."""


def measured(elements: PhysicalStream) -> Statistics:
    """What these elements, in the order of time, say about their stream.

    >>> from semantics import parse
    >>> found = measured(PhysicalStream.of(parse("raw(x int): (7)@0 (7)@1 (8)@2 (8)@3")))
    >>> found.rate, found.length, found.distinct
    (1.0, 1.0, {'x': 2.0})
    """
    if not len(elements):
        return Statistics(rate=0.0)
    length = float(np.where(elements.end == ENDLESS, INSTANTS_OF_FOREVER, elements.end - elements.start).mean())
    names = elements.schema.names
    distinct = {name: _values(column) for name, column in zip(names, elements.columns, strict=True)}
    return Statistics(len(elements) / _span(elements), length, distinct, elements.take(_spread(len(elements))))


def _span(elements: PhysicalStream) -> float:
    """Over how many instants these elements came; rows of a table come at once and never again."""
    if bool((elements.end == ENDLESS).all()) and elements.start[0] == elements.start[-1]:
        return INSTANTS_OF_FOREVER
    return float(elements.start[-1]) - float(elements.start[0]) + 1


def _values(column: ColumnVector) -> float:
    """How many values a column has in all, by those that came once and twice in the sample (Chao's estimate)."""
    codes, _ = identity_codes(column)
    _, times = np.unique(codes, return_counts=True)
    once, twice = int((times == 1).sum()), int((times == 2).sum())
    return float(len(times) + once * (once - 1) / (2 * (twice + 1)))


def _spread(length: int) -> Ints:
    """Positions all over the elements, at equal distances."""
    return np.linspace(0, length - 1, min(length, ELEMENTS_OF_A_SAMPLE)).astype(np.int64)
