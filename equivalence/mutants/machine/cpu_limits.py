"""Limits on CPU time and memory of this process. CPU time, because others may keep the machine busy."""

import resource
import signal
from pathlib import Path
from typing import Any, Final

MEMORY: Final = 3 << 30
"""Bytes of addresses that a process may ask for, beyond those that it has."""
STATUS: Final = Path("/proc/self/statm")


def limit_memory(more: int = MEMORY) -> None:
    """Let the process ask for so much more memory, and leave no core file if it crashes."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if STATUS.exists():  # elsewhere than on Linux the limit would be on something else
        pages = int(STATUS.read_text(encoding="ascii").split()[0])
        most = pages * resource.getpagesize() + more
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


class Stopwatch:
    """Ends the process, by SIGPROF, when a piece of work has taken too much CPU time.

    No handler runs: a loop in compiled code would never let one run. Compiling a kernel does not count as work.
    """

    def __init__(self) -> None:
        self.nested = 0
        self.left = 0.0

    def start(self, seconds: float) -> None:
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_PROF, seconds)

    def stop(self) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0)

    def spare_compiling(self, compiling: float) -> None:
        """Give each compilation so many seconds of its own."""
        from numba.core import event

        watch = self

        class Pause(event.Listener):
            def on_start(self, _: Any) -> None:
                if watch.nested == 0:
                    watch.left = signal.getitimer(signal.ITIMER_PROF)[0]
                    signal.setitimer(signal.ITIMER_PROF, compiling)
                watch.nested += 1

            def on_end(self, _: Any) -> None:
                watch.nested -= 1
                if watch.nested == 0:
                    signal.setitimer(signal.ITIMER_PROF, watch.left)

        event.register("numba:compile", Pause())  # type: ignore[no-untyped-call]  # of numba
