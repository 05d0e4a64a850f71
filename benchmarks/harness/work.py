"""What a benchmark is: a task, its inputs at every size, the peers that can do the same, and the ratio to reach."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from benchmarks.harness.table import Answer, Inputs
from semantics import Query, show

SIZES = (10**5, 10**6, 10**7)


@dataclass(frozen=True)
class Run:
    """Compute the result of a query."""

    query: Query

    def __str__(self) -> str:
        return show(self.query.plan)


@dataclass(frozen=True)
class CanonicalForm:
    """Compute the canonical form of a stream; the query is the bare source."""

    query: Query

    def __str__(self) -> str:
        return f"canonical({show(self.query.plan)})"


@dataclass(frozen=True)
class Equivalence:
    """Decide whether two streams, both sources of this schema, are equivalent."""

    left: Query
    right: Query

    def __str__(self) -> str:
        return f"equivalent({show(self.left.plan)}, {show(self.right.plan)})"


@dataclass(frozen=True)
class RunFiles:
    """Read CSV files, run a query in SQL, and write its result in canonical form as CSV."""

    query: str
    as_command: bool = False
    """In a process of its own, so that its start counts, too."""

    def __str__(self) -> str:
        return " ".join(self.query.split())


@dataclass(frozen=True)
class DiffFiles:
    """Decide whether two Parquet files, A and B, are equivalent."""

    def __str__(self) -> str:
        return "diff(A.parquet, B.parquet)"


Task = Run | CanonicalForm | Equivalence | RunFiles | DiffFiles


@dataclass(frozen=True)
class Contestant:
    """One that has its inputs loaded: `run` is timed, `read` turns what it gives into an answer and is not."""

    run: Callable[[], Any]
    read: Callable[[Any], Answer]


class Peer(Protocol):
    """Another way to do the task."""

    @property
    def name(self) -> str: ...

    @property
    def special(self) -> str:
        """What it relies on that other inputs need not have; then no goal applies to it."""

    @property
    def largest(self) -> int | None:
        """The size beyond which it would take forever."""

    @property
    def once(self) -> bool:
        """Too slow to be warmed up and repeated."""

    def obstacle(self) -> str | None:
        """Why it cannot take part here, with the remedy; None if it can."""

    def show(self) -> str:
        """The query, as a user would write it."""

    def prepare(self, inputs: Inputs) -> Contestant: ...


@dataclass(frozen=True)
class Work:
    """A row of the speed table; its name is `family` or `family/variant`."""

    name: str
    task: Task
    inputs: Callable[[int], Inputs]
    peers: tuple[Peer, ...]
    goal: float
    sizes: tuple[int, ...] = SIZES
    largest: int | None = None
    """The size beyond which a peer would take forever."""

    horizon: int | None = None
    """Answers are compared before this instant only."""

    def called(self, name: str) -> bool:
        """Is this the work, or of the family, of that name?"""
        return name in (self.name, self.name.split("/")[0])
