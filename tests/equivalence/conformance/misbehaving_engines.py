"""Engines that do to their process what no engine should."""

import ctypes
import os
import signal
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from physical import run
from semantics import Plan, show
from semantics.plan import Distinct


class Unruly:
    """The interval engine, but on every distinct it misbehaves first."""

    @property
    def name(self) -> str:
        return type(self).__name__

    def supports(self, plan: Plan) -> bool:
        return bool(plan)

    def run(self, plan: Plan, sources: Mapping[str, Any], horizon: int) -> Any:
        if isinstance(plan, Distinct):
            self.misbehave(plan)
        return run(plan, sources, horizon)

    def misbehave(self, plan: Plan) -> None:
        """What a test is about."""


class Aborts(Unruly):
    def misbehave(self, plan: Plan) -> None:  # noqa: ARG002
        os.abort()


class Exits(Unruly):
    def misbehave(self, plan: Plan) -> None:  # noqa: ARG002
        os._exit(0)


class Segfaults(Unruly):
    def misbehave(self, plan: Plan) -> None:  # noqa: ARG002
        ctypes.string_at(0)


class KillsItself(Unruly):
    def misbehave(self, plan: Plan) -> None:  # noqa: ARG002
        os.kill(os.getpid(), signal.SIGKILL)


class HangsInC(Unruly):
    """No exception ends a call of compiled code, which holds the lock of the interpreter here, too."""

    def misbehave(self, plan: Plan) -> None:  # noqa: ARG002
        ctypes.PyDLL(None).sleep(1000)


class Prints(Unruly):
    """Prints what looks like an answer, by Python and past it, and would read what it is not asked."""

    def misbehave(self, plan: Plan) -> None:
        print('{"snapshots": []}', show(plan), flush=True)
        os.write(1, b'{"unsupported": true}\n')
        assert sys.stdin.read() == ""


class Hoards(Unruly):
    """Takes all the memory that there is."""

    def misbehave(self, plan: Plan) -> None:  # noqa: ARG002
        hoard = []
        while True:
            hoard.append(bytearray(2**26))


class Forks(Unruly):
    """Leaves a process behind that keeps everything open, and crashes."""

    def misbehave(self, plan: Plan) -> None:  # noqa: ARG002
        if os.fork() == 0:
            time.sleep(1000)
        os._exit(3)


class AlwaysHangs(Unruly):
    """Never gives a result, whatever the plan."""

    def run(self, plan: Plan, sources: Mapping[str, Any], horizon: int) -> Any:  # noqa: ARG002
        while True:
            time.sleep(0.01)


class SaysWhoAndHangs(Unruly):
    """Writes down its process, and hangs without letting any other thread run."""

    def misbehave(self, plan: Plan) -> None:  # noqa: ARG002
        Path(os.environ["SNAPEQ_TEST_PID"]).write_text(str(os.getpid()))
        ctypes.PyDLL(None).sleep(1000)


class SaysWhoAndSleeps(Unruly):
    """Writes down its process, and sleeps."""

    def misbehave(self, plan: Plan) -> None:  # noqa: ARG002
        Path(os.environ["SNAPEQ_TEST_PID"]).write_text(str(os.getpid()))
        time.sleep(1000)


class AbortsOnMany(Unruly):
    """Crashes on a distinct of three elements or more."""

    def run(self, plan: Plan, sources: Mapping[str, Any], horizon: int) -> Any:
        if isinstance(plan, Distinct) and any(_size(stream) > 2 for stream in sources.values()):
            os.abort()
        return run(plan, sources, horizon)


def _size(stream: Any) -> int:
    return len(stream.elements if hasattr(stream, "elements") else stream)
