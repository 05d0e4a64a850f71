"""The id index: from an id to its block."""

from bisect import bisect_right
from threading import Lock

from physical.storage.block import ItemBlock


class IdIndex:
    """Blocks by their first id, found by binary search; a lock, because blocks come and go while others search."""

    def __init__(self) -> None:
        self._firsts: list[int] = []
        self._blocks: list[ItemBlock] = []
        self._lock = Lock()

    def add(self, block: ItemBlock) -> None:
        """Add a block that is younger than all others."""
        with self._lock:
            self._firsts.append(block.first)
            self._blocks.append(block)

    def drop(self, block: ItemBlock) -> None:
        with self._lock:
            at = bisect_right(self._firsts, block.first) - 1
            del self._firsts[at], self._blocks[at]

    def find(self, id: int) -> ItemBlock | None:
        """The block with the largest first id that is not above this one."""
        with self._lock:
            at = bisect_right(self._firsts, id) - 1
            return self._blocks[at] if at >= 0 else None
