"""How kernels are compiled: by numba, once per machine, into a cache that a changed kernel never hits by mistake.

numba's cache does not notice that a function which a kernel calls has changed in another file. So the folder's
name holds a hash of all kernel sources and of numba's version; it lies in the user's cache folder.
"""

import hashlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

from physical.memory import keep_freed_memory

F = TypeVar("F", bound=Callable[..., Any])


def cache_folder() -> Path:
    """The folder for kernels compiled from just these sources."""
    digest = hashlib.sha256(numba.__version__.encode())
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.name.encode() + path.read_bytes())
    base = os.environ.get("SNAPEQ_CACHE") or os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "snapeq" / f"kernels-{digest.hexdigest()[:16]}"


def _prepare() -> None:
    folder = cache_folder()
    if not folder.exists():
        print("snapeq: compiling its kernels, this once", file=sys.stderr)
        folder.mkdir(parents=True, exist_ok=True)
    numba.config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]  # set at run time


_prepare()
keep_freed_memory()


def jit(function: F) -> F:
    """Compile a kernel when it is first called, or load it from the cache."""
    return cast(F, numba.njit(cache=True, nogil=True)(function))
