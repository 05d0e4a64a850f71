"""Receptors, factories and emitters as threads, over files and connections on this machine."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from physical.columns.stream import PhysicalStream, joined
from physical.engines.dataflow import channel
from physical.engines.dataflow.channel import Address
from physical.engines.dataflow.live_net import LiveNet
from physical.engines.dataflow.query_net import Setting
from physical.engines.dataflow.sharing import STRATEGIES, Strategy
from physical.files.errors import FileError
from physical.files.layout import END, START, Layout
from physical.files.reader import FileReader
from semantics import RawStream, SchemaError, SnapeqError, StreamError, col, count, evaluate, source
from semantics.builder.query import Query

BOUND = 60.0
"""Seconds: far more than any of it takes."""
S = source("S", x=int, name=str)
RAW = Layout(S.schema, start="ts")
ROWS = [((i % 7, "ab"[i % 2]), i // 3) for i in range(60)]
TEXT = "ts,x,name\n" + "".join(f"{t},{x},{name}\n" for (x, name), t in ROWS)
QUERIES = {
    "all": S,
    "low": S.filter(col("x") < 3),
    "high": S.filter(col("x") >= 3),
    "counts": S.window(5).group_by("name").aggregate(n=count()),
}


@pytest.fixture(autouse=True)
def _threads_end() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    assert {thread for thread in threading.enumerate() if thread.is_alive()} <= before


def written(path: Path, name: str) -> PhysicalStream:
    layout = Layout(QUERIES[name].schema, START, END)
    return joined([PhysicalStream.empty(layout.schema), *(b.elements for b in FileReader(path, layout).batches())])


def check(path: Path, name: str, horizon: int = 30) -> None:
    expected = evaluate(QUERIES[name], {"S": RawStream(S.schema, ROWS)}, horizon)
    assert written(path, name).to_logical(horizon) == expected


def send(address: Address, text: str) -> None:
    with socket.create_connection(address, timeout=BOUND) as sensor:
        sensor.sendall(text.encode())


@contextmanager
def listening(folder: Path) -> Iterator[tuple[LiveNet, Address]]:
    """A net that takes S from a connection and writes all of it to a file."""
    with LiveNet({"S": RAW}, {"all": S}) as live:
        address = live.listen("S")
        live.write("all", folder / "all.csv")
        live.start()
        yield live, address


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda strategy: strategy.name)
@pytest.mark.parametrize(("batch", "block"), [(1, 50), (7, 50), (7, 1 << 16), (1000, 50)])
def test_from_file_to_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, strategy: Strategy, batch: int, block: int
) -> None:
    """Blocks of fifty bytes are few lines each, so that receptor, scheduler and emitters are at work together."""
    monkeypatch.setattr(channel, "BYTES_PER_READ", block)
    (tmp_path / "S.csv").write_text(TEXT)
    with LiveNet({"S": RAW}, QUERIES, Setting(strategy, batch=batch)) as live:
        live.read("S", tmp_path / "S.csv")
        for name in QUERIES:
            live.write(name, tmp_path / f"{name}.csv")
        live.finish(BOUND)
    for name in QUERIES:
        check(tmp_path / f"{name}.csv", name)


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda strategy: strategy.name)
def test_two_streams_that_meet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, strategy: Strategy) -> None:
    monkeypatch.setattr(channel, "BYTES_PER_READ", 50)
    r = source("R", y=int)
    join = S.window(2).join(r.window(3), col("x") == col("y"))
    others = [((i % 5,), i // 2) for i in range(40)]
    (tmp_path / "S.csv").write_text(TEXT)
    (tmp_path / "R.csv").write_text("y,at\n" + "".join(f"{y},{t}\n" for (y,), t in others))
    queries = {"join": join, "counts": r.window(4).aggregate(n=count()), "all": S}
    with LiveNet({"S": RAW, "R": Layout(r.schema, start="at")}, queries, Setting(strategy, "query", 3)) as live:
        for name in ("S", "R"):
            live.read(name, tmp_path / f"{name}.csv")
        for name in queries:
            live.write(name, tmp_path / f"{name}.csv")
        live.finish(BOUND)
    case = {"S": RawStream(S.schema, ROWS), "R": RawStream(r.schema, others)}
    for name, query in queries.items():
        layout = Layout(query.schema, START, END)
        found = joined([b.elements for b in FileReader(tmp_path / f"{name}.csv", layout).batches()])
        assert found.to_logical(30) == evaluate(query, case, 30)


@pytest.mark.parametrize("clients", [1, 2])
def test_from_connection_to_connection(tmp_path: Path, clients: int) -> None:
    with LiveNet({"S": RAW}, {"low": QUERIES["low"]}) as live:
        entrance, exit_ = live.listen("S"), live.serve("low", clients)
        assert entrance[0] == exit_[0] == "127.0.0.1"
        live.start()
        actuators = [socket.create_connection(exit_, timeout=BOUND) for _ in range(clients)]
        send(entrance, TEXT)
        for actuator in actuators:
            with actuator, actuator.makefile("rb") as results:
                (tmp_path / "low.csv").write_bytes(results.read())
            check(tmp_path / "low.csv", "low")
        live.finish(BOUND)


def test_lines_may_come_in_pieces(tmp_path: Path) -> None:
    with listening(tmp_path) as (live, address):
        with socket.create_connection(address, timeout=BOUND) as sensor:
            for i in range(0, len(TEXT), 11):
                sensor.sendall(TEXT[i : i + 11].encode())
        live.finish(BOUND)
    check(tmp_path / "all.csv", "all")


def test_a_stream_stands_still_while_its_basket_is_disabled(tmp_path: Path) -> None:
    (tmp_path / "S.csv").write_text(TEXT)
    with LiveNet({"S": RAW}, {"all": S}) as live:
        live.read("S", tmp_path / "S.csv")
        live.write("all", tmp_path / "all.csv")
        basket = live.graph.sources["S"][0].basket
        basket.enable(False)
        live.start()
        with pytest.raises(StreamError, match="still running: receptor S"):
            live.finish(0.05)
        assert basket.counts.arrived == 0


def test_a_stream_flows_on_when_its_basket_is_enabled_again(tmp_path: Path) -> None:
    (tmp_path / "S.csv").write_text(TEXT)
    with LiveNet({"S": RAW}, {"all": S}) as live:
        live.read("S", tmp_path / "S.csv")
        live.write("all", tmp_path / "all.csv")
        live.graph.sources["S"][0].basket.enable(False)
        live.start()
        live.graph.sources["S"][0].basket.enable()
        live.finish(BOUND)
    check(tmp_path / "all.csv", "all")


WRONG = {
    "two fields": ("ts,x,name\n1,2,a\n1,2\n", "line 3: 2 fields where the header has 3"),
    "no number": ("ts,x,name\n1,2,a\n1,zwei,a\n2,3,a\n", "line 3, column x: 'zwei' does not fit; expected INT"),
    "no time": ("ts,x,name\n,2,a\n", "line 2, column ts: there is no time"),
    "negative time": ("ts,x,name\n1,2,a\n-1,2,a\n", "line 3, column ts: -1 is before instant 0"),
    "back in time": ("ts,x,name\n5,2,a\n4,2,a\n", "line 3, column ts: 4 comes after 5; expected 5 or later"),
    "empty line": ("ts,x,name\n1,2,a\n\n", "line 3, column ts: there is no time"),
    "no column": ("ts,x\n1,2\n", "line 1: there is no column name; there are: ts, x"),
    "twice": ("ts,x,name,x\n1,2,a,3\n", "line 1: two columns have one name"),
    "open quote": ('ts,x,name\n1,2,"a\n', "line 2"),
    "too large": (f"ts,x,name\n1,{2**63},a\n", f"line 2, column x: '{2**63}' does not fit"),
}


def refused(folder: Path, text: str | None, query: Query = S) -> str:
    """What the user hears of a file."""
    if text is not None:
        (folder / "S.csv").write_text(text)
    with LiveNet({"S": RAW}, {"q": query}) as live:
        live.read("S", folder / "S.csv")
        live.write("q", folder / "q.csv")
        with pytest.raises(SnapeqError) as raised:
            live.finish(BOUND)
    return str(raised.value)


@pytest.mark.parametrize("name", WRONG)
def test_a_malformed_line_reaches_the_user(tmp_path: Path, name: str) -> None:
    text, message = WRONG[name]
    assert refused(tmp_path, text).startswith(f"receptor S at {tmp_path / 'S.csv'}: {message}")


def test_a_line_is_counted_over_blocks(tmp_path: Path) -> None:
    many = "ts,x,name\n" + "1,2,a\n" * 50_000 + "1,2,a,b\n" + "1,2,a\n" * 100
    assert "line 50002: 4 fields" in refused(tmp_path, many)


def test_an_error_in_a_factory_reaches_the_user(tmp_path: Path) -> None:
    text = f"ts,x,name\n1,{2**62},a\n"
    assert "must fit into 64 bits" in refused(tmp_path, text, S.select(y=col("x") * 2))


def test_a_missing_file_reaches_the_user(tmp_path: Path) -> None:
    assert "it cannot be read: No such file or directory" in refused(tmp_path, None)


def test_a_connection_that_is_closed_in_a_line_reaches_the_user(tmp_path: Path) -> None:
    with listening(tmp_path) as (live, address):
        send(address, "ts,x,name\n1,2,a\n2,3")
        with pytest.raises(FileError, match="line 3: the connection was closed in the middle of this line"):
            live.finish(BOUND)


def test_a_connection_that_is_reset_reaches_the_user(tmp_path: Path) -> None:
    with listening(tmp_path) as (live, address):
        reset(socket.create_connection(address, timeout=BOUND))
        with pytest.raises(FileError, match="line 1: the connection broke off: Connection reset by peer"):
            live.finish(BOUND)


def reset(connection: socket.socket) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    connection.close()


def test_a_client_that_goes_away_reaches_the_user() -> None:
    with LiveNet({"S": RAW}, {"all": S}) as live:
        entrance, exit_ = live.listen("S"), live.serve("all")
        live.start()
        client = socket.create_connection(exit_, timeout=BOUND)
        assert client.recv(100) == b"x,name,_start,_end\n"
        reset(client)
        send(entrance, TEXT)
        with pytest.raises(
            FileError, match=r"emitter 1 at 127.0.0.1:.*: it takes no results: (Broken pipe|Connection reset)"
        ):
            live.finish(BOUND)


def test_a_file_that_cannot_be_written_reaches_the_user(tmp_path: Path) -> None:
    with LiveNet({"S": RAW}, {"all": S}) as live:
        live.listen("S")
        live.write("all", tmp_path)
        with pytest.raises(FileError, match="it takes no results: Is a directory"):
            live.finish(BOUND)


def test_without_a_sender_nothing_hangs(tmp_path: Path) -> None:
    with LiveNet({"S": RAW}, {"all": S}) as live:
        live.listen("S")
        live.write("all", tmp_path / "all.csv")
        with pytest.raises(StreamError, match="still running: receptor S, emitter 1"):
            live.finish(0.05)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda live: live.listen("T"), "expected a source without one, got 'T'; there are: S"),
        (lambda live: live.serve("none"), "expected a query without one, got 'none'; there are: all"),
        (lambda live: live.start(), "expected a channel for every source and query, there is none for 'S'"),
        (lambda live: (live.read("S", Path("S.csv")), live.read("S", Path("S.csv"))), "got 'S'; there are: none"),
    ],
)
def test_channels_must_fit(call: object, message: str) -> None:
    with LiveNet({"S": RAW}, {"all": S}) as live, pytest.raises(SchemaError, match=message):
        call(live)  # type: ignore[operator]  # a function


def test_a_client_gets_a_result_at_the_line_that_makes_it_final() -> None:
    """The sensor sends the next line only when the result of the line before has come."""
    with LiveNet({"S": RAW}, {"counts": QUERIES["counts"]}) as live:
        entrance, exit_ = live.listen("S"), live.serve("counts")
        live.start()
        with (
            socket.create_connection(entrance, timeout=BOUND) as sensor,
            socket.create_connection(exit_, timeout=BOUND) as client,
            client.makefile() as results,
        ):
            header = results.readline().strip().split(",")
            sensor.sendall(b"ts,x,name\n0,1,a\n")
            for t in range(1, 4):
                sensor.sendall(f"{t},1,a\n".encode())
                found = dict(zip(header, results.readline().strip().split(","), strict=True))
                assert (found["n"], found[START], found[END]) == (str(t), str(t - 1), str(t))
            sensor.close()
            live.finish(BOUND)
