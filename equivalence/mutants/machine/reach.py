"""Which functions each trial executes: a mutant is tried only where it can be seen."""

import ast
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from time import process_time
from types import CodeType, FrameType
from typing import Final

from equivalence.mutants.machine.syntax_mutations import SyntaxMutation
from equivalence.mutants.machine.trial import Trial
from physical.kernels.jit import JitKernel, loading

CALL: Final = JitKernel.__call__.__code__
QUICK: Final = 0.1
"""Seconds of CPU time: what takes less, observed, need not be measured again."""


class RightCodeFails(Exception):
    """The code without any mutation fails a trial, so that the trial shows nothing about mutants."""


@dataclass
class Reach:
    """The trials by the functions that they execute, and how long each takes if all is right."""

    trials: list[Trial] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    by_function: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    names: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    """The names that a function looks up elsewhere: constants of modules, attributes of classes."""

    def add(self, trial: Trial) -> None:
        """Run a trial of the right code, and note what it executes."""
        before = process_time()
        finding, executed = observed(trial.finding)
        seconds = process_time() - before
        if finding is not None:
            raise RightCodeFails(f"{trial}: {finding}")
        for code in executed:
            key = code.co_filename, code.co_qualname
            self.by_function.setdefault(key, []).append(len(self.trials))
            self.names.setdefault(key, set()).update(code.co_names)
        self.trials.append(trial)
        self.seconds.append(seconds if seconds < QUICK else _seconds_of(trial))

    def of(self, mutation: SyntaxMutation) -> Sequence[int]:
        """The numbers of the trials that execute the mutated function, or one that uses what is defined otherwise."""
        file = str(sys.modules[mutation.module].__file__)
        if not mutation.defines:
            return self.by_function.get((file, mutation.function), [])
        wanted = {*mutation.defines, *_derived(file, mutation.defines), mutation.function}
        using = [trials for key, trials in self.by_function.items() if self.names[key] & wanted]
        return sorted({number for trials in using for number in trials})


def _seconds_of(trial: Trial) -> float:
    """How long a trial takes that took long: perhaps kernels had to be compiled for it."""
    before = process_time()
    trial.finding()
    return process_time() - before


@cache
def _derived(file: str, names: tuple[str, ...]) -> frozenset[str]:
    """The names of a module whose values are computed from these."""
    found = set(names)
    for statement in ast.parse(Path(file).read_text(encoding="utf-8")).body:
        used = {inner.id for inner in ast.walk(statement) if isinstance(inner, ast.Name)}
        if isinstance(statement, ast.Assign | ast.AnnAssign) and found & used:
            found |= used
    return frozenset(found)


def observed(work: Callable[[], str | None]) -> tuple[str | None, set[CodeType]]:
    """What some work gives, and the code of all functions that it calls; of kernels also what they may call."""
    executed: dict[int, CodeType] = {}
    """By identity: the hash of code is computed from all of it, at every call."""
    kernels: dict[int, JitKernel] = {}

    def note(frame: FrameType, _event: str, _: object) -> None:
        code = frame.f_code
        if code is CALL:
            kernel = frame.f_locals["self"]
            if id(kernel) not in kernels and _is_compiled(kernel):
                kernels[id(kernel)] = kernel
        elif id(code) not in executed:
            executed[id(code)] = code

    before = sys.gettrace()
    # It is called for functions of Python only; since it returns None, never for their lines.
    sys.settrace(note)
    threading.settrace(note)
    try:
        found = work()
    finally:
        sys.settrace(before)
        threading.settrace(before)  # None ends it
    return found, set(executed.values()).union(*map(_closure, kernels.values()))


def _is_compiled(kernel: JitKernel) -> bool:
    """Does a kernel run in compiled form if it is called now? Else numpy does its work."""
    return kernel.plain is None or loading.left <= 0


@cache
def _closure(kernel: JitKernel) -> frozenset[CodeType]:
    return frozenset({kernel.function.__code__}.union(*map(_closure, kernel.calls().values())))
