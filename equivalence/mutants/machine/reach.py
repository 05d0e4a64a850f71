"""Which lines each trial executes: a mutant is tried only where it can be seen."""

import ast
import sys
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from time import process_time
from types import CodeType, FrameType
from typing import Any, Final, TypeVar

from equivalence.mutants.machine.syntax_mutations import SyntaxMutation
from equivalence.mutants.machine.trial import Trial
from physical.kernels.jit import JitKernel, loading

CALL: Final = JitKernel.__call__.__code__
T = TypeVar("T")
QUICK: Final = 0.1
"""Seconds of CPU time: what takes less, observed, need not be measured again."""


class RightCodeFails(Exception):
    """The code without any mutation fails a trial, so that the trial shows nothing about mutants."""


@dataclass
class Reach:
    """The trials by the functions that they execute, and how long each takes if all is right."""

    trials: list[Trial] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    files: frozenset[str] = frozenset()
    """Of these it is known which lines a trial executes; of others only which functions."""
    by_function: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    by_line: dict[tuple[str, int], list[int]] = field(default_factory=dict)
    lines: set[tuple[str, int]] = field(default_factory=set)
    """All lines of functions that were executed, also those that were not."""
    spent: dict[str, float] = field(default_factory=dict)
    """Seconds of CPU time that all trials of a suite take."""
    turn: list[float] = field(default_factory=list)
    """Of each trial, the seconds that those of its suite have taken when it is over."""
    names: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    """The names that a function looks up elsewhere: constants of modules, attributes of classes."""
    known: dict[int, CodeType] = field(default_factory=dict)
    """By identity: code that some trial executed before, so that its names and lines are noted."""

    def add(self, trial: Trial) -> None:
        """Run a trial of the right code, and note what it executes."""
        before = process_time()
        seen = Observed(self.files)
        finding = seen.run(trial.finding)
        seconds = process_time() - before
        if finding is not None:
            raise RightCodeFails(f"{trial}: {finding}")
        for code in seen.executed():
            key = code.co_filename, code.co_qualname
            self.by_function.setdefault(key, []).append(len(self.trials))
            if id(code) not in self.known:
                self.known[id(code)] = code
                self.names.setdefault(key, set()).update(code.co_names)
                self.lines.update((code.co_filename, line) for line in lines_of(code))
        for place in seen.lines():
            self.by_line.setdefault(place, []).append(len(self.trials))
        self.trials.append(trial)
        self.seconds.append(seconds if seconds < QUICK else _seconds_of(trial))
        self.spent[trial.suite] = self.spent.get(trial.suite, 0.0) + self.seconds[-1]
        self.turn.append(self.spent[trial.suite])

    def of(self, mutation: SyntaxMutation) -> Sequence[int]:
        """The numbers of the trials that come to the mutation; all suites get the same CPU time, as long as they last."""
        return sorted(self._reaching(mutation), key=lambda number: (self.turn[number], number))

    def _reaching(self, mutation: SyntaxMutation) -> Iterable[int]:
        """The trials that execute what is mutated, or a function that uses what is defined otherwise."""
        file = str(sys.modules[mutation.module].__file__)
        if not mutation.defines:
            places = [(file, line) for line in mutation.lines]
            if mutation.in_default_value or file not in self.files or self.lines.isdisjoint(places):
                return self.by_function.get((file, mutation.function), [])
            return {number for place in places for number in self.by_line.get(place, ())}
        wanted = {*mutation.defines, *_derived(file, mutation.defines), mutation.function}
        using = [trials for key, trials in self.by_function.items() if self.names[key] & wanted]
        return {number for trials in using for number in trials}


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
        if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value and found & _names(statement.value):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            found.update(*map(_names, targets))
    return frozenset(found)


def _names(node: ast.AST) -> set[str]:
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}


class Observed:
    """The functions that some work calls, and the lines of some files that it executes."""

    def __init__(self, files: frozenset[str]) -> None:
        self.files = files
        self.codes: dict[int, CodeType] = {}
        """By identity: the hash of code is computed from all of it, at every call."""
        self.visits: dict[int, Visits] = {}
        """What was executed of each code in one of the files."""
        self.kernels: dict[int, JitKernel] = {}

    def run(self, work: Callable[[], T]) -> T:
        before = sys.gettrace()
        sys.settrace(self._called)
        threading.settrace(self._called)
        try:
            return work()
        finally:
            sys.settrace(before)
            threading.settrace(before)  # None ends it

    def _called(self, frame: FrameType, _event: str, _: object) -> Callable[..., Any] | None:
        """Called for every function of Python; what it returns is called for each of its lines."""
        code = frame.f_code
        if code is CALL:
            kernel = frame.f_locals["self"]
            if id(kernel) not in self.kernels and _is_compiled(kernel):
                self.kernels[id(kernel)] = kernel
            return None
        if id(code) not in self.codes:
            self.codes[id(code)] = code
            if code.co_filename in self.files:
                self.visits[id(code)] = Visits(code)
        visits = self.visits.get(id(code))
        return visits.note if visits is not None and visits.missing else None

    def executed(self) -> Collection[CodeType]:
        """The code of all functions; of kernels also of what they may call."""
        return {**self.codes, **self._compiled()}.values()

    def lines(self) -> Iterator[tuple[str, int]]:
        """The lines that were executed; all lines of kernels."""
        for visits in self.visits.values():
            yield from ((visits.code.co_filename, line) for line in lines_of(visits.code) - visits.missing)
        for code in self._compiled().values():
            yield from ((code.co_filename, line) for line in lines_of(code))

    def _compiled(self) -> dict[int, CodeType]:
        return {key: code for kernel in self.kernels.values() for key, code in _closure(kernel).items()}


class Visits:
    """The lines of a function that were not executed yet."""

    def __init__(self, code: CodeType) -> None:
        self.code = code
        self.missing = set(lines_of(code)) - {code.co_firstlineno}

    def note(self, frame: FrameType, _event: str, _: object) -> Callable[..., Any]:
        self.missing.discard(frame.f_lineno)
        return self.note


def lines_of(code: CodeType) -> frozenset[int]:
    """The lines of a function; kept by identity, since the hash of code is computed from all of it at every call."""
    if id(code) not in _LINES:
        _LINES[id(code)] = code, frozenset(line for _, _, line in code.co_lines() if line is not None)
    return _LINES[id(code)][1]


_LINES: Final[dict[int, tuple[CodeType, frozenset[int]]]] = {}
"""The code is kept as well, so that no other gets its identity."""


def _is_compiled(kernel: JitKernel) -> bool:
    """Does a kernel run in compiled form if it is called now? Else numpy does its work."""
    return kernel.plain is None or loading.left <= 0


@cache
def _closure(kernel: JitKernel) -> Mapping[int, CodeType]:
    """By identity the code of a kernel and of what it may call."""
    own = kernel.function.__code__
    called = (item for inner in kernel.calls().values() for item in _closure(inner).items())
    return {id(own): own, **dict(called)}
