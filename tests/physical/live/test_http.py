"""The API over HTTP: each route, each kind of error, events, and who may ask."""

import json
import socket
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any

import pytest

from physical.live.api import Api
from physical.live.core import plan_of
from physical.live.http_server import PAGE, LiveServer
from physical.live.ports import Address, Gate
from physical.live.settings import ENGINES, Limits, Settings
from physical.live.system import LiveSystem
from physical.live.watch import Watch
from tests.physical.live.systems import COUNTS, ITEMS, bids, new_system

SECONDS = 30


@contextmanager
def serving(system: LiveSystem, gate: Gate | None = None, *, page: bool = False) -> Iterator["Client"]:
    stopping = Event()
    server = LiveServer(Address(), Api(system, Watch(system, pause=0)), gate or Gate(8), stopping, page=page)
    thread = Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield Client(server)
    finally:
        stopping.set()
        server.shutdown()
        server.server_close()
        thread.join(SECONDS)


class Client:
    def __init__(self, server: LiveServer) -> None:
        self.server = server

    def ask(self, method: str, path: str, body: object = None, **headers: str) -> tuple[int, Any]:
        """The status and the document of an answer."""
        data = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://{self.server.address}/api{path}", data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=SECONDS) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.load(error)

    def events(self, path: str, count: int, **headers: str) -> list[Any]:
        """The first events of a stream of them."""
        request = urllib.request.Request(f"http://{self.server.address}/api{path}", headers=headers)
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:
            found = (json.loads(line[6:]) for line in answer if line.startswith(b"data: "))
            return [next(found) for _ in range(count)]


def test_queries_come_and_go() -> None:
    system = new_system()
    with serving(system) as client:
        status, made = client.ask("POST", "/queries", {"name": "counts", "sql": COUNTS})
        assert (status, made["name"], [c["name"] for c in made["columns"]]) == (200, "counts", ["item", "n"])
        assert client.ask("GET", "/queries")[1] == [made]
        assert client.ask("GET", "/queries/counts") == (200, made)
        assert client.ask("DELETE", "/queries/counts") == (200, {"removed": "counts"})
        assert client.ask("GET", "/queries") == (200, [])


def test_lines_are_posted_and_results_are_read() -> None:
    system = new_system()
    system.add("counts", COUNTS)
    with serving(system) as client:
        body = b"item,price,ts\n1,1,0\nx,1,1\n1,1,4"
        assert client.ask("POST", "/streams/bid", body) == (200, {"elements": 2, "bad": 1, "late": 0})
        assert client.ask("POST", "/streams/Bid/heartbeat", {"time": 4})[0] == 200
        assert client.ask("POST", "/streams/Bid/end") == (200, {"ended": "Bid"})
        status, found = client.ask("GET", "/queries/counts/results?last=2")
        assert (status, found["first"], found["next"]) == (200, 1, 3)
        assert found["columns"] == ["item", "n", "_start", "_end"]
        assert found["rows"] == [[1, 2, 4, 10], [1, 1, 10, 14]]
        assert client.ask("GET", "/queries/counts/results?after=2")[1]["rows"] == [[1, 1, 10, 14]]
        assert client.ask("GET", "/streams")[1][0]["ended"]


def test_an_error_in_sql_says_where_it_is() -> None:
    with serving(new_system()) as client:
        for path, body in (("/check", {}), ("/queries", {"name": "wrong"})):
            status, answer = client.ask("POST", path, {**body, "sql": "SELECT item,\n  prise FROM Bid"})
            about = answer["error"]
            assert (status, about["line"], about["column"], about["problem"]) == (400, 2, 3, "unknown column prise")
        for sql, types in ((COUNTS, ["INT", "INT"]), ("SELECT price, 'dear' AS kind FROM Bid", ["FLOAT", "TEXT"])):
            status, answer = client.ask("POST", "/check", {"sql": sql})
            assert (status, [c["type"] for c in answer["columns"]]) == (200, types)


