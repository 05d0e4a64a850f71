"""Freed memory stays with the process, for the next batch.

A fresh page of memory costs more than the kernel that fills it: keeping freed pages halved the time of a canonical
form. So glibc is asked to keep large freed blocks, up to a limit. SNAPEQ_KEEP_MEMORY=0 turns this off.
"""

import ctypes
import os
import sys
from typing import Final

_M_TRIM_THRESHOLD: Final = -1
_M_MMAP_THRESHOLD: Final = -3
_MALLOPT_LIMIT: Final = 2**31 - 1


def kept_bytes() -> int:
    """The free bytes that stay at the end of the heap, and the size from which on a block is given back at once.

    An eighth of the machine's memory, but no more than the C library takes as a limit.
    """
    return min(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 8, _MALLOPT_LIMIT)


def keep_freed_memory() -> bool:
    """Ask the C library to keep freed memory; False if it cannot, or if the user forbids it."""
    if os.environ.get("SNAPEQ_KEEP_MEMORY") == "0" or not sys.platform.startswith("linux"):
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    return mallopt is not None and all(
        mallopt(option, kept_bytes()) == 1 for option in (_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD)
    )
