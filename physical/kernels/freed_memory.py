"""Freed memory stays with the process, for the next batch.

A fresh page costs more than a kernel that fills it: keeping old ones halved the time of a canonical form. So glibc is
asked to keep large blocks that are freed, up to a limit; SNAPEQ_KEEP_MEMORY=0 forbids it.
"""

import ctypes
import os
import sys
from typing import Final

_M_TRIM_THRESHOLD: Final = -1
_M_MMAP_THRESHOLD: Final = -3
_MALLOPT_LIMIT: Final = 2**31 - 1


def kept_bytes() -> int:
    """Bytes at the end of the heap that are kept, and the size from which a block is given back at once.

    An eighth of the machine's memory, but no more than the C library takes as a limit.
    """
    return min(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 8, _MALLOPT_LIMIT)


def keep_freed_memory() -> bool:
    """Ask the C library to keep what is freed; False where it cannot be asked or must not be."""
    if os.environ.get("SNAPEQ_KEEP_MEMORY") == "0" or not sys.platform.startswith("linux"):
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    return mallopt is not None and all(
        mallopt(option, kept_bytes()) == 1 for option in (_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD)
    )
