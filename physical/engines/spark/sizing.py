"""How an input is sized for Spark: how many partitions it is worth, and how much of it has to be sampled.

A number of partitions that somebody asks for is never changed. Otherwise no partition gets more than 64 MB or 2·10⁶
rows, and there is no more than one for every 4 MB or 125,000 rows, but at least one. Both count, because a small file
of few different values may have very many rows.
"""

from collections.abc import Collection
from pathlib import Path
from typing import Final

import pyarrow as pa

from physical.engines.spark.exchange import Spread
from physical.engines.spark.read import files_at, is_here
from physical.files.formats import Format, format_of

MOST_BYTES_PER_PARTITION: Final = 64 * 2**20
LEAST_BYTES_PER_PARTITION: Final = 4 * 2**20
MOST_ROWS_PER_PARTITION: Final = 2_000_000
LEAST_ROWS_PER_PARTITION: Final = 125_000
SAMPLED_BYTES_PER_PARTITION: Final = 2**18
"""This much of each partition shows well enough how the input is spread over keys and over time."""
SAMPLED_SHARE_IF_SIZE_UNKNOWN: Final = 0.01
BYTES_WORTH_A_SLOW_START: Final = 256 * 2**20
"""From this size on, Java's thorough compiler saves more than the slower start costs."""


def spread_for(size: int | None, *, usual: int, partitions: int | None = None, rows: int = 0) -> Spread:
    """As many partitions as are asked for, or else as the size of the input is worth; the usual number if unknown."""
    if size is None:
        return Spread(partitions or usual, sample=SAMPLED_SHARE_IF_SIZE_UNKNOWN)
    parts = partitions or partitions_for(size, usual, rows)
    return Spread(parts, sample=SAMPLED_BYTES_PER_PARTITION * parts / max(size, 1))


def partitions_for(size: int, usual: int, rows: int = 0) -> int:
    """As many partitions as this many bytes and rows are worth; of some rows it may be unknown that they are there.

    More than the usual number, which is that of the cores, are always a multiple of it: otherwise some cores would
    have nothing to do while others treat the last partitions.

    >>> [partitions_for(size * 2**20, usual=2) for size in (1, 5, 128, 129)]
    [1, 2, 2, 4]
    >>> [partitions_for(2**20, usual=2, rows=rows) for rows in (100_000, 200_000, 10_000_000)]
    [1, 2, 6]
    """
    at_least = max(-(-size // MOST_BYTES_PER_PARTITION), -(-rows // MOST_ROWS_PER_PARTITION))
    if at_least > usual:
        return usual * -(-at_least // usual)
    worth = max(-(-size // LEAST_BYTES_PER_PARTITION), -(-rows // LEAST_ROWS_PER_PARTITION))
    return max(at_least, min(usual, worth), 1)


def bytes_at(addresses: Collection[str]) -> int | None:
    """The bytes of all files at these addresses; None if some of them are not on this machine."""
    if not all(map(is_here, addresses)):
        return None
    return sum(file.stat().st_size for address in addresses for file in files_at(Path(address)))


def rows_at(addresses: Collection[str]) -> int:
    """The rows of all Parquet files at these addresses, as their footers say; other files do not say it."""
    here = [file for address in addresses if is_here(address) for file in files_at(Path(address))]
    return sum(_rows(file) for file in here if format_of(file) is Format.PARQUET)


def _rows(file: Path) -> int:
    from pyarrow.parquet import read_metadata

    try:
        return int(read_metadata(file).num_rows)
    except (pa.ArrowException, OSError):
        return 0  # who reads it will say what is wrong


def is_worth_a_slow_start(size: int | None) -> bool:
    """An input of unknown size is taken for a large one."""
    return size is None or size > BYTES_WORTH_A_SLOW_START
