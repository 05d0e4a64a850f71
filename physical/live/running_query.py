"""A running query: what was asked, what runs, and where its results go."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from physical.columns.stream import PhysicalStream
from physical.live.results import GrowingFile, ResultBuffer, ResultText, result_text
from semantics import Plan, SnapeqError

NAME: Final = re.compile(r"[A-Za-z_][\w-]{0,63}")
Listener = Callable[[PhysicalStream], None]


@dataclass(frozen=True)
class PlanChoice:
    """The plan that runs, and how it was reached from the one that was asked for."""

    plan: Plan
    cost: float | None = None
    original_cost: float | None = None
    steps: tuple[str, ...] = ()
    """The rules that were applied."""


@dataclass(frozen=True)
class Situation:
    """What is known when a plan is chosen: the latest elements of each stream, and the plans that run already."""

    recent: Mapping[str, PhysicalStream] = field(default_factory=dict)
    beside: tuple[Plan, ...] = ()


Optimise = Callable[[Plan, Situation], PlanChoice]


def as_it_is(plan: Plan, _: Situation) -> PlanChoice:
    """Run a plan as it was written."""
    return PlanChoice(plan)


@dataclass(eq=False)
class RunningQuery:
    """Takes the results of a query, and hands them on to its file, to clients and to listeners."""

    name: str
    sql: str
    asked: Plan
    choice: PlanChoice
    buffer: ResultBuffer
    file: GrowingFile | None = None
    listeners: list[Listener] = field(default_factory=list)
    """Whoever wants results in this process; they are not part of a checkpoint."""
    takes_over: int | None = None
    """The instant at which its plan was exchanged last, or will be."""

    def __post_init__(self) -> None:
        self._text = self._begin()

    def take(self, batch: PhysicalStream) -> None:
        """Take the next results."""
        self.buffer.add(batch)
        if self.file is not None and self._text is not None:
            self.file.write(self._text.lines(batch))
        for listener in self.listeners:
            listener(batch)

    def close(self) -> None:
        """The query is over."""
        self.buffer.close()
        if self.file is not None:
            self.file.end_here()
            self.file.close()

    def _begin(self) -> ResultText | None:
        if self.file is None:
            return None
        text = result_text(self.asked.schema, self.file.path)
        self.file.write(text.header())
        return text

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "listeners": []}


def check_name(name: str) -> str:
    """The name, if it is one that fits into addresses and file names."""
    if not NAME.fullmatch(name):
        raise SnapeqError(f"query {name!r}: expected a name of letters, digits, _ and -, at most 64 characters")
    return name


def result_file(folder: Path | None, name: str) -> Path | None:
    """Where the results of a query go that was not given a file of its own."""
    return None if folder is None else folder / f"{name}.csv"
