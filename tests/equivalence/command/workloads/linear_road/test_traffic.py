"""The traffic keeps what is said of it."""

import numpy as np
import pytest

from equivalence.command.workloads.linear_road import FEET_PER_SEGMENT, SECONDS_BETWEEN_REPORTS, Traffic
from examples.linear_road.queries import plans
from physical import run
from physical.columns.stream import PhysicalStream
from physical.kernels.types import Ints

TRAFFIC = Traffic(cars=80, minutes=10, segments=10, seed=4)


def column(name: str) -> Ints:
    position = TRAFFIC.streams["Position"]
    return position.columns[position.schema.names.index(name)].values


@pytest.mark.parametrize("name", TRAFFIC.streams)
def test_streams_are_in_the_order_of_time(name: str) -> None:
    assert len(TRAFFIC.streams[name].checked(name)) > 0


def test_every_car_reports_every_30_seconds_where_it_is() -> None:
    time, car, pos = TRAFFIC.streams["Position"].start, column("car"), column("pos")
    for number in np.unique(car):
        assert set(np.diff(time[car == number]).tolist()) <= {SECONDS_BETWEEN_REPORTS}
    assert (column("seg") == pos // FEET_PER_SEGMENT).all()
    assert (pos >= 0).all()
    assert (pos < TRAFFIC.segments * FEET_PER_SEGMENT).all()


def test_there_are_as_many_places_of_accidents_as_wanted() -> None:
    found = run(plans()["Accident"], TRAFFIC.streams)
    places = set(zip(*(column.to_values() for column in found.columns), strict=True))
    assert len(places) == TRAFFIC.accidents


def test_the_same_seed_gives_the_same_traffic() -> None:
    def bytes_of(stream: PhysicalStream) -> list[bytes]:
        return [column.values.tobytes() for column in stream.columns]

    again, other = Traffic(80, 10, segments=10, seed=4), Traffic(80, 10, segments=10, seed=5)
    for name, stream in TRAFFIC.streams.items():
        assert bytes_of(stream) == bytes_of(again.streams[name])
    assert bytes_of(TRAFFIC.streams["Position"]) != bytes_of(other.streams["Position"])
