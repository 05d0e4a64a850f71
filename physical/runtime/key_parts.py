"""A run in parts by key, where time cannot be cut: a window over the last rows of a key reaches back without a bound.

Rows are copied into their parts and results are put in order again, which cutting by time does not need. For
windows over the last rows of a key that pays: such a window is expensive, and a part of the keys fits into caches. For
unbounded time windows it does not, measured in docs/performance.md. The parts are the same for any number of threads.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from physical.columns.column import ColumnVector, identity_codes
from physical.columns.stream import PhysicalStream
from physical.columns.stream_parts import CHUNK
from physical.columns.threads import Workers
from physical.kernels.types import Ints
from semantics import Plan
from semantics.plan import PartitionedWindow

if TYPE_CHECKING:
    from physical.planning.source_keys import SourceKeys

PARTS: Final = 8
PartNumbers = NDArray[np.uint8]
_SPREAD: Final = np.uint64(0x9E3779B97F4A7C15)


def keys_to_part_by(plan: Plan) -> "SourceKeys | None":
    """The key of each source if the plan can be run in parts by key, and this pays."""
    if not any(isinstance(node, PartitionedWindow) for node in plan.walk()):
        return None
    from physical.planning.source_keys import source_keys  # loads joins, which most plans do without

    keys, schemas = source_keys(plan), plan.sources()
    types = {tuple(schemas[name].types[k] for k in own) for name, own in (keys or {}).items()}
    return keys if len(types) == 1 else None  # 1 and 1.0 are equal, and have other codes


def part_numbers(stream: PhysicalStream, keys: tuple[int, ...], team: Workers) -> PartNumbers:
    """The part of each row: rows with the same key are in the same one."""
    columns = [stream.columns[k] for k in keys]
    found = team.map(
        lambda i: _numbers([column.take(np.s_[i : i + CHUNK]) for column in columns]), range(0, len(stream), CHUNK)
    )
    return np.concatenate([np.empty(0, np.uint8), *found])


def parts_of(
    inputs: Mapping[str, PhysicalStream], numbers: Mapping[str, PartNumbers], part: int
) -> dict[str, PhysicalStream]:
    """The rows of one part."""
    return {name: stream.take(numbers[name] == part) for name, stream in inputs.items()}


def _numbers(columns: list[ColumnVector]) -> PartNumbers:
    mixed = np.zeros(len(columns[0]), np.uint64)
    for column in columns:
        mixed = (mixed ^ _codes(column).view(np.uint64)) * _SPREAD
        mixed ^= mixed >> np.uint64(32)
    return (mixed % np.uint64(PARTS)).astype(np.uint8)


def _codes(column: ColumnVector) -> Ints:
    """The same number for the same value, in every process; Python's own hash of a text is another in each."""
    codes, valid = identity_codes(column)
    if column.words is not None:
        codes = np.array([_code(word) for word in column.words.tolist()] or [0], np.int64)[codes]
    return np.ascontiguousarray(codes if valid is None else np.where(valid, codes, 0))


def _code(word: object) -> int:
    """A number of 32 bits for a text, a decimal, or an array or row of values."""
    if isinstance(word, tuple):
        return crc32(b"".join(_code(part).to_bytes(4, "little") for part in word))
    if isinstance(word, str):
        return crc32(word.encode("utf-8", "surrogatepass"))
    return 0 if word is None or word != word else hash(word) & 0xFFFFFFFF  # a NaN is equal to any other here
