"""TCP ports: senders write the lines of a stream to one, clients read the results of a query from another."""

import hmac
import json
import os
import socket
from abc import abstractmethod
from dataclasses import dataclass
from ipaddress import ip_address
from threading import BoundedSemaphore, Event, Thread
from typing import Final

from physical.files.formats import Format
from physical.live.feeders import BYTES_AT_ONCE, Failed, Feeder, LineSource
from physical.live.lines import shown
from physical.live.records import SentLines
from physical.live.results import ResultText
from physical.live.system import LiveSystem
from semantics import SnapeqError

WAIT_SECONDS: Final = 0.2
"""How long a thread waits for the other side before it looks whether it should stop."""
SEND_SECONDS: Final = 10.0
"""A client that takes nothing for this long is left alone."""


@dataclass(frozen=True)
class Address:
    """A host and a port; port 0 lets the system choose one."""

    host: str = "127.0.0.1"
    port: int = 0

    @classmethod
    def of(cls, text: str, option: str) -> "Address":
        """PORT, or HOST:PORT."""
        host, colon, port = text.rpartition(":")
        if not port.isdecimal() or not 0 <= int(port) < 1 << 16 or (colon and not host):
            raise SnapeqError(f"{option}: expected PORT or HOST:PORT, such as 8080 or 127.0.0.1:8080, got {text!r}")
        return cls(host.strip("[]") or cls.host, int(port))

    @property
    def is_local(self) -> bool:
        """Can only this machine connect?"""
        try:
            return self.host == "localhost" or ip_address(self.host).is_loopback
        except ValueError:
            return False

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


class Gate:
    """Lets a limited number of clients in, and asks for the token if there is one."""

    def __init__(self, connections: int, token: str = "") -> None:
        self.limit, self.token = connections, token
        self._places = BoundedSemaphore(connections)

    def enter(self) -> bool:
        return self._places.acquire(blocking=False)

    def leave(self) -> None:
        self._places.release()

    def knows(self, token: str) -> bool:
        return not self.token or hmac.compare_digest(token.encode(), self.token.encode())


def listening(address: Address) -> socket.socket:
    """A socket that listens at an address; a port that is in use is an error that says so."""
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    try:
        return socket.create_server((address.host, address.port), family=family)
    except OSError as error:
        problem = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror
        raise SnapeqError(f"{address}: {problem}; expected a free port of this machine") from None