ERRORS = [
    ("GET", "/nothing", None, 404, "there is no GET /api/nothing"),
    ("GET", "/queries/none", None, 404, "there is no query 'none'"),
    ("GET", "/queries/none/events", None, 404, "there is no query 'none'"),
    ("POST", "/streams/None", b"x", 404, "there is no stream 'None'"),
    ("POST", "/streams/Bid", b"x\n1\n", 400, "there is no column item, price, ts"),
    ("POST", "/streams/Bid?sender=a&first=3", b'{"ts": 1}\n', 409, "expected line 0 next, got line 3"),
    ("POST", "/streams/Bid?first=x", b'{"ts": 1}\n', 400, "first: expected a whole number"),
    ("POST", "/streams/Bid/heartbeat", {"time": "now"}, 400, "expected a whole number in the field 'time'"),
    ("POST", "/streams/Bid?first=0", b'{"ts": 1}\n', 400, "expected a name in the parameter 'sender', too"),
    (
        "POST",
        "/streams/Bid/heartbeat",
        {"time": 10**30},
        400,
        "expected a time from 0 to 9223372036854775807",
    ),
    ("GET", f"/queries/counts/results?last={'9' * 5000}", None, 400, "last: expected a whole number, got '999"),
    ("POST", "/queries", b"[" * 100_000, 400, "the body is nested too deeply"),
    ("POST", "/queries", {"name": "a"}, 400, "expected a text in the field 'sql'"),
    ("POST", "/streams/Bid/heartbeat", {"at": 1}, 400, "there is no field 'at' here; expected time"),
    ("POST", "/queries", {"name": "a", "sql": COUNTS, "optimize": False}, 400, "there is no field 'optimize' here"),
    ("POST", "/queries", {"name": "a", "sql": COUNTS, "optimise": "no"}, 400, "expected true or false in the field"),
    ("PUT", "/queries", None, 501, "Unsupported method ('PUT')"),
    ("POST", "/queries", b"{", 400, "the body is no JSON"),
    ("POST", "/queries", b"[]", 400, "the body must be a JSON object"),
    ("POST", "/queries", {"name": "counts", "sql": COUNTS}, 409, "there is a query 'counts' already"),
    ("POST", "/queries", {"name": "../x", "sql": COUNTS}, 400, "expected a name of letters"),
]


@pytest.mark.parametrize(("method", "path", "body", "status", "message"), ERRORS)
def test_errors_have_a_status_and_a_message(method: str, path: str, body: object, status: int, message: str) -> None:
    system = new_system()
    system.add("counts", COUNTS)
    with serving(system) as client:
        found, answer = client.ask(method, path, body)
    assert found == status
    assert message in answer["error"]["message"]


def test_of_a_body_that_breaks_off_nothing_is_taken() -> None:
    system = new_system()
    with serving(system) as client:
        address = client.server.address
        with socket.create_connection((address.host, address.port), timeout=SECONDS) as connection:
            head = f"POST /api/streams/Bid HTTP/1.1\r\nHost: {address}\r\nContent-Length: 30\r\n\r\n"
            connection.sendall(head.encode() + b"item,price,ts\n1,1,0\n1,1,3")
            connection.shutdown(socket.SHUT_WR)
            with connection.makefile("rb") as answer:
                assert b"the body has 25 of 30 bytes; nothing of it was taken" in answer.read()
    assert system.core.streams["Bid"].elements == 0


def test_while_there_is_no_room_the_answer_is_503() -> None:
    system = new_system(limits=Limits(state_bytes=1))
    system.add("counts", COUNTS)
    system.accept(bids((1, 1.0, 0)))
    system.heartbeat(1)
    with serving(system) as client:
        assert client.ask("POST", "/streams/Bid", b'{"ts": 3}\n')[0] == 503


def test_results_come_as_events_and_a_client_goes_on_where_it_was() -> None:
    system = new_system()
    system.add("items", ITEMS)
    system.accept(bids((1, 1.0, 0), (2, 1.0, 1)))
    with serving(system) as client:
        assert client.events("/queries/items/events", 1)[0]["rows"] == [[1, 0, 1], [2, 1, 2]]
        again = {"Last-Event-ID": "1"}
        assert client.events("/queries/items/events", 1, **again)[0] == {"first": 1, "rows": [[2, 1, 2]]}
        system.remove("items")


