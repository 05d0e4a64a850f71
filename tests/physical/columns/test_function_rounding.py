"""differential: ROUND over columns, against the reference."""

import numpy as np
import pytest

from physical.columns.function_rounding import rounded_floats
from semantics.functions.numbers import rounded
from semantics.value import identical


@pytest.mark.parametrize("decimals", range(13))
def test_differential_rounding(decimals: int) -> None:
    draw = np.random.default_rng(decimals)
    halves = (draw.integers(-1000, 1000, 200) + 0.5) / 10.0**decimals
    wide = np.exp(draw.uniform(-40, 40, 300)) * draw.choice([-1, 1], 300)
    special = [0.0, -0.0, np.nan, np.inf, -np.inf, 2.675, 1.005, 0.49999999999999994, 5e-324, 1e308, 2.0**52 + 0.5]
    values = np.concatenate([halves, np.nextafter(halves, 0), wide, special])
    found = rounded_floats(values, np.full(len(values), decimals))
    assert found is not None
    assert [identical(v) for v in found.tolist()] == [identical(rounded(v, decimals)) for v in values.tolist()]


def test_other_decimals_are_left_to_the_reference() -> None:
    values = np.array([1.5, 2.5])
    assert rounded_floats(values, np.array([1, 2])) is None
    assert rounded_floats(values, np.array([-1, -1])) is None
    assert rounded_floats(values, np.array([13, 13])) is None
