"""Freed memory stays with the process, for the next batch.

A fresh page of memory costs more than the kernel that fills it: keeping freed pages halved the time of a canonical
form. So glibc is asked to keep large freed blocks, up to a limit. SNAPEQ_KEEP_MEMORY=0 turns this off.

By default each thread has an arena of its own, and gives back what does not fit into it: large blocks at once. With two
threads this made a grouped aggregation slower than with one. So all threads share the one arena that keeps its memory;
they allocate few and large blocks, and do not wait for one another. An arena that is there already stays: so this is
done before Arrow is loaded, which starts a thread. Where somebody else loaded Arrow first, half of our threads get that
arena, and fresh pages with it: `MALLOC_ARENA_MAX=1` in the environment helps there.
"""

import ctypes
import os
import sys
from typing import Final

_M_TRIM_THRESHOLD: Final = -1
_M_MMAP_THRESHOLD: Final = -3
_M_ARENA_MAX: Final = -8
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
    asked = {_M_TRIM_THRESHOLD: kept_bytes(), _M_MMAP_THRESHOLD: kept_bytes(), _M_ARENA_MAX: 1}
    return mallopt is not None and all(mallopt(option, value) == 1 for option, value in asked.items())
