"""Files whose rows come a little out of order: put in order, as far as a slack says."""

from collections.abc import Iterator

import numpy as np

from physical.columns.stream import PhysicalStream, joined
from physical.files.decode import DecodedBatch
from physical.files.locate import place_of
from physical.files.reader import FileReader, UnorderedFile
from physical.kernels.types import Ints


def ordered_batches(reader: FileReader, slack: int) -> Iterator[DecodedBatch]:
    """The rows of a file in the order of time; a row that comes more than `slack` after a later one is an error.

    Memory holds the rows of the last `slack` instants.
    """
    if slack == 0:
        yield from reader.batches()
        return
    waiting, numbers, latest = PhysicalStream.empty(reader.layout.schema), np.empty(0, np.int64), 0
    for batch in reader.batches(ordered=False):
        if len(batch.elements):
            latest = _latest(batch, latest, slack, reader)
            waiting, numbers = joined([waiting, batch.elements]), np.concatenate([numbers, batch.numbers])
            order = np.argsort(waiting.start, kind="stable")
            due = int(np.searchsorted(waiting.start[order], latest - slack, side="right"))
            yield _batch(waiting, numbers, order[:due])
            waiting, numbers = waiting.take(order[due:]), numbers[order[due:]]
    yield _batch(waiting, numbers, np.argsort(waiting.start, kind="stable"))


def _batch(elements: PhysicalStream, numbers: Ints, order: Ints) -> DecodedBatch:
    return DecodedBatch(elements.take(order), 0, row_numbers=numbers[order])


def _latest(batch: DecodedBatch, latest: int, slack: int, reader: FileReader) -> int:
    """The latest start so far; a row that comes too late after it is an error."""
    start = batch.elements.start
    before = np.maximum.accumulate(np.concatenate([[latest], start]))
    late = start < before[:-1] - slack
    if late.any():
        i = int(np.argmax(late))
        problem = f"{start[i]} comes after {before[i]}, which is more than the slack of {slack}"
        place = place_of(reader.path, int(batch.numbers[i]))
        expected = f"{before[i] - slack} or later, or a larger --slack"
        raise UnorderedFile(reader.path, problem, expected, place=place, column=reader.layout.start or "")
    return int(before[-1])
