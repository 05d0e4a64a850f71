"""One mutation in the running process: the functions that it changes get other code, wherever they are referred to."""

import gc
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import _lru_cache_wrapper
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from equivalence.mutants.machine.syntax_mutations import SyntaxMutation, mutated
from physical.kernels.jit import JitKernel


class NotSwappable(Exception):
    """The mutation is in code that has run already: a constant, a class body, a default value."""


@dataclass(frozen=True)
class LiveCode:
    """All functions, kernels and caches of a process, and the source they come from. Looking for them takes long."""

    sources: Mapping[str, str]
    """By file, as they were when it was looked for: somebody may go on editing them."""
    functions: tuple[FunctionType, ...]
    kernels: tuple[JitKernel, ...]
    caches: tuple[Any, ...]

    @classmethod
    def found(cls, packages: tuple[str, ...] = ("physical", "equivalence.optimizer")) -> "LiveCode":
        """What is alive now, of these packages."""
        gc.unfreeze()  # what an earlier laboratory has frozen would not be found
        alive = [o for o in gc.get_objects() if type(o) in (FunctionType, JitKernel, _lru_cache_wrapper)]
        inside = [o for o in alive if str(o.__module__).startswith(packages)]
        files = {o.__code__.co_filename for o in inside if isinstance(o, FunctionType)}
        return cls(
            {file: Path(file).read_text(encoding="utf-8") for file in files if Path(file).exists()},
            tuple(o for o in inside if isinstance(o, FunctionType)),
            tuple(o for o in inside if isinstance(o, JitKernel)),
            tuple(o for o in inside if isinstance(o, _lru_cache_wrapper) and o.__name__ != "numba"),
        )

    def install(self, mutation: SyntaxMutation) -> list[JitKernel]:
        """Mutate this process, and say which kernels have to be compiled anew.

        Raises NotSwappable where it is not possible, SyntaxError where the mutant is no code.
        """
        file = str(sys.modules[mutation.module].__file__)
        source = self.sources.get(file)
        if source is None:
            raise NotSwappable("no function of this file is alive")
        changed = _changed(compile(source, file, "exec"), compile(mutated(source, mutation), file, "exec"))
        swapped = [f for f in self.functions if f.__code__.co_filename == file and _swap(f, changed)]
        if not swapped:
            raise NotSwappable("no function has other code")
        for results in self.caches:  # they may come from the right code
            results.cache_clear()
        kernels = affected(self.kernels, swapped)
        for kernel in kernels:
            kernel.forget()
        return kernels


Changes = dict[tuple[str, int], list[tuple[CodeType, CodeType]]]
"""By qualified name and first line the code that changes, before and after."""


def _changed(before: CodeType, after: CodeType) -> Changes:
    new: dict[tuple[str, int], list[CodeType]] = {}
    for code in _nested(after):
        new.setdefault(_key(code), []).append(code)
    changes: Changes = {}
    for code in _nested(before):
        others = new.get(_key(code), [])
        other = others.pop(0) if others else code
        if other != code:
            changes.setdefault(_key(code), []).append((code, other))
    return changes


def _nested(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _nested(constant)


def _key(code: CodeType) -> tuple[str, int]:
    return code.co_qualname, code.co_firstlineno


def _swap(function: FunctionType, changes: Changes) -> bool:
    """Give a function its other code, if it has one; of several functions in one line it is the one that is equal."""
    pairs = changes.get(_key(function.__code__), [])
    for before, after in pairs:
        if len(pairs) == 1 or before == function.__code__:
            try:
                function.__code__ = after
            except ValueError as error:  # the number of names from around it is another
                raise NotSwappable(str(error)) from error
            return True
    return False


def affected(kernels: tuple[JitKernel, ...], swapped: list[FunctionType]) -> list[JitKernel]:
    """The kernels among these functions, and all that call one of them."""
    identities = {id(function) for function in swapped}
    found = [kernel for kernel in kernels if id(kernel.function) in identities]
    known = {id(kernel) for kernel in found}
    for kernel in found:
        callers = [k for k in kernels if id(k) not in known and any(c is kernel for c in k.calls().values())]
        known |= {id(caller) for caller in callers}
        found += callers
    return found
