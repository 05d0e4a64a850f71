"""differential: fields and beginnings of points in time, against the reference."""

import numpy as np
import pytest

from physical.columns.function_times import beginnings, fields
from semantics.functions.calendar_fields import TIMESTAMP_FIELD, UNIT, beginning, field_of_timestamp
from semantics.temporal import Timestamp

POINTS = np.random.default_rng(5).integers(Timestamp.least, Timestamp.greatest, 300)
EDGES = ("0001-01-01", "1969-12-31 23:59:59.999999", "1970-01-01", "2000-02-29", "9999-12-31")
MICROS = np.concatenate([POINTS, np.array([int(Timestamp(edge)) for edge in EDGES])])


@pytest.mark.parametrize("field", TIMESTAMP_FIELD.samples)
def test_differential_fields(field: str) -> None:
    found = fields(field, MICROS)
    if found is None:
        assert field in ("week", "isoyear", "decade", "century", "millennium")
    else:
        assert found.tolist() == [field_of_timestamp(field, Timestamp(int(micros))) for micros in MICROS]


@pytest.mark.parametrize("unit", UNIT.samples)
def test_differential_beginnings(unit: str) -> None:
    found = beginnings(unit, MICROS)
    if found is None:
        assert unit in ("week", "quarter", "decade", "century", "millennium")
    else:
        assert found.tolist() == [beginning(unit, Timestamp(int(micros))) for micros in MICROS]
