"""A stream that falls silent follows the others after a while; what it says too late is counted."""

from pathlib import Path

from physical.live.idle import IdleStreams
from physical.live.settings import Settings
from tests.physical.live.systems import CATALOGUE, JOINED, bids, kill, new_system, rows_of, sales

SECONDS = 10.0


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_silent_stream_follows_the_others_after_a_while() -> None:
    system, clock = new_system(), Clock()
    idle = IdleStreams(system, SECONDS, clock)
    system.add("joined", JOINED)
    entrance = system.core.session.entrances["Sale"]
    system.accept(sales((1, "ann", 3)))
    for clock.now, t in ((0.0, 5), (9.0, 8)):
        system.accept(bids((1, 9.5, t)))
        idle.look()
        assert entrance.promised == 3
    clock.now = 10.0
    idle.look()
    assert entrance.promised == 8
    system.accept(bids((1, 9.5, 20)))
    idle.look()
    assert entrance.promised == 20, "it is silent still"


def test_a_stream_that_speaks_again_is_heard_and_is_late_if_it_is_behind() -> None:
    system, clock = new_system(), Clock()
    idle = IdleStreams(system, SECONDS, clock)
    system.accept(sales((1, "ann", 3)))
    idle.look()
    clock.now = 10.0
    system.accept(bids((1, 9.5, 20)))
    idle.look()
    receipt = system.accept(sales((1, "bob", 19), (1, "cid", 25)))
    assert (receipt.elements, receipt.late) == (2, 1)
    idle.look()
    system.accept(bids((1, 9.5, 90)))
    clock.now = 19.0
    idle.look()
    assert system.core.session.entrances["Sale"].promised == 25


def test_if_all_are_silent_time_stands_still_and_ended_streams_do_not_count() -> None:
    system, clock = new_system(), Clock()
    idle = IdleStreams(system, SECONDS, clock)
    system.accept(bids((1, 9.5, 20)))
    idle.look()
    clock.now = 30.0
    idle.look()
    assert system.core.session.entrances["Sale"].promised == 0
    system.end("Bid")
    idle.look()
    clock.now = 60.0
    idle.look()
    assert system.core.session.entrances["Sale"].promised == 0


def test_killed_after_it_goes_on_with_the_same_results(tmp_path: Path) -> None:
    clock = Clock()
    system = new_system(tmp_path / "state", Settings())
    query = system.add("joined", JOINED)
    idle = IdleStreams(system, SECONDS, clock)
    system.accept(sales((1, "ann", 3)))
    system.accept(bids((1, 9.5, 5), (1, 2.0, 30)))
    idle.look()
    clock.now = 10.0
    system.accept(bids((1, 2.0, 31)))
    idle.look()
    found = rows_of(query)
    assert found
    kill(system)
    again = new_system(tmp_path / "state", Settings())
    assert rows_of(again.core.query("joined")) == found


def test_it_follows_the_slowest_of_the_others() -> None:
    clock = Clock()
    system = new_system(catalogue=CATALOGUE + "CREATE STREAM Click(item INT, ts BIGINT) ORDERED BY ts;")
    idle = IdleStreams(system, SECONDS, clock)
    idle.look()
    clock.now = 10.0
    system.accept(bids((1, 9.5, 20)))
    system.heartbeat(7, "Click")
    idle.look()
    assert system.core.session.entrances["Sale"].promised == 7
