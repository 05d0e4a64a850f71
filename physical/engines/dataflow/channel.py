"""Channels to the world outside: files, and TCP connections on this machine."""

import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Event
from typing import Final, TypeVar

from physical.files.errors import FileError

T = TypeVar("T")
Address = tuple[str, int]
Write = Callable[[bytes], object]
LOCALHOST: Final = "127.0.0.1"
BYTES_PER_READ: Final = 1 << 16
POLL_SECONDS: Final = 0.1
"""A thread that waits for the other side looks this often whether it should stop."""


class StopRequested(Exception):
    """The thread should end, because the net is stopping."""


class FileIn:
    """A file that is read from its beginning to its end."""

    breaks_off = False
    """Does a last line without a line end mean that the line was cut?"""

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        self.path = path

    @contextmanager
    def reading(self, stopping: Event) -> Iterator[Callable[[], bytes]]:  # noqa: ARG002  # a file never waits
        try:
            with self.path.open("rb") as file:
                yield lambda: file.read(BYTES_PER_READ)
        except OSError as error:
            raise FileError(self.path, f"it cannot be read: {error.strerror}", "a file that can be read") from error

    def close(self) -> None:
        """A file is closed when it is read."""


class SocketIn:
    """A port that one sender connects to."""

    breaks_off = True

    def __init__(self) -> None:
        self.listener = socket.create_server((LOCALHOST, 0))
        self.address: Address = self.listener.getsockname()
        self.name = f"{LOCALHOST}:{self.address[1]}"

    @contextmanager
    def reading(self, stopping: Event) -> Iterator[Callable[[], bytes]]:
        with accept_one(self.listener, stopping) as connection:
            yield lambda: receive(connection, stopping)

    def close(self) -> None:
        self.listener.close()


class FileOut:
    """A file that results are written to."""

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        self.path = path

    @contextmanager
    def writing(self, stopping: Event) -> Iterator[Write]:  # noqa: ARG002  # a file never waits
        with self.path.open("wb") as file:
            yield file.write

    def close(self) -> None:
        """A file is closed when it is written."""


class SocketOut:
    """A port at which clients get all results; writing begins when the given number of clients has connected."""

    def __init__(self, clients: int = 1) -> None:
        self.clients = clients
        self.listener = socket.create_server((LOCALHOST, 0))
        self.address: Address = self.listener.getsockname()
        self.name = f"{LOCALHOST}:{self.address[1]}"

    @contextmanager
    def writing(self, stopping: Event) -> Iterator[Write]:
        with ExitStack() as stack:
            clients = [stack.enter_context(accept_one(self.listener, stopping)) for _ in range(self.clients)]

            def write(text: bytes) -> None:
                for client in clients:
                    send_all(client, text, stopping)

            yield write

    def close(self) -> None:
        self.listener.close()


@contextmanager
def accept_one(listener: socket.socket, stopping: Event) -> Iterator[socket.socket]:
    """Wait for the next connection."""
    listener.settimeout(POLL_SECONDS)
    connection = _patiently(lambda: listener.accept()[0], stopping)
    with connection:
        connection.settimeout(POLL_SECONDS)
        yield connection


def receive(connection: socket.socket, stopping: Event) -> bytes:
    """The next bytes; empty when the other side has closed."""
    return _patiently(lambda: connection.recv(BYTES_PER_READ), stopping)


def send_all(connection: socket.socket, text: bytes, stopping: Event) -> None:
    """Send all of a text, as fast as the other side takes it."""
    rest = memoryview(text)
    while rest:
        rest = rest[_patiently(lambda: connection.send(rest), stopping) :]


def _patiently(action: Callable[[], T], stopping: Event) -> T:
    while not stopping.is_set():
        try:
            return action()
        except TimeoutError:
            continue
    raise StopRequested


In = FileIn | SocketIn
Out = FileOut | SocketOut
