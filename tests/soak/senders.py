"""Four sources that never stop: two files that grow, a TCP sender and an HTTP sender that go on after interruptions."""

import json
import random
import socket
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread
from typing import Final

SLACK: Final = 5
KEYS: Final = 50
RETRY_SECONDS: Final = 0.2
Row = tuple[int, int, int]
"""A key, a value and a time."""


class Source(Thread):
    """Makes rows out of order within the slack, a few for every instant, until it is told to stop."""

    def __init__(self, name: str, rows_per_instant: int, pause: float, stopping: Event) -> None:
        super().__init__(name=name, daemon=True)
        self.rows_per_instant, self.pause, self.stopping = rows_per_instant, pause, stopping
        self.random = random.Random(name)
        self.rows: list[Row] = []
        self.instant = 0

    def run(self) -> None:
        while not self.stopping.is_set():
            rows = [self._row() for _ in range(self.rows_per_instant)]
            self.rows += rows
            self.deliver(rows)
            self.instant += 1
            self.stopping.wait(self.pause)

    def _row(self) -> Row:
        late = self.random.randrange(min(SLACK, self.instant + 1))
        return self.random.randrange(KEYS), self.random.randrange(1000), self.instant - late

    def deliver(self, rows: list[Row]) -> None:
        raise NotImplementedError


class CsvFile(Source):
    """Appends to a file of CSV, and now and then a line that is none."""

    def __init__(self, name: str, path: Path, rows: int, pause: float, stopping: Event) -> None:
        super().__init__(name, rows, pause, stopping)
        self.path = path
        self.bad = 0
        path.write_text("k,v,ts\n")

    def deliver(self, rows: list[Row]) -> None:
        with self.path.open("a") as file:
            file.write("".join(f"{k},{v},{t}\n" for k, v, t in rows))
            if self.instant % 100 == 50:
                self.bad += 1
                file.write("this is,no row\n")


class JsonFile(Source):
    """Appends JSON objects to a file, in pieces that do not end where lines end."""

    def __init__(self, name: str, path: Path, rows: int, pause: float, stopping: Event) -> None:
        super().__init__(name, rows, pause, stopping)
        self.path = path
        path.write_text("")

    def deliver(self, rows: list[Row]) -> None:
        text = json_lines(rows)
        with self.path.open("ab", buffering=0) as file:
            file.write(text[: len(text) // 2])
            file.write(text[len(text) // 2 :])


class TcpSender(Source):
    """Sends lines over one connection, and after a break goes on with the line that it is told."""

    def __init__(self, name: str, address: Callable[[], str], rows: int, pause: float, stopping: Event) -> None:
        super().__init__(name, rows, pause, stopping)
        self.address = address
        self.connection: socket.socket | None = None
        self.reconnects = 0

    def deliver(self, rows: list[Row]) -> None:
        while not self._sent(rows):
            self.stopping.wait(RETRY_SECONDS)

    def _sent(self, rows: list[Row]) -> bool:
        """Send, and wait until everything so far is accepted; after a break, first what was not."""
        try:
            if self.connection is None:
                rows = self.rows[self._connect() :]
                if not rows:  # all was accepted, and only the answer was lost
                    return True
            assert self.connection is not None
            self.connection.sendall(json_lines(rows))
            while self._accepted() < len(self.rows):
                continue
            return True
        except (OSError, ValueError, KeyError):
            self.connection = None
            return False

    def _accepted(self) -> int:
        line = self.answers.readline()
        if not line:
            raise ConnectionResetError
        return int(json.loads(line)["accepted"])

    def _connect(self) -> int:
        host, _, port = self.address().rpartition(":")
        self.connection = socket.create_connection((host, int(port)), timeout=30)
        self.answers = self.connection.makefile("rb")
        self.connection.sendall(b"#sender soak\n")
        self.reconnects += 1
        return int(json.loads(self.answers.readline())["next"])


class HttpSender(Source):
    """Posts lines with their numbers, and posts them again until they are accepted."""

    def __init__(self, name: str, address: Callable[[], str], rows: int, pause: float, stopping: Event) -> None:
        super().__init__(name, rows, pause, stopping)
        self.address = address
        self.repeated = 0

    def deliver(self, rows: list[Row]) -> None:
        first = len(self.rows) - len(rows)
        while True:
            url = f"http://{self.address()}/api/streams/{self.name}?sender=poster&first={first}"
            try:
                with urllib.request.urlopen(urllib.request.Request(url, json_lines(rows), method="POST"), timeout=30):
                    return
            except (OSError, urllib.error.URLError):
                self.repeated += 1
                self.stopping.wait(RETRY_SECONDS)


def json_lines(rows: list[Row]) -> bytes:
    return "".join(json.dumps({"k": k, "v": v, "ts": t}) + "\n" for k, v, t in rows).encode()
