"""A process that answers one line with one line, and may crash or hang at any time."""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO, Final

from equivalence.conformance.subject.spent_time import Stopwatch
from equivalence.conformance.subject.time_limit import SHORTEST_WAIT, TimeUp

SECONDS_TO_END: Final = 5.0
"""A process that is no longer needed may end by itself for this long, before it is killed."""


class Crashed(Exception):
    """The process came to its end, which the message tells."""


class Process:
    """One run of a Python module in a process of its own, that knows the same modules as this one."""

    def __init__(self, module: str, arguments: Sequence[str], longest: int) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", module, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path)},
            start_new_session=True,
        )
        self._lines: SimpleQueue[bytes] = SimpleQueue()
        assert self._process.stdout is not None
        self._listening = Thread(target=_listen, args=(self._process.stdout, self._lines, longest), daemon=True)
        self._listening.start()
        Thread(target=self._watch, daemon=True).start()

    def tell(self, line: bytes) -> Stopwatch:
        """Send a line, which it will answer; after an exception there is no use in telling it more."""
        assert self._process.stdin is not None
        watch = Stopwatch(self._process.pid)
        try:
            self._process.stdin.write(line)
            self._process.stdin.flush()
        except OSError:
            raise Crashed(self._ended()) from None
        return watch

    def hear(self, limit: float, watch: Stopwatch | None = None) -> bytes:
        """The next line that it writes within this many seconds of its own time, from now or as a watch says."""
        watch = watch or Stopwatch(self._process.pid)
        while (heard := self._heard(limit - watch.spent)) is None:
            if watch.spent >= limit:
                self.kill()
                raise TimeUp(f"no result within {limit} s")
        if not heard.endswith(b"\n"):
            how = "an answer that is far too long" if heard else self._ended()
            self.kill()
            raise Crashed(how)
        return heard

    def _heard(self, seconds: float) -> bytes | None:
        try:
            return self._lines.get(timeout=max(seconds, SHORTEST_WAIT))
        except Empty:
            return None

    def _watch(self) -> None:
        """Notice its end even if another process, which it started, still holds its output open.

        What it wrote last may not have been read yet, and comes first.
        """
        self._process.wait()
        self._listening.join(SECONDS_TO_END)
        self._lines.put(b"")

    def close(self) -> None:
        """Let it end, and see to it that it does."""
        assert self._process.stdin is not None
        with suppress(OSError, subprocess.TimeoutExpired):
            self._process.stdin.close()
            self._process.wait(SECONDS_TO_END)
        self.kill()

    def kill(self) -> None:
        """End it, and all processes that it started."""
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except (AttributeError, OSError):  # no groups of processes on this system, or none left
            self._process.kill()
        self._process.wait()
        assert self._process.stdin is not None
        with suppress(OSError):  # its buffer may hold bytes that the process did not read
            self._process.stdin.close()

    def _ended(self) -> str:
        """How it ended; it has closed its output, so that it will in a moment."""
        try:
            code = self._process.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            return "the process closed its output"
        finally:
            self.kill()
        return f"the process ended {f'by signal {_signal(-code)}' if code < 0 else f'with exit code {code}'}"


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)


def _listen(output: IO[bytes], lines: "SimpleQueue[bytes]", longest: int) -> None:
    """Every line that comes; at the end, or instead of one that is too long, something without a line's end."""
    with output:
        while (heard := output.readline(longest)).endswith(b"\n"):
            lines.put(heard)
        lines.put(heard[:80])
