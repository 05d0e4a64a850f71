"""A process that answers one line with one line, and may crash or hang at any time."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO, Final, Self

from equivalence.conformance.subject.spent_time import LONGEST_WAIT, Stopwatch
from equivalence.conformance.subject.time_limit import SHORTEST_WAIT, TimeUp

SECONDS_TO_END: Final = 5.0
"""A process that is no longer needed may end by itself for this long, before it is killed."""
SHOWN_BYTES: Final = 200
"""Of a line that never ends, a message shows this much."""
LAST_WORDS: Final = 2000
"""Bytes at the end of what a process writes to its standard error that are kept."""


class Crashed(Exception):
    """The process came to its end, which the message tells."""


class Process:
    """One run of a command. With `listening_to_errors`, the end of what it writes to its standard error is kept."""

    def __init__(
        self,
        command: Sequence[str],
        longest: int,
        *,
        environment: Mapping[str, str] | None = None,
        listening_to_errors: bool = False,
    ) -> None:
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE if listening_to_errors else None,
            env=environment,
            start_new_session=True,
        )
        self._lines: SimpleQueue[bytes] = SimpleQueue()
        self._unfinished, self._too_long = b"", False
        self._said = b""
        assert self._process.stdout is not None
        self._listening = _thread(self._listen, self._process.stdout, longest)
        self._errors = _thread(self._keep_last_words, self._process.stderr) if self._process.stderr else None
        _thread(self._watch)

    @classmethod
    def of_module(cls, module: str, arguments: Sequence[str], longest: int) -> Self:
        """A Python module in a process that knows the same modules as this one."""
        paths = os.pathsep.join(path or os.getcwd() for path in sys.path)
        return cls(
            [sys.executable, "-P", "-m", module, *arguments], longest, environment={**os.environ, "PYTHONPATH": paths}
        )

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
        while (heard := self._heard(min(limit - watch.spent, LONGEST_WAIT))) is None:
            if watch.spent >= limit:
                self.kill()
                raise TimeUp(f"no result within {limit} s")
        if not heard:
            how = "an answer that is far too long" if self._too_long else self._ended()
            self.kill()
            raise Crashed(how)
        return heard

    @property
    def unasked(self) -> bytes:
        """A line that it wrote without being told anything, if one has come."""
        return self._heard(0.0) or b""

    @property
    def last_words(self) -> str:
        """The end of what it wrote to its standard error; of a process that has ended, all of that."""
        if self._errors is not None and self._process.poll() is not None:
            self._errors.join(SECONDS_TO_END)
        return self._said.decode(errors="replace").strip()

    def _heard(self, seconds: float) -> bytes | None:
        try:
            return self._lines.get(timeout=max(seconds, SHORTEST_WAIT)) if seconds else self._lines.get_nowait()
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
        self.ends_by_itself()

    def ends_by_itself(self) -> bool:
        """Close its input; does it end then? If not, it is ended."""
        assert self._process.stdin is not None
        with suppress(OSError, subprocess.TimeoutExpired):
            self._process.stdin.close()
            self._process.wait(SECONDS_TO_END)
        ended = self._process.poll() is not None
        self.kill()
        return ended

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
        how = f"by signal {_signal(-code)}" if code < 0 else f"with exit code {code}"
        within = f" in the middle of a line: {self._unfinished.decode(errors='replace')}" if self._unfinished else ""
        return f"the process ended {how}{within}"

    def _listen(self, output: IO[bytes], longest: int) -> None:
        """Queue every line that comes, and nothing at the end, or instead of a line that is too long."""
        with output:
            while (heard := output.readline(longest)).endswith(b"\n"):
                self._lines.put(heard)
        self._unfinished, self._too_long = heard[:SHOWN_BYTES], len(heard) >= longest
        self._lines.put(b"")

    def _keep_last_words(self, errors: IO[bytes]) -> None:
        with errors:
            while heard := os.read(errors.fileno(), LAST_WORDS):
                self._said = (self._said + heard)[-LAST_WORDS:]


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)


def _thread(work: Callable[..., None], *arguments: object) -> Thread:
    thread = Thread(target=work, args=arguments, daemon=True)
    thread.start()
    return thread
