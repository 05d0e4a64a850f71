"""Threads that bring lines into a system: files that grow, and standard input."""

import os
import select
from abc import abstractmethod
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread
from typing import Final

from physical.live.lines import Header, LineCutter
from physical.live.records import FileLines, SentLines
from physical.live.system import LiveSystem, NoRoom
from semantics import SnapeqError

POLL_SECONDS: Final = 0.05
"""A thread that waits looks this often whether there is something new, and whether it should stop."""
BYTES_AT_ONCE: Final = 1 << 18
Failed = Callable[[Exception], None]


class Feeder(Thread):
    """A thread that ends when its input ends or the system stops, and reports errors."""

    def __init__(self, name: str, stopping: Event, failed: Failed) -> None:
        super().__init__(name=name, daemon=True)
        self.stopping, self.failed = stopping, failed

    def run(self) -> None:
        try:
            self.work()
        except Exception as error:
            self.failed(error)

    @abstractmethod
    def work(self) -> None: ...

    def patiently(self, action: Callable[[], object]) -> None:
        """Do something, and again after a while as long as there is no room for it."""
        while not self.stopping.is_set():
            try:
                action()
                return
            except NoRoom:
                self.stopping.wait(POLL_SECONDS)


class FileFeeder(Feeder):
    """Follows a file as it grows, from where the system has read it; with `finish`, up to its present end."""

    def __init__(
        self, system: LiveSystem, stream: str, path: Path, stopping: Event, failed: Failed, *, finish: bool = False
    ) -> None:
        super().__init__(f"file of {stream}", stopping, failed)
        self.system, self.stream, self.finish = system, stream, finish
        self.path = str(path.resolve())
        self.reader = system.around.declared.reader(stream)
        self.scanned = 0
        """How far the file was searched for the end of a line that is too long."""
        self.gone = False
        """Was it said that the file is not there any more?"""

    def work(self) -> None:
        while not self.stopping.is_set():
            if not self.step():
                if self.finish:
                    return
                self.stopping.wait(POLL_SECONDS)

    def step(self) -> bool:
        """Take the next lines, if there are any."""
        state = self.system.core.stream(self.stream)
        position = state.positions.get(self.path, 0)
        block = self._block(position)
        if not block:
            return False
        if self.path in state.headers:
            header, begin = state.headers[self.path], 0
        else:
            header, begin = self._header(block)
        end = block.rfind(b"\n") + 1
        if end > begin:
            self._take(position + begin, position + end, header)
        elif end == begin > 0:
            return False
        elif len(block) > self.system.limits.line_bytes:
            return self._skip(position, header)
        else:
            return False
        return True

    def _block(self, position: int) -> bytes:
        try:
            with open(self.path, "rb") as file:
                if os.fstat(file.fileno()).st_size < position:
                    raise SnapeqError(f"{self.path}: it has become shorter; expected a file that only grows")
                file.seek(position)
                block = file.read(max(BYTES_AT_ONCE, self.system.limits.line_bytes + 1))
        except FileNotFoundError:
            self._miss(position)
            return b""
        self.gone = False
        return block + b"\n" if self.finish and block and b"\n" not in block else block

    def _miss(self, position: int) -> None:
        """A file that was read and is gone may come back; somebody should know, once."""
        if position and not self.gone:
            self.gone = True
            self.failed(SnapeqError(f"{self.path}: it is gone; expected a file that only grows; waiting for it"))

    def _header(self, block: bytes) -> tuple[Header, int]:
        line, end, _ = block.partition(b"\n")
        header = self.reader.header(line) if end else None
        return header, 0 if header is None else len(line) + 1

    def _take(self, begin: int, end: int, header: Header, overlong: bool = False) -> None:
        size = os.path.getsize(self.path)  # the last line of a finished file may lack its end
        record = FileLines(self.stream, self.path, begin, min(end, size), header, overlong)
        self.patiently(lambda: self.system.accept(record))

    def _skip(self, position: int, header: Header) -> bool:
        """Look for the end of a line that is too long, without holding it."""
        self.scanned = max(self.scanned, position)
        with open(self.path, "rb") as file:
            file.seek(self.scanned)
            while piece := file.read(BYTES_AT_ONCE):
                if b"\n" in piece:
                    self._take(position, self.scanned + piece.index(b"\n") + 1, header, overlong=True)
                    return True
                self.scanned += len(piece)
        return False


class PipeFeeder(Feeder):
    """Reads lines from a pipe until it is closed; then the stream is over."""

    def __init__(self, system: LiveSystem, stream: str, fd: int, stopping: Event, failed: Failed) -> None:
        super().__init__(f"pipe of {stream}", stopping, failed)
        self.system, self.stream, self.fd = system, stream, fd
        self.source = LineSource(system, stream, "stdin")

    def work(self) -> None:
        while not self.stopping.is_set():
            if not select.select([self.fd], [], [], POLL_SECONDS)[0]:
                continue
            piece = os.read(self.fd, BYTES_AT_ONCE)
            for lines in self.source.feed(piece) if piece else self.source.end():
                self.patiently(lambda lines=lines: self.system.accept(lines))  # type: ignore[misc]  # bound at once
            if not piece:
                self.system.end(self.stream)
                return


class LineSource:
    """Turns bytes that arrive in pieces into lines of a stream; the first line says how the others are read."""

    def __init__(self, system: LiveSystem, stream: str, origin: str, sender: str = "") -> None:
        self.stream, self.origin, self.sender = stream, origin, sender
        self.reader = system.around.declared.reader(stream)
        self.cutter = LineCutter(system.limits.line_bytes)
        self.header: Header = None
        self._begun = False

    def feed(self, piece: bytes) -> list[SentLines]:
        """The lines that are complete now."""
        lines, overlong = self.cutter.feed(piece)
        records = self._records(lines)
        return records + ([self._record(overlong + b"\n", overlong=True)] if overlong else [])

    def end(self) -> list[SentLines]:
        """The last line, if it has no end."""
        return self._records(self.cutter.end())

    def _records(self, lines: bytes) -> list[SentLines]:
        if lines and not self._begun:
            first, _, rest = lines.partition(b"\n")
            self.header, self._begun = self.reader.header(first), True
            lines = lines if self.header is None else rest
        return [self._record(lines)] if lines else []

    def _record(self, lines: bytes, overlong: bool = False) -> SentLines:
        return SentLines(
            self.stream, self.origin, self.header, lines, self.sender, lines.count(b"\n"), overlong=overlong
        )
