"""The process of an engine must not outlive the checker that started it, however the checker ends."""

import ctypes
import os
import signal
import sys
from queue import SimpleQueue
from time import sleep
from typing import BinaryIO, Final

SECONDS_TO_FINISH: Final = 5.0
"""After its last request an engine may still give back what it needs, for this long."""
PR_SET_PDEATHSIG: Final = 1


def end_with(checker: int) -> None:
    """On Linux, ask the kernel to end this process with that one; 0 asks for nothing.

    `listen` notices the end of the checker on every system, but not while compiled code holds the interpreter's lock.
    """
    if checker and sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != checker:  # it ended before the kernel was asked
            os._exit(1)


def listen(channel: BinaryIO, requests: "SimpleQueue[bytes]") -> None:
    """Queue every request, and at the end nothing; then this process ends, even if a request is still being treated."""
    for text in channel:
        requests.put(text)
    requests.put(b"")
    sleep(SECONDS_TO_FINISH)
    _end()


def _end() -> None:
    """End this process, and all that it started."""
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(1)
