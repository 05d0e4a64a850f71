"""Polars: one function over eager frames, with as many threads as we have.

Frames look like DuckDB's tables, and queries may rely on the same promises.
"""

import inspect
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from benchmarks.harness.table import Answer, Inputs
from benchmarks.harness.threads import threads
from benchmarks.harness.work import Contestant
from benchmarks.peers.duck import read_arrays
from semantics.missing_package import missing_package

Frames = Mapping[str, Any]


def polars() -> Any:
    """The module, with as many threads as we have if it is we who import it first."""
    os.environ.setdefault("POLARS_MAX_THREADS", str(threads()))
    return import_module("polars")


@dataclass(frozen=True)
class Polars:
    """A query as a function of the frames, by name, to a frame or a verdict."""

    query: Callable[[Frames], Any]
    shown: Callable[..., Any] | None = None
    """What a reader should see, if the query only calls it."""

    name: str = "Polars"
    special: str = ""
    largest: int | None = None
    once: bool = False

    def obstacle(self) -> str | None:
        if not find_spec("polars"):
            return missing_package("the peer Polars", "polars", command="pip install 'snapeq[engines]'")
        found, wanted = polars().thread_pool_size(), threads()
        return (
            None if found == wanted else f"Polars runs {found} threads: set POLARS_MAX_THREADS={wanted} and start again"
        )

    def show(self) -> str:
        return inspect.getsource(self.shown or self.query).strip()

    def prepare(self, inputs: Inputs) -> Contestant:
        frames = {name: polars().DataFrame(table.to_arrays()) for name, table in inputs.items()}
        return Contestant(lambda: self.query(frames), read)


def read(result: Any) -> Answer:
    """A frame as an answer; a verdict is one already."""
    if isinstance(result, bool):
        return result
    return read_arrays({name: result[name].to_numpy() for name in result.columns})
