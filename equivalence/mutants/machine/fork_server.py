"""One forked process per piece of work: what it does to itself is gone with it, and however it ends, somebody sees it.

The parent has loaded and prepared everything. A child shares that memory, so that it begins at once. There is no fork
on Windows, so this works on POSIX systems only.
"""

import faulthandler
import json
import mmap
import os
import selectors
import signal
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from time import monotonic
from typing import Final, Generic, TypeVar

T = TypeVar("T")
Result = dict[str, object]
Note = Callable[[int], None]
"""Says how far the work has come; the parent knows it even if the child crashes."""
STUCK: Final = 900.0
"""Seconds after which a child that uses no CPU time is given up. Nothing that works ever takes so long."""


@dataclass(frozen=True)
class Ended(Generic[T]):
    """How a piece of work ended: with a result, or by a signal."""

    item: T
    result: Result | None
    signal: int
    noted: int
    seconds: float
    """CPU time of the child."""


@dataclass(frozen=True)
class _Child(Generic[T]):
    item: T
    pid: int
    reader: int
    notes: mmap.mmap
    begun: float
    parts: list[bytes]


def run_forked(
    items: Iterable[T], work: Callable[[T, Note], Result], processes: int = 1, stuck: float = STUCK
) -> Iterator[Ended[T]]:
    """Do the work for every item in a process of its own, some at a time; results come as they are ready."""
    waiting, running = iter(items), dict[int, _Child[T]]()
    with selectors.DefaultSelector() as selector:
        try:
            while True:
                while len(running) < processes and (item := next(waiting, None)) is not None:
                    child = _forked(item, work)
                    running[child.reader] = child
                    selector.register(child.reader, selectors.EVENT_READ)
                if not running:
                    return
                for key, _ in selector.select(timeout=1.0):
                    if not _read(running[key.fd]):
                        selector.unregister(key.fd)
                        yield _reaped(running.pop(key.fd))
                _give_up(running.values(), stuck)
        finally:
            _give_up(running.values(), -1)
            for child in running.values():
                _reaped(child)


def _forked(item: T, work: Callable[[T, Note], Result]) -> _Child[T]:
    reader, writer = os.pipe()
    notes = mmap.mmap(-1, 8)
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        _do(item, work, notes, writer)
    os.close(writer)
    return _Child(item, pid, reader, notes, monotonic(), [])


def _do(item: T, work: Callable[[T, Note], Result], notes: mmap.mmap, writer: int) -> None:
    """The child's whole life; it must never return into the parent's code."""
    try:
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        faulthandler.disable()
        _write(writer, work(item, lambda n: notes.__setitem__(slice(0, 8), n.to_bytes(8, "little"))))
        os._exit(0)
    except BaseException as error:
        _write(writer, {"failed": f"{type(error).__name__}: {error}"})
    finally:
        os._exit(1)


def _write(writer: int, result: Result) -> None:
    left = json.dumps(result).encode()
    while left:
        left = left[os.write(writer, left) :]


def _read(child: _Child[T]) -> bool:
    """Take what the child has to say; False at its end."""
    part = os.read(child.reader, 1 << 16)
    child.parts.append(part)
    return bool(part)


def _reaped(child: _Child[T]) -> Ended[T]:
    os.close(child.reader)
    _, status, usage = os.wait4(child.pid, 0)
    number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    result = None if number or not any(child.parts) else json.loads(b"".join(child.parts))
    noted = int.from_bytes(child.notes[:8], "little")
    child.notes.close()
    return Ended(child.item, result, number, noted, usage.ru_utime + usage.ru_stime)


def _give_up(children: Iterable[_Child[T]], after: float) -> None:
    for child in children:
        if monotonic() - child.begun > after:
            os.kill(child.pid, signal.SIGKILL)
