"""TCP: senders that go on after an interruption, clients that come late, and whoever is turned away."""

import json
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event
from unittest.mock import patch

import pytest

from physical.live.ports import Address, Gate, InPort, OutPort, Port
from physical.live.settings import Limits
from physical.live.system import LiveSystem
from semantics import SnapeqError
from tests.physical.live.systems import ITEMS, bids, new_system

SECONDS = 30
HEADER = b"item,price,ts\n"


@contextmanager
def running(make: Callable[[Event, Callable[[Exception], None]], Port]) -> Iterator[Port]:
    """A port that listens inside the block; errors of its threads fail the test."""
    stopping, errors = Event(), list[Exception]()
    port = make(stopping, errors.append)
    port.start()
    try:
        yield port
    finally:
        stopping.set()
        port.join(SECONDS)
    assert errors == []


@contextmanager
def in_port(system: LiveSystem, gate: Gate | None = None) -> Iterator[Port]:
    gate = gate or Gate(8)
    with running(lambda stop, failed: InPort(system, "Bid", Address(), gate, stop, failed)) as port:
        yield port


@contextmanager
def connected(port: Port) -> Iterator[socket.socket]:
    with socket.create_connection((port.address.host, port.address.port), timeout=SECONDS) as connection:
        yield connection


def wait_for(system: LiveSystem, condition: Callable[[], bool]) -> None:
    with system.changed:
        assert system.changed.wait_for(condition, SECONDS)


def test_lines_of_any_sender_become_elements() -> None:
    system = new_system()
    with in_port(system) as port:
        with connected(port) as one, connected(port) as other:
            one.sendall(HEADER + b"1,2.5,0\n1,")
            other.sendall(b'{"item": 2, "ts": 1}\n')
            one.sendall(b"2.5,2")
        wait_for(system, lambda: system.core.streams["Bid"].elements == 3)


def test_a_sender_with_a_name_is_told_where_to_go_on() -> None:
    system = new_system()
    with in_port(system) as port:
        with connected(port) as connection, connection.makefile("rb") as answers:
            connection.sendall(b"#sender till 7\n" + HEADER)
            assert json.loads(answers.readline()) == {"next": 0}
            connection.sendall(b"1,1,0\n1,1,1\n1,1")
            assert json.loads(answers.readline()) == {"accepted": 2}
        with connected(port) as connection, connection.makefile("rb") as answers:
            connection.sendall(b"#sender till 7\n")
            assert json.loads(answers.readline()) == {"next": 2}


def test_what_an_interrupted_connection_still_brings_counts_once() -> None:
    system = new_system()
    with (
        in_port(system) as port,
        connected(port) as old,
        connected(port) as new,
        old.makefile("rb") as old_answers,
        new.makefile("rb") as answers,
    ):
        for connection, told in ((old, old_answers), (new, answers)):
            connection.sendall(b"#sender till\n" + HEADER)
            assert json.loads(told.readline()) == {"next": 0}
        new.sendall(b"1,1,0\n1,1,1\n1,1,2\n")
        assert json.loads(answers.readline()) == {"accepted": 3}
        old.sendall(b"1,1,0\n1,1,1\n")
        assert json.loads(old_answers.readline()) == {"accepted": 3}
        new.sendall(b"1,1,3\n")
        assert json.loads(answers.readline()) == {"accepted": 4}
    assert system.core.streams["Bid"].elements == 4


def test_a_header_that_does_not_fit_and_a_line_that_is_too_long() -> None:
    system = new_system(limits=Limits(line_bytes=32))
    with in_port(system) as port:
        with connected(port) as connection, connection.makefile("rb") as answers:
            connection.sendall(b"item,cost,ts\n")
            assert "there is no column price" in json.loads(answers.readline())["error"]
        with connected(port) as connection:
            connection.sendall(HEADER + b"1,1,0\n" + b"9" * 100)
            connection.sendall(b"9,1,1\n2,2,2\n")
            wait_for(system, lambda: system.core.streams["Bid"].elements == 2)
    assert system.core.streams["Bid"].bad == 1
    assert "at most 32 bytes" in system.core.bad_lines.last[0]["reason"]


def test_more_connections_than_allowed_are_turned_away() -> None:
    system, gate = new_system(), Gate(1)
    with in_port(system, gate) as port, connected(port) as first:
        first.sendall(HEADER + b"1,1,0\n")
        wait_for(system, lambda: system.core.streams["Bid"].elements == 1)
        with connected(port) as second, second.makefile("rb") as answers:
            assert "there are 1 connections already" in json.loads(answers.readline())["error"]


def test_beyond_this_machine_a_token_is_wanted() -> None:
    system, gate = new_system(), Gate(8, "secret")
    with running(lambda stop, failed: InPort(system, "Bid", Address("0.0.0.0"), gate, stop, failed)) as port:
        for greeting in (b"", b"#token wrong\n"):
            with socket.create_connection(("127.0.0.1", port.address.port), timeout=SECONDS) as connection:
                connection.sendall(greeting + HEADER)
                with connection.makefile("rb") as answers:
                    assert "expected a first line `#token TOKEN`" in json.loads(answers.readline())["error"]
        with socket.create_connection(("127.0.0.1", port.address.port), timeout=SECONDS) as connection:
            connection.sendall(b"#token secret\n" + HEADER + b"1,1,0\n")
            wait_for(system, lambda: system.core.streams["Bid"].elements == 1)


def test_token_and_name_may_come_in_pieces() -> None:
    system = new_system()
    port = InPort(system, "Bid", Address("0.0.0.0"), Gate(8, "secret"), Event(), list[Exception]().append)
    here, there = socket.socketpair()
    pieces = [b"#token secret\n", b"#sender till\n" + HEADER, b"1,1,0\n", b""]
    with here, there, patch.object(port, "_receive", lambda _: pieces.pop(0) or None), port.listener:
        port.serve(there)
        there.close()
        with here.makefile("rb") as answers:
            assert [json.loads(line) for line in answers] == [{"next": 0}, {"accepted": 1}]
    assert system.core.senders == {"till": 1}


def test_late_clients_get_what_is_held_and_then_the_rest() -> None:
    system = new_system(limits=Limits(results=2))
    system.add("items", ITEMS)
    system.accept(bids((1, 1.0, 0), (2, 1.0, 1), (3, 1.0, 2), (4, 1.0, 3)))
    with (
        running(lambda stop, failed: OutPort(system, "items", Address(), Gate(8), stop, failed)) as port,
        connected(port) as connection,
        connection.makefile("r") as lines,
    ):
        assert [next(lines) for _ in range(3)] == ["item,_start,_end\n", "3,2,3\n", "4,3,4\n"]
        system.accept(bids((5, 1.0, 30)))
        assert next(lines) == "5,30,31\n"
        system.remove("items")
        assert lines.read() == ""


@pytest.mark.parametrize("text", ["", "x", "70000", ":80", "1.2.3.4:"])
def test_addresses_that_are_none(text: str) -> None:
    with pytest.raises(SnapeqError, match="--listen: expected PORT or HOST:PORT"):
        Address.of(text, "--listen")


def test_addresses() -> None:
    assert Address.of("8080", "") == Address("127.0.0.1", 8080)
    assert str(Address.of("[::1]:80", "")) == "[::1]:80"
    assert Address.of("localhost:80", "").is_local
    assert not Address.of("0.0.0.0:80", "").is_local
    assert not Address.of("example.org:80", "").is_local
