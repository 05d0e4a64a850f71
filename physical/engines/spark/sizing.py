"""How an input is sized for Spark: how many partitions it is worth, and how much of it has to be sampled.

A number of partitions that somebody asks for is never changed. Otherwise no partition gets more than 64 MB, and there
is no more than one for every 4 MB, but at least one.
"""

from collections.abc import Collection
from pathlib import Path
from typing import Final

from physical.engines.spark.exchange import Spread
from physical.engines.spark.read import files_at, is_here

MOST_BYTES_PER_PARTITION: Final = 64 * 2**20
LEAST_BYTES_PER_PARTITION: Final = 4 * 2**20
SAMPLED_BYTES_PER_PARTITION: Final = 2**18
"""This much of each partition shows well enough how the input is spread over keys and over time."""
SAMPLED_SHARE_IF_SIZE_UNKNOWN: Final = 0.01
BYTES_WORTH_A_SLOW_START: Final = 256 * 2**20
"""From this size on, Java's thorough compiler saves more than the slower start costs."""


def spread_for(size: int | None, *, usual: int, partitions: int | None = None) -> Spread:
    """As many partitions as are asked for, or else as the size of the input is worth; the usual number if unknown."""
    if size is None:
        return Spread(partitions or usual, sample=SAMPLED_SHARE_IF_SIZE_UNKNOWN)
    parts = partitions or partitions_for(size, usual)
    return Spread(parts, sample=SAMPLED_BYTES_PER_PARTITION * parts / max(size, 1))


def partitions_for(size: int, usual: int) -> int:
    """As many partitions as this many bytes are worth.

    More than the usual number, which is that of the cores, are always a multiple of it: otherwise some cores would
    have nothing to do while others treat the last partitions.

    >>> [partitions_for(size * 2**20, usual=2) for size in (1, 5, 128, 129)]
    [1, 2, 2, 4]
    """
    at_least = -(-size // MOST_BYTES_PER_PARTITION)
    if at_least > usual:
        return usual * -(-at_least // usual)
    return max(at_least, min(usual, -(-size // LEAST_BYTES_PER_PARTITION)), 1)


def bytes_at(addresses: Collection[str]) -> int | None:
    """The bytes of all files at these addresses; None if some of them are not on this machine."""
    if not all(map(is_here, addresses)):
        return None
    return sum(file.stat().st_size for address in addresses for file in files_at(Path(address)))


def is_worth_a_slow_start(size: int | None) -> bool:
    """An input of unknown size is taken for a large one."""
    return size is None or size > BYTES_WORTH_A_SLOW_START
