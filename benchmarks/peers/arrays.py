"""numpy: a function over the bare arrays."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from benchmarks.harness.table import Array, Inputs, Table
from benchmarks.harness.work import Contestant


@dataclass(frozen=True)
class Numpy:
    """A query as a function of the inputs to the columns of a stream, `_start` and `_end`."""

    query: Callable[[Inputs], Mapping[str, Array]]
    name: str = "numpy"
    special: str = ""
    largest: int | None = None
    once: bool = False

    def obstacle(self) -> None:
        return None

    def show(self) -> str:
        return inspect.getsource(self.query).strip()

    def prepare(self, inputs: Inputs) -> Contestant:
        return Contestant(lambda: self.query(inputs), Table.from_arrays)
