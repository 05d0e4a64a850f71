"""How a system runs: its engine, how late elements may come, and what it refuses."""

from dataclasses import asdict, dataclass
from typing import Final, Literal

from semantics import SnapeqError

Strategy = Literal["incremental", "reevaluate"]
ENGINES: Final = ("interval", "delta", "dataflow")
STRATEGIES: Final = ("incremental", "reevaluate")


@dataclass(frozen=True)
class Limits:
    """What the system refuses, so that nobody can fill its memory."""

    line_bytes: int = 1 << 20
    """The longest line."""
    connections: int = 64
    """Clients at the same time, over all ports."""
    state_bytes: int = 1 << 30
    """While operators hold more than this, no elements and no queries are taken."""
    results: int = 10_000
    """Results of each query that are held for clients that come late."""


@dataclass(frozen=True)
class Settings:
    """The engine and its options; a system can go on from a state only with the same ones."""

    engine: str = "interval"
    strategy: str | None = None
    slack: int = 0
    batch: int = 4096
    """At most this many elements are pushed at once."""

    def __post_init__(self) -> None:
        if self.engine not in ENGINES:
            raise SnapeqError(f"--engine {self.engine}: expected one of {', '.join(ENGINES)}")
        if self.strategy is not None and self.strategy not in STRATEGIES:
            raise SnapeqError(f"--strategy {self.strategy}: expected one of {', '.join(STRATEGIES)}")
        if self.strategy is not None and self.engine == "delta":
            raise SnapeqError("--strategy: expected --engine interval or dataflow; delta has no windows to re-evaluate")

    def difference(self, other: "Settings") -> str:
        """The first option in which another one differs, in words; empty if there is none."""
        mine, others = asdict(self), asdict(other)
        differ = [name for name in mine if mine[name] != others[name]]
        return f"--{differ[0]} {others[differ[0]]} instead of {mine[differ[0]]}" if differ else ""
