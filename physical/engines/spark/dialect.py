"""What differs between servers that take the same DataFrames: Spark itself, and others that speak Spark Connect."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Dialect:
    """What a server can do that not all can."""

    numbers_partitions: bool = True
    """Has it `repartitionById`? If not, rows are placed by the hash of the number, several of which may meet."""
    evaluates_expressions: bool = True
    """Do its expressions mean what ours do? If not, our kernels evaluate them, in Arrow batches."""


SPARK: Final = Dialect()
SAIL: Final = Dialect(numbers_partitions=False, evaluates_expressions=False)