def test_a_client_that_missed_something_is_told() -> None:
    system = new_system(limits=Limits(results=1))
    system.add("items", ITEMS)
    system.accept(bids((1, 1.0, 0), (2, 1.0, 1)))
    with serving(system) as client:
        missed, held = client.events("/queries/items/events?after=0", 2)
    assert (missed, held) == ({"missed": 1}, {"first": 1, "rows": [[2, 1, 2]]})


@pytest.mark.parametrize("engine", ENGINES)
def test_the_graph_shows_what_queries_share(engine: str) -> None:
    system = new_system(settings=Settings(engine))
    system.add("counts", COUNTS)
    system.add("few", f"SELECT item FROM ({COUNTS}) AS c WHERE n < 3")
    system.accept(bids((1, 1.0, 0), (2, 1.0, 1)))
    with serving(system) as client:
        graph = client.ask("GET", "/graph")[1]
        sample = client.events("/events", 1)[0]
        net = client.ask("GET", "/net")[1]["svg"]
    shared = [node["label"] for node in graph["nodes"] if node["queries"] == ["counts", "few"]]
    assert {"Bid", "window(range 10)"} <= set(shared)
    assert {edge[1] for edge in graph["edges"]} >= {"query counts", "query few"}
    ids = {node["id"] for node in graph["nodes"]}
    assert all(end in ids for edge in graph["edges"] for end in edge)
    operators = [node["id"] for node in graph["nodes"] if node["kind"] != "query"]
    assert sorted(operator["id"] for operator in sample["operators"]) == sorted(operators)
    assert sum(operator["state"] for operator in sample["operators"]) == sample["state"]["elements"]
    assert ("2 came" in net) == (engine == "dataflow")


def test_rates_are_measured_between_two_looks() -> None:
    system, now = new_system(), [0.0]
    system.add("all", "SELECT item FROM Bid")
    watch = Watch(system, clock=lambda: now[0])
    watch.sample()
    system.accept(bids(*((1, 1.0, t) for t in range(8))))
    now[0] = 2.0
    sample = watch.sample()
    assert sample["streams"][0]["rate"] == 4.0
    assert [operator["rate"] for operator in sample["operators"]] == [4.0, 4.0]


@pytest.mark.parametrize("engine", ["interval", "delta", "dataflow"])
def test_a_query_lags_behind_what_it_waits_for_and_not_behind_rows_that_it_does_not_want(engine: str) -> None:
    system = new_system(settings=Settings(engine))
    system.add("dear", "SELECT item FROM Bid WHERE price > 5")
    system.add("both", "SELECT Bid.item FROM Bid WINDOW(RANGE 5), Sale WINDOW(RANGE 5) WHERE Bid.item = Sale.item")
    system.add("plain", "SELECT * FROM Bid")
    system.accept(bids((1, 9.0, 0), (1, 1.0, 40)))
    system.heartbeat(30, "Sale")
    lags = {query["name"]: (query["complete"], query["lag"]) for query in Watch(system).sample()["queries"]}
    assert lags == {"dear": (40, 0), "both": (30, 10), "plain": (40, 0)}
    system.end()
    assert all(query["complete"] is None and query["lag"] == 0 for query in Watch(system).sample()["queries"])


@pytest.mark.parametrize("engine", ["interval", "delta", "dataflow"])
def test_a_query_does_not_lag_behind_because_its_plan_changes(engine: str) -> None:
    system = new_system(settings=Settings(engine))
    query = system.add("dear", "SELECT item FROM Bid WINDOW(RANGE 10) WHERE price > 5")
    system.accept(bids((1, 9.0, 0), (1, 1.0, 40)))
    other = plan_of("SELECT item FROM (SELECT * FROM Bid WHERE price > 5) WINDOW(RANGE 10)", system.around.declared)
    assert system.core.session.migrate("dear", other) == 51
    (about,) = Watch(system).sample()["queries"]
    assert (about["complete"], about["lag"], query.buffer.number) == (40, 0, 1)


def test_the_token_is_asked_for() -> None:
    with serving(new_system(), Gate(8, "secret")) as client:
        assert client.ask("GET", "")[0] == 401
        assert client.ask("GET", "?token=wrong")[0] == 401
        assert client.ask("GET", "?token=secret")[0] == 200
        assert client.ask("GET", "", Authorization="Bearer secret")[0] == 200
        assert client.ask("GET", "", Cookie="snapeq_token=secret")[0] == 200


