"""The HTTP server: the API under /api, events as they come, and the page if it is wanted."""

import json
import sys
from http import HTTPStatus
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socket import AF_INET6, socket
from threading import Event
from typing import Any, Final
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from physical.files.locate import brief_value
from physical.live.api import Api, ApiError, Document, Request, error_document, is_number
from physical.live.ports import WAIT_SECONDS, Address, Gate, refuse
from physical.live.results import listed
from semantics import SnapeqError

BODY_BYTES: Final = 1 << 26
"""The longest body of a request."""
READ_SECONDS: Final = 30.0
EVENT_SECONDS: Final = 1.0
"""Between two pictures of the system in the stream of events."""
COOKIE: Final = "snapeq_token"
FOLDER: Final = Path(__file__).with_name("page")
PAGE: Final = {
    "": ("index.html", "text/html"),
    "style.css": ("style.css", "text/css"),
    "app.js": ("app.js", "text/javascript"),
    "graph.js": ("graph.js", "text/javascript"),
    "timeline.js": ("timeline.js", "text/javascript"),
}
POLICY: Final = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'"


class LiveServer(ThreadingHTTPServer):
    """Serves one system; more clients than the gate lets in are turned away."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, address: Address, api: Api, gate: Gate, stopping: Event, *, page: bool = False) -> None:
        self.address_family = AF_INET6 if ":" in address.host else self.address_family
        try:
            super().__init__((address.host, address.port), Handler)
        except OSError as error:
            raise SnapeqError(f"{address}: {error.strerror}; expected a free port of this machine") from None
        self.address = Address(address.host, self.server_address[1])
        self.api, self.gate, self.stopping, self.page = api, gate, stopping, page

    def process_request(self, request: Any, client_address: Any) -> None:
        if not self.gate.enter():
            text = f"there are {self.gate.limit} connections already; try again later".encode()
            head = f"HTTP/1.1 503 Service Unavailable\r\nContent-Length: {len(text)}\r\nConnection: close\r\n\r\n"
            try:
                request.sendall(head.encode() + text)
            except OSError:
                refuse(request, "")
            self.shutdown_request(request)
            return
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.gate.leave()

    def handle_error(self, request: socket | tuple[bytes, socket], client_address: Any) -> None:
        if not isinstance(sys.exception(), OSError):  # a client that has gone is none of our errors
            super().handle_error(request, client_address)


class Handler(BaseHTTPRequestHandler):
    """Answers the requests of one connection."""

    server: LiveServer
    protocol_version = "HTTP/1.1"
    server_version = "snapeq"
    sys_version = ""
    timeout = READ_SECONDS
    cookie: str
    """What a browser should remember: the token, once it has shown it in an address."""

    def do_GET(self) -> None:  # as http.server wants it
        self._answer()

    def do_POST(self) -> None:  # as http.server wants it
        self._answer()

    def do_DELETE(self) -> None:  # as http.server wants it
        self._answer()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:  # noqa: ARG002
        """What http.server itself refuses, in the form of all errors; it has not read the body."""
        self.close_connection, self.cookie = True, ""
        self._send_document(code, {"error": {"message": message or HTTPStatus(code).phrase}})

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: requests are no news."""

    def _answer(self) -> None:
        self.cookie = ""
        try:
            parts = self._parts(self.path)
            self.parameters = dict(parse_qsl(parts.query))
            path = tuple(unquote(part) for part in parts.path.split("/") if part)
            self._check_visitor()
            body = self._body()
            if path[:1] != ("api",):
                self._file("/".join(path))
            elif self.command == "GET" and path[1:] == ("events",):
                self._watch()
            elif self.command == "GET" and path[1:2] == ("queries",) and path[3:] == ("events",):
                self._follow(path[2])
            else:
                self._send_document(200, self.server.api.answer(Request(self.command, path[1:], self.parameters, body)))
        except SnapeqError as error:
            status, document = error_document(error)
            self._send_document(status, document)

    def _parts(self, address: str) -> SplitResult:
        try:
            return urlsplit(address)
        except ValueError as error:
            raise self._last(400, f"{brief_value(address)} is no address: {error}") from None

    def _check_visitor(self) -> None:
        """Is the token there if one is needed? And does the request come from our own page, if from a page at all?"""
        host, origin = self.headers.get("Host", ""), self.headers.get("Origin")
        if origin is not None and self._parts(origin).netloc != host:
            raise self._last(403, f"requests from pages of {origin} are not taken")
        if not self.server.gate.token:
            name = self._parts(f"//{host}").hostname or ""
            if not (Address(name).is_local or name == self.server.address.host):
                raise self._last(403, f"this system is called {self.server.address}, not {host}")
        elif not self.server.gate.knows(self._token()):
            raise self._last(401, "expected the token of this system: Authorization: Bearer TOKEN, or ?token=TOKEN")
        elif "token" in self.parameters:
            self.cookie = f"{COOKIE}={self.server.gate.token}; HttpOnly; SameSite=Strict; Path=/"

    def _token(self) -> str:
        cookie = SimpleCookie(self.headers.get("Cookie", "")).get(COOKIE)
        header = self.headers.get("Authorization", "").removeprefix("Bearer ").strip()
        return self.parameters.get("token", "") or header or ("" if cookie is None else cookie.value)

    def _body(self) -> bytes:
        length = self.headers.get("Content-Length", "0")
        if "Transfer-Encoding" in self.headers or not is_number(length):
            raise self._last(411, "expected a body with a Content-Length")
        if int(length) > BODY_BYTES:
            raise self._last(413, f"the body has {length} bytes; expected at most {BODY_BYTES}")
        body = self.rfile.read(int(length))
        if len(body) < int(length):
            raise self._last(400, f"the body has {len(body)} of {length} bytes; nothing of it was taken")
        return body

    def _last(self, status: int, message: str) -> ApiError:
        """An error after which the connection is closed: its body was not read."""
        self.close_connection = True
        return ApiError(status, message)

    def _file(self, name: str) -> None:
        if not self.server.page or name not in PAGE or self.command != "GET":
            hint = "the API is under /api" if self.server.page else "the API is under /api; --ui serves a page"
            raise ApiError(404, f"there is no {self.command} /{name}; {hint}")
        file, kind = PAGE[name]
        content = (FOLDER / file).read_bytes()
        self._begin(200, f"{kind}; charset=utf-8", len(content))
        self.wfile.write(content)

    def _send_document(self, status: int, document: Document) -> None:
        content = json.dumps(document).encode() + b"\n"
        self._begin(status, "application/json", len(content))
        self.wfile.write(content)

    def _begin(self, status: int, kind: str, length: int | None) -> None:
        self.send_response(HTTPStatus(status))
        self.send_header("Content-Type", kind)
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Content-Security-Policy", POLICY)
        if self.cookie:
            self.send_header("Set-Cookie", self.cookie)
        if length is None:
            self.close_connection = True
        else:
            self.send_header("Content-Length", str(length))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()

    def _watch(self) -> None:
        """The state of the system, again and again."""
        self._begin(200, "text/event-stream", None)
        while not self.server.stopping.is_set():
            self._event(self.server.api.watch.sample())
            self.server.stopping.wait(EVENT_SECONDS)

    def _follow(self, name: str) -> None:
        """The results of a query as they come, from a number on if the client knows one."""
        query = self.server.api.system.core.queries.get(name)
        if query is None:
            raise ApiError(404, f"there is no query {name!r}")
        buffer = query.buffer
        number = self._wanted(buffer.first, buffer.number)
        self._begin(200, "text/event-stream", None)
        quiet = 0.0
        while not self.server.stopping.is_set():
            begin, batches = buffer.after(number, WAIT_SECONDS)
            if begin > number:
                self._event({"missed": begin - number}, begin)
            rows, number = list(listed(batches)), begin + sum(map(len, batches))
            if rows:
                self._event({"first": begin, "rows": rows}, number)
            elif buffer.closed:
                self._event({"closed": True}, number)
                return
            quiet = 0.0 if rows else quiet + WAIT_SECONDS
            if quiet > READ_SECONDS:
                self.wfile.write(b": nothing new\n\n")
                quiet = 0.0

    def _wanted(self, first: int, next_: int) -> int:
        """Where a client wants to begin: behind what it has seen, at a number, or with what is held."""
        seen = self.headers.get("Last-Event-ID") or self.parameters.get("after")
        if seen == "now":
            return next_
        return int(seen) if seen is not None and is_number(seen) else first

    def _event(self, document: Document, number: int | None = None) -> None:
        name = "" if number is None else f"id: {number}\n"
        self.wfile.write(f"{name}data: {json.dumps(document)}\n\n".encode())
        self.wfile.flush()
