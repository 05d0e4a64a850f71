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
HERE: Final = "127.0.0.1"
BLOCK: Final = 1 << 16
PATIENCE: Final = 0.1
"""Seconds after which whoever waits for the other side looks whether it should stop."""


class Stopped(Exception):
    """There is no need to go on."""


class FileIn:
    """A file that is read from its beginning to its end."""

    breaks_off = False
    """Is a last line without its end a line that was cut?"""

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        self.path = path

    @contextmanager
    def reading(self, stopping: Event) -> Iterator[Callable[[], bytes]]:  # noqa: ARG002  # a file never waits
        try:
            with self.path.open("rb") as file:
                yield lambda: file.read(BLOCK)
        except OSError as error:
            raise FileError(self.path, f"it cannot be read: {error.strerror}", "a file that can be read") from error

    def close(self) -> None:
        """A file is closed when it is read."""


class SocketIn:
    """A port that one sender connects to."""

    breaks_off = True

    def __init__(self) -> None:
        self.listener = socket.create_server((HERE, 0))
        self.address: Address = self.listener.getsockname()
        self.name = f"{HERE}:{self.address[1]}"

    @contextmanager
    def reading(self, stopping: Event) -> Iterator[Callable[[], bytes]]:
        with accepted(self.listener, stopping) as connection:
            yield lambda: received(connection, stopping)

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
    """A port at which clients get results: all of them, as soon as so many have come."""

    def __init__(self, clients: int = 1) -> None:
        self.clients = clients
        self.listener = socket.create_server((HERE, 0))
        self.address: Address = self.listener.getsockname()
        self.name = f"{HERE}:{self.address[1]}"

    @contextmanager
    def writing(self, stopping: Event) -> Iterator[Write]:
        with ExitStack() as stack:
            clients = [stack.enter_context(accepted(self.listener, stopping)) for _ in range(self.clients)]

            def write(text: bytes) -> None:
                for client in clients:
                    sent(client, text, stopping)

            yield write

    def close(self) -> None:
        self.listener.close()


@contextmanager
def accepted(listener: socket.socket, stopping: Event) -> Iterator[socket.socket]:
    """The next connection."""
    listener.settimeout(PATIENCE)
    connection = _patiently(lambda: listener.accept()[0], stopping)
    with connection:
        connection.settimeout(PATIENCE)
        yield connection


def received(connection: socket.socket, stopping: Event) -> bytes:
    """The next bytes; none when the other side has closed."""
    return _patiently(lambda: connection.recv(BLOCK), stopping)


def sent(connection: socket.socket, text: bytes, stopping: Event) -> None:
    """All of a text, as fast as the other side takes it."""
    rest = memoryview(text)
    while rest:
        rest = rest[_patiently(lambda: connection.send(rest), stopping) :]


def _patiently(action: Callable[[], T], stopping: Event) -> T:
    while not stopping.is_set():
        try:
            return action()
        except TimeoutError:
            continue
    raise Stopped


In = FileIn | SocketIn
Out = FileOut | SocketOut