def test_pages_of_others_may_not_ask() -> None:
    with serving(new_system()) as client:
        assert client.ask("GET", "", Origin="http://example.org")[0] == 403
        assert client.ask("GET", "", Host="example.org")[0] == 403
        assert client.ask("GET", "", Origin=f"http://{client.server.address}")[0] == 200


def test_bodies_without_length_and_bodies_that_are_too_long() -> None:
    with serving(new_system()) as client:
        assert client.ask("POST", "/check", b"", **{"Transfer-Encoding": "chunked"})[0] == 411
        raw = b"POST /api/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n"
        address = client.server.address
        with socket.create_connection((address.host, address.port), timeout=SECONDS) as connection:
            connection.sendall(raw)
            with connection.makefile("rb") as answer:
                assert b" 413 " in answer.readline()


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"POST /api/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + b"9" * 5000, 411),
        (b"GET http://[::1/api HTTP/1.1\r\nHost: localhost", 400),
        (b"GET /api HTTP/1.1\r\nHost: [::1", 400),
        (b"GET /api HTTP/1.1\r\nHost: localhost\r\nOrigin: http://[::1", 400),
        (b"PUT /api HTTP/1.1\r\nHost: localhost\r\nContent-Length: 30", 501),
    ],
    ids=["length", "address", "host", "origin", "method"],
)
def test_what_is_no_request_is_answered_and_nothing_behind_it_is_read(head: bytes, status: int) -> None:
    with serving(new_system()) as client:
        address = client.server.address
        with socket.create_connection((address.host, address.port), timeout=SECONDS) as connection:
            connection.sendall(head + b"\r\n\r\nGET /api HTTP/1.1\r\nHost: localhost\r\n\r\n")
            with connection.makefile("rb") as answer:
                assert f" {status} ".encode() in answer.readline()
                assert b"HTTP/1.1" not in answer.read()


def test_only_the_token_itself_is_remembered() -> None:
    """What somebody else put into an address does not get into the headers of the answer."""
    with serving(new_system(), Gate(8, "secret")) as client:
        for token, status in (("secret", 200), ("a%0d%0aX-More:1", 401), ("other", 401)):
            address = client.server.address
            with socket.create_connection((address.host, address.port), timeout=SECONDS) as connection:
                connection.sendall(f"GET /api?token={token} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
                with connection.makefile("rb") as answer:
                    head = answer.read().partition(b"\r\n\r\n")[0]
            assert f" {status} ".encode() in head
            assert (b"Set-Cookie: snapeq_token=secret;" in head) == (status == 200)
            assert (b"Set-Cookie" in head) == (status == 200)
            assert b"X-More" not in head


def test_more_clients_than_allowed_are_turned_away() -> None:
    system, gate = new_system(), Gate(1)
    with serving(system, gate) as client:
        assert gate.enter()
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(f"http://{client.server.address}/api", timeout=SECONDS)
        with refused.value as answer:
            assert answer.code == 503
            assert b"there are 1 connections already" in answer.read()
        gate.leave()


@pytest.mark.parametrize(("name", "kind"), [(name, kind) for name, (_, kind) in PAGE.items()])
def test_the_page_is_served_if_it_is_wanted_and_names_no_other_host(name: str, kind: str) -> None:
    with serving(new_system(), page=True) as client:
        with urllib.request.urlopen(f"http://{client.server.address}/{name}", timeout=SECONDS) as answer:
            assert answer.headers["Content-Type"].startswith(kind)
            assert b"://" not in answer.read().replace(b"http://www.w3.org/2000/svg", b"")
        with pytest.raises(urllib.error.HTTPError) as missing:
            urllib.request.urlopen(f"http://{client.server.address}/other", timeout=SECONDS)
        missing.value.close()
    with serving(new_system()) as client:
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(f"http://{client.server.address}/{name}", timeout=SECONDS)
        with refused.value as answer:
            assert (answer.code, b"--ui serves a page" in answer.read()) == (404, True)
