"""The traffic keeps what is said of it."""

from pathlib import Path

import numpy as np
import pytest

from equivalence.command.workloads.linear_road import FEET_PER_SEGMENT, SECONDS_BETWEEN_REPORTS, Traffic
from examples.linear_road.queries import plans
from physical import run
from physical.columns.stream import PhysicalStream
from physical.kernels.types import Ints
from tests.equivalence.command.command import snapeq
from tests.paths import ROOT

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


def test_at_a_load_reports_grow_as_in_the_benchmark() -> None:
    """Figure 3.12: 15 to 20 reports a second at the beginning of load 1, some 1,700 at the end; here a fiftieth."""
    seconds = Traffic.at_load(0.02, 180).streams["Position"].start
    first, last = np.sum(seconds < 120) / 120, np.sum(seconds >= 170 * 60) / 600
    assert 15 / 50 < first < 30 / 50
    assert 1500 / 50 < last < 1900 / 50
    assert 10e6 / 50 < len(seconds) < 14e6 / 50


def test_the_command_writes_what_the_queries_read(tmp_path: Path) -> None:
    for folder, ending in (("a", "csv"), ("b", "parquet")):
        call = ("linear-road", "--load", "0.01", "--minutes", "5", "--out", str(tmp_path / folder), "--format", ending)
        assert len(snapeq(*call).out.splitlines()) == 5
    outs = []
    for folder, ending in (("a", "csv"), ("b", "parquet")):
        stream = f"Position={tmp_path / folder / 'Position'}.{ending}"
        query = ROOT / "examples" / "linear_road"
        ran = snapeq("run", str(query / "stopped.sql"), "--catalog", str(query / "schema.sql"), "--stream", stream)
        outs.append(ran.out)
    assert outs[0] == outs[1]
    assert len(outs[0].splitlines()) > 1
