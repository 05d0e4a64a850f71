"""How kernels are compiled: by numba, once per machine, into a cache that a changed kernel never hits by mistake.

numba's cache does not notice that a function in another file, which a kernel calls, has changed. So the name of the
cache folder contains a hash of all kernel sources and of numba's version. numba also keeps apart what comes from
different paths. So the sources are copied into the cache folder and compiled as if they were there, and all copies of
snapeq on a machine share what was compiled once.

Loading numba takes longer than reading a million rows. So it is loaded when a kernel is first called, and numpy does
what it can until it has taken about as long as loading numba would.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache, update_wrapper
from importlib import import_module
from pathlib import Path
from tempfile import NamedTemporaryFile
from types import FunctionType
from typing import Any, Final, TypeVar, cast

import numpy as np

F = TypeVar("F", bound=Callable[..., Any])
NUMBERS_BEFORE_NUMBA: Final = 1 << 24
"""Numbers that numpy treats before numba is loaded: 0.6 s at 37 ns each, about as long as loading numba takes."""


def jit(function: F) -> F:
    """Compile a kernel when it is first called, or load it from the cache."""
    return cast(F, JitKernel(function))


def jit_or(plain: F) -> Callable[[F], F]:
    """The same for a kernel with a stand-in in numpy, which is used as long as there is little work."""
    return lambda function: cast(F, JitKernel(function, plain))


class JitKernel:
    """A function that numba compiles when it is first called."""

    def __init__(self, function: Callable[..., Any], plain: Callable[..., Any] | None = None) -> None:
        self.function = function
        self.plain = plain
        self._compiled: Callable[..., Any] | None = None
        self._ready = False
        self._options = {"cache": True, "nogil": True}
        update_wrapper(self, function)

    def __call__(self, *arguments: Any) -> Any:
        if self.plain is not None and loading.can_wait(arguments):
            return self.plain(*arguments)
        return self.compiled()(*arguments) if self._ready else self._first(arguments)

    def _first(self, arguments: tuple[Any, ...]) -> Any:
        """The first call compiles; of processes that start together one compiles, and the others load its result."""
        kernel = self.compiled()
        with alone(Path(self.source)):
            result = kernel(*arguments)
        self._ready = True
        return result

    def compiled(self) -> Callable[..., Any]:
        """The compiled function."""
        if self._compiled is None:
            self._compiled = loading.numba().njit(**self._options)(self._for_numba())
        return self._compiled

    def forget(self) -> None:
        """Compile it anew at its next call, since it or a kernel that it calls was changed in this process.

        Then bounds are checked, and the cache is neither read nor written: it knows nothing of the change.
        """
        self._compiled, self._ready = None, True
        self._options = {"boundscheck": True, "nogil": True}

    def calls(self) -> dict[str, "JitKernel"]:
        """The kernels that it calls, by the names that it has for them."""
        names = self.function.__globals__
        return {
            name: part for name in self.function.__code__.co_names if isinstance(part := names.get(name), JitKernel)
        }

    @property
    def source(self) -> str:
        """The path that it is compiled from."""
        return str(Path(loading.numba().config.CACHE_DIR) / Path(self.function.__code__.co_filename).name)

    def _for_numba(self) -> Callable[..., Any]:
        """The function, calling compiled kernels in place of JitKernel objects, which numba does not know."""
        code, names = self.function.__code__.replace(co_filename=self.source), self.function.__globals__
        scope = {**names, **{name: kernel.compiled() for name, kernel in self.calls().items()}}
        return update_wrapper(FunctionType(code, scope), self.function)


def cache_folder(version: str) -> Path:
    """The folder for kernels compiled from just these sources by this version of numba."""
    import hashlib  # it loads a library that only compiling needs

    digest = hashlib.sha256(version.encode())
    for path in _sources():
        digest.update(path.name.encode() + path.read_bytes())
    base = os.environ.get("SNAPEQ_CACHE") or os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "snapeq" / f"kernels-{digest.hexdigest()[:16]}"


def _sources() -> list[Path]:
    return sorted(Path(__file__).parent.glob("*.py"))


def fill(folder: Path) -> None:
    """Copy the sources of all kernels to where they are compiled, unless they are there."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in (path for path in _sources() if not (folder / path.name).exists()):
        with NamedTemporaryFile(dir=folder, delete=False) as copy:
            copy.write(path.read_bytes())
        os.replace(copy.name, folder / path.name)  # atomic: another process may do the same now


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Exclude other processes for the same file; where files cannot be locked, work is done twice at worst."""
    if sys.platform == "win32":
        yield
        return
    import fcntl

    with ExitStack() as held:
        with suppress(OSError):
            file = held.enter_context(path.open("rb"))
            fcntl.flock(file, fcntl.LOCK_EX)
            held.callback(fcntl.flock, file, fcntl.LOCK_UN)  # a process forked meanwhile keeps the file open
        yield


class Loading:
    """Loads numba once, and counts how much work can still be done without it."""

    def __init__(self) -> None:
        self.left = NUMBERS_BEFORE_NUMBA

    def can_wait(self, arguments: tuple[Any, ...]) -> bool:
        """Is numba not loaded yet, and was there little work so far?"""
        if self.left > 0:
            self.left -= sum(map(np.size, arguments))
        return self.left > 0

    @cache  # noqa: B019  # there is one
    def numba(self) -> Any:
        self.left = 0
        numba = import_module("numba")
        folder = cache_folder(numba.__version__).absolute()
        if not folder.exists():
            print("snapeq: compiling its kernels, this once", file=sys.stderr)
        fill(folder)
        numba.config.CACHE_DIR = str(folder)
        return numba


loading: Final = Loading()
