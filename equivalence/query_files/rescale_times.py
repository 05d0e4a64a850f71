"""Times of a file that counts in another unit."""

from pathlib import Path

import numpy as np

from physical.columns.stream import PhysicalStream
from physical.files.errors import FileError
from physical.kernels.types import ENDLESS, Ints


class Rescaling:
    """Turns times in units of `given` milliseconds into times in units of `wanted` milliseconds."""

    def __init__(self, given: int, wanted: int, path: Path) -> None:
        self.given = given
        self.wanted = wanted
        self.path = path

    def __call__(self, elements: PhysicalStream) -> PhysicalStream:
        return elements.valid_during(self._times(elements.start), self._times(elements.end))

    def _times(self, times: Ints) -> Ints:
        endless = times == ENDLESS
        finite = np.where(endless, 0, times)
        if finite.max(initial=0) > ENDLESS // self.given:
            raise FileError(self.path, f"the time {finite.max()} is too late", "times that fit into 64 bits")
        counts, rest = np.divmod(finite * self.given, self.wanted)
        if rest.any():
            wrong = finite[int(np.argmax(rest != 0))]
            problem = f"the time {wrong}, in units of {self.given} ms, is no whole number of units of {self.wanted} ms"
            raise FileError(self.path, problem, f"multiples of {self.wanted} ms")
        return np.where(endless, ENDLESS, counts)
