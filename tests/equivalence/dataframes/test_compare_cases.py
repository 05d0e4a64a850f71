"""The output of a job is compared with the right answer by what it holds, however it is written down."""

import numpy as np

from equivalence.dataframes.compare_cases import first_differences
from equivalence.programs.placed_cases import PlacedCases
from physical.columns.stream import PhysicalStream
from semantics import Interval, Multiset, RawStream, Schema, Value
from semantics.value import NAN

SCHEMA = Schema.of(x=float)
ONE_CASE = PlacedCases(({"S": RawStream(SCHEMA, [])},), 10)


def counted(*rows: tuple[Value, int]) -> PhysicalStream:
    """Rows with counts, all of them at instant 3; each NaN is one of its own, as it is where columns come from."""
    elements = [(row, Interval(3, 4)) for row in rows]
    return PhysicalStream.from_elements(Schema.of(x=float, n=int), elements)


def test_nan_twice_is_the_same_as_two_of_it() -> None:
    nan = float(np.float64("nan"))
    right, found = counted((NAN, 2), (-0.0, 1)), counted((nan, 1), (0.0, 1), (nan, 1))
    assert first_differences(right, found, ONE_CASE, 1e-9) == []
    [difference] = first_differences(right, counted((nan, 1), (0.0, 1)), ONE_CASE, 1e-9)
    assert (difference.case, difference.instant) == (0, 3)
    assert difference.right - difference.found == Multiset([(NAN,)])
