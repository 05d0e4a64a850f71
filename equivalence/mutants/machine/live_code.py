"""One mutation in the running process: the functions that it changes get other code, wherever they are referred to."""

import gc
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import _lru_cache_wrapper, reduce
from pathlib import Path
from types import CodeType, FunctionType, MemberDescriptorType
from typing import Any

import numpy as np

from equivalence.mutants.machine.syntax_mutations import SyntaxMutation, mutated
from physical.kernels.jit import JitKernel
from semantics import Expression


class NotSwappable(Exception):
    """Nothing that is alive is changed by the mutation: a constant of a type that nobody can compare, for example."""


class FailsToLoad(Exception):
    """The mutated module cannot even be loaded."""


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
        code = compile(mutated(source, mutation), file, "exec")
        if mutation.defines:
            return self._forgotten(self._redefined(mutation, _executed(mutation.module, code)))
        if mutation.in_default_value:
            return self._forgotten(self._called_otherwise(mutation.function, file, _executed(mutation.module, code)))
        changed = _changed(compile(source, file, "exec"), code)
        swapped = [f for f in self.functions if f.__code__.co_filename == file and _swap(f, changed)]
        return self._forgotten(swapped)

    def _called_otherwise(self, name: str, file: str, others: dict[str, Any]) -> list[FunctionType]:
        """Give a function the default values of another."""
        other: Any = reduce(getattr, name.split(".")[1:], others[name.split(".")[0]])
        found = [f for f in self.functions if (f.__qualname__, f.__code__.co_filename) == (name, file)]
        for function in found:
            function.__defaults__, function.__kwdefaults__ = other.__defaults__, other.__kwdefaults__
        return found

    def _redefined(self, mutation: SyntaxMutation, others: dict[str, Any]) -> list[FunctionType]:
        """Give names of a module or a class other values, also where they are imported; who uses them?"""
        module = sys.modules[mutation.module]
        if mutation.function:
            names = _changed_class(vars(module)[mutation.function], others[mutation.function], mutation.defines)
            return [f for f in self.functions if names & set(f.__code__.co_names)]
        changed = {n: v for n, v in others.items() if is_plain(v) and not same(v, vars(module).get(n))}
        places = [module, *(m for m in list(sys.modules.values()) if self._imports(m, mutation.module))]
        for place in places:
            vars(place).update({n: v for n, v in changed.items() if n in vars(place)})
        scopes = {id(vars(place)) for place in places}
        return [f for f in self.functions if id(f.__globals__) in scopes and changed.keys() & set(f.__code__.co_names)]

    def _imports(self, module: object, name: str) -> bool:
        return f"from {name} import" in self.sources.get(str(getattr(module, "__file__", "")), "")

    def _forgotten(self, swapped: list[FunctionType]) -> list[JitKernel]:
        """Nothing that right code has computed or compiled may be used from now on."""
        if not swapped:
            raise NotSwappable("nothing that runs is another")
        for results in self.caches:
            results.cache_clear()
        kernels = affected(self.kernels, swapped)
        for kernel in kernels:
            kernel.forget()
        return kernels


def _executed(module: str, code: CodeType) -> dict[str, Any]:
    """What a module defines when it is run once more, beside the one that is there."""
    names: dict[str, Any] = {"__name__": module, "__file__": code.co_filename}
    try:
        exec(code, names)
    except Exception as error:
        raise FailsToLoad(f"{type(error).__name__}: {error}") from error
    return names


def _changed_class(old: type, new: type, names: tuple[str, ...]) -> set[str]:
    """Give a class the attributes of another; those of a dataclass are default values of its arguments."""
    for name in names:
        if name in vars(old) and not isinstance(vars(old)[name], MemberDescriptorType):
            setattr(old, name, vars(new)[name])
    before, after = vars(old).get("__init__"), vars(new).get("__init__")
    if isinstance(before, FunctionType) and isinstance(after, FunctionType):
        before.__defaults__ = after.__defaults__
    return {*names, old.__name__}


def is_plain(value: object) -> bool:
    """Is it data that says by itself whether it is the same as before?"""
    if isinstance(value, tuple | list | frozenset | set):
        return all(map(is_plain, value))
    if isinstance(value, dict):
        return all(map(is_plain, value.keys())) and all(map(is_plain, value.values()))
    return isinstance(value, int | float | str | bytes | np.ndarray | Enum | Expression)


def same(one: object, other: object) -> bool:
    return np.array_equal(one, other) if isinstance(one, np.ndarray) else one == other  # type: ignore[arg-type]


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
            if not after.co_freevars:  # code that uses nothing from around it may be given all of it
                after = after.replace(co_freevars=before.co_freevars)
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
