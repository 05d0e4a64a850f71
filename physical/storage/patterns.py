"""The update pattern of a store, from what its producer and its consumers do (Table 3)."""

from collections.abc import Iterable
from enum import Enum
from typing import Final

from physical.storage.errors import StoreError
from physical.storage.parameters import UpdatePattern


class Expire(Enum):
    """What the producer does to items that it stored: nothing, delete in order, delete anywhere, replace."""

    NEVER = "never expire"
    ORDERED = "ordered expire"
    UNORDERED = "unordered expire"
    REPLACED = "replaced expire"


class Consume(Enum):
    """Which items a consumer marks as no longer needed: none, the oldest, any."""

    NEVER = "never consume"
    ORDERED = "ordered consume"
    EAGER = "eager consume"


FIFO, RANDOM, IN_PLACE, NO_UPDATE = (
    UpdatePattern.FIFO,
    UpdatePattern.RANDOM,
    UpdatePattern.IN_PLACE,
    UpdatePattern.NO_UPDATE,
)
TABLE_3: Final[dict[Expire, dict[Consume, tuple[UpdatePattern, ...]]]] = {
    Expire.NEVER: {Consume.NEVER: (NO_UPDATE,), Consume.ORDERED: (FIFO,), Consume.EAGER: (FIFO, RANDOM)},
    Expire.ORDERED: {Consume.NEVER: (FIFO,), Consume.ORDERED: (FIFO,), Consume.EAGER: (FIFO, RANDOM)},
    Expire.UNORDERED: {Consume.NEVER: (RANDOM,), Consume.ORDERED: (RANDOM,), Consume.EAGER: (RANDOM,)},
    Expire.REPLACED: {Consume.NEVER: (IN_PLACE,), Consume.ORDERED: (IN_PLACE,), Consume.EAGER: (IN_PLACE,)},
}
"""The possible patterns, the cheaper one first if there is a choice."""


def combined(consumers: Iterable[Consume]) -> Consume:
    """How all consumers of a shared store consume it together: an item is consumed when each has consumed it.

    So a consumer that never consumes keeps everything, and one that consumes anywhere makes gaps.

    >>> combined([Consume.ORDERED, Consume.EAGER]).value
    'eager consume'
    """
    found = set(consumers)
    if not found:
        raise StoreError("combined: a store needs at least one consumer, got none")
    return next(kind for kind in (Consume.NEVER, Consume.EAGER, Consume.ORDERED) if kind in found)


def update_pattern(producer: Expire, consumers: Iterable[Consume], roomy: bool = False) -> UpdatePattern:
    """The update pattern of a store; if it is roomy, items that are consumed early may stay.

    >>> update_pattern(Expire.ORDERED, [Consume.ORDERED, Consume.EAGER]).value
    'random'
    >>> update_pattern(Expire.ORDERED, [Consume.ORDERED, Consume.EAGER], roomy=True).value
    'fifo'
    """
    possible = TABLE_3[producer][combined(consumers)]
    return possible[0] if roomy else possible[-1]