class Port(Feeder):
    """A port with a thread for each connection."""

    def __init__(self, address: Address, gate: Gate, stopping: Event, failed: Failed) -> None:
        super().__init__(f"port {address}", stopping, failed)
        self.gate = gate
        self.secret = not address.is_local
        """Must a client show the token?"""
        self.listener = listening(address)
        self.listener.settimeout(WAIT_SECONDS)
        self.address = Address(address.host, self.listener.getsockname()[1])

    def work(self) -> None:
        with self.listener:
            while not self.stopping.is_set():
                try:
                    connection, _ = self.listener.accept()
                except TimeoutError:
                    continue
                self._admit(connection)

    def _admit(self, connection: socket.socket) -> None:
        if not self.gate.enter():
            refuse(connection, f"there are {self.gate.limit} connections already; try again later")
            connection.close()
            return
        Thread(target=self._serve, args=(connection,), name=self.name, daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        try:
            with connection:
                connection.settimeout(WAIT_SECONDS)
                self.serve(connection)
        except OSError:
            return  # the client has gone
        except SnapeqError as error:
            self.failed(error)
        finally:
            self.gate.leave()

    @abstractmethod
    def serve(self, connection: socket.socket) -> None: ...


class InPort(Port):
    """A port that takes the lines of a stream.

    A sender may first say `#sender NAME`. It is then told the number of the line that it should send next, and how
    many lines were taken so far after each piece: so it can go on after either side was interrupted. Its lines are
    numbered from there, by connection: what an interrupted one still holds may come again by the next, before or after.
    """

    def __init__(
        self, system: LiveSystem, stream: str, address: Address, gate: Gate, stopping: Event, failed: Failed
    ) -> None:
        super().__init__(address, gate, stopping, failed)
        self.system, self.stream = system, stream

    def serve(self, connection: socket.socket) -> None:
        try:
            self._serve_lines(connection)
        except SnapeqError as error:
            refuse(connection, str(error))

    def _serve_lines(self, connection: socket.socket) -> None:
        said, rest = self._greeting(connection)
        if not self._admits(said):
            raise SnapeqError("expected a first line `#token TOKEN` with the token of this system")
        sender = said.get("sender", "")
        source = LineSource(self.system, self.stream, f"tcp {self.address}", sender)
        number = self.system.core.senders.get(sender, 0)
        if sender:
            tell(connection, {"next": number})
        piece: bytes | None = rest
        while piece is not None:
            for lines in source.feed(piece):
                self._accept(lines, number, connection)
                number += lines.count
            piece = self._receive(connection)
        if not self.stopping.is_set() and not sender:  # the last line of a sender with a name may be half of one
            for lines in source.end():
                self._accept(lines, number, connection)

    def _accept(self, lines: SentLines, number: int, connection: socket.socket) -> None:
        self.patiently(lambda: self.system.sent(lines, number))
        if lines.sender:
            tell(connection, {"accepted": self.system.core.senders[lines.sender]})

    def _greeting(self, connection: socket.socket) -> tuple[dict[str, str], bytes]:
        """Lines that begin with # say who is there; the rest are already lines of the stream."""
        said: dict[str, str] = {}
        data = self._receive(connection) or b""
        while data.startswith(b"#"):
            if b"\n" not in data:
                more = self._receive(connection)
                if more is None or len(data) > self.system.limits.line_bytes:
                    raise SnapeqError(f"expected #token TOKEN or #sender NAME and a line end, got {shown(data)!r}")
                data += more
                continue
            line, _, data = data.partition(b"\n")
            word, _, value = line[1:].decode("utf-8", "replace").strip().partition(" ")
            said[word] = value.strip()
            if not data and "sender" not in said and self._admits(said):
                data = self._receive(connection) or b""  # its name may come in a piece of its own
        return said, data

    def _admits(self, said: dict[str, str]) -> bool:
        return not self.secret or self.gate.knows(said.get("token", ""))

    def _receive(self, connection: socket.socket) -> bytes | None:
        """The next bytes; None when the other side has closed or the system stops."""
        while not self.stopping.is_set():
            try:
                return connection.recv(BYTES_AT_ONCE) or None
            except TimeoutError:
                continue
        return None


class OutPort(Port):
    """A port at which clients get the results of a query as CSV: first those that are held, then all new ones."""

    def __init__(
        self, system: LiveSystem, query: str, address: Address, gate: Gate, stopping: Event, failed: Failed
    ) -> None:
        super().__init__(address, gate, stopping, failed)
        self.system, self.query = system, query

    def serve(self, connection: socket.socket) -> None:
        if self.secret and not self.gate.knows(_first_line(connection)):
            refuse(connection, "expected a first line with the token of this system")
            return
        query = self.system.core.queries.get(self.query)
        if query is None:
            refuse(connection, f"there is no query {self.query!r} any more")
            return
        connection.settimeout(SEND_SECONDS)
        text, buffer = ResultText(query.asked.schema, Format.CSV), query.buffer
        connection.sendall(text.header())
        number = buffer.first
        while not self.stopping.is_set():
            begin, batches = buffer.after(number, WAIT_SECONDS)
            if begin > number:
                return  # too slow: results between are gone, and a client must not take the rest for all
            for batch in batches:
                connection.sendall(text.lines(batch))
            number = begin + sum(map(len, batches))
            if not batches and (buffer.closed or _has_left(connection)):
                return


def _has_left(connection: socket.socket) -> bool:
    """Has the other side closed the connection?"""
    try:
        return connection.recv(1024, socket.MSG_DONTWAIT | socket.MSG_PEEK) == b""
    except BlockingIOError:
        return False


def _first_line(connection: socket.socket) -> str:
    connection.settimeout(SEND_SECONDS)
    data = b""
    while b"\n" not in data and len(data) < 1024:
        piece = connection.recv(1024)
        if not piece:
            break
        data += piece
    return data.partition(b"\n")[0].decode("utf-8", "replace").strip().removeprefix("#token ").strip()


def tell(connection: socket.socket, document: dict[str, object]) -> None:
    """Send one line of JSON."""
    connection.sendall(json.dumps(document).encode() + b"\n")


def refuse(connection: socket.socket, reason: str) -> None:
    """Say why nothing is taken, if the other side still listens."""
    try:
        tell(connection, {"error": reason})
    except OSError:
        return
