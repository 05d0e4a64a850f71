"""Value indexes: from the values of some columns to the items that have them (Section 6.3.2)."""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Sequence
from operator import ge, gt, le, lt

from physical.storage.errors import StoreError
from physical.storage.parameters import IndexSchema
from semantics import Schema
from semantics.how_many import how_many
from semantics.value import Row, Value, identical, order

COMPARISONS = {"<": lt, "<=": le, ">": gt, ">=": ge}
Order = tuple[int, int | float | str]
IndexEntry = tuple[tuple[Order, ...], int]
"""The values of columns that are compared by order, and the id."""


class ValueIndex:
    """Ids in buckets of equal values, each bucket ordered by the first column that is looked up by range.

    NULL compares with nothing, so an item with one in these columns is never found.
    """

    def __init__(self, schema: Schema, index: IndexSchema) -> None:
        if not index:
            raise StoreError(f"register_index: at least one column is needed, got none; columns: {schema}")
        self.columns = [schema.index(name, "register_index") for name, _ in index]
        self.symbols = [symbol for _, symbol in index]
        self.buckets: dict[Row, list[IndexEntry]] = {}

    def add(self, id: int, item: Row) -> None:
        """Add an item."""
        if (key := self._key(item)) is not None:
            insort(self.buckets.setdefault(key, []), self._placed(id, item))

    def drop(self, id: int, item: Row) -> None:
        """Remove an item."""
        key = self._key(item)
        if key is None:
            return
        bucket = self.buckets[key]
        del bucket[bisect_left(bucket, self._placed(id, item))]
        if not bucket:
            del self.buckets[key]

    def find(self, values: Sequence[Value]) -> list[int]:
        """The ids of items whose columns compare with these values, in order."""
        if len(values) != len(self.columns):
            raise StoreError(
                f"retrieve: {how_many(len(self.columns), 'value')} needed, one for each column, got {len(values)}"
            )
        if any(value is None for value in values):
            return []
        asked = list(zip(self.symbols, values, strict=True))
        key = tuple(identical(value) for symbol, value in asked if symbol == "=")
        bucket = self.buckets.get(key, [])
        ranges = [(symbol, order(value)) for symbol, value in asked if symbol != "="]
        return sorted(id for _, id in _within(bucket, ranges)) if ranges else [id for _, id in bucket]

    def _key(self, item: Row) -> Row | None:
        """The values that must be equal; None if the item cannot be found."""
        if any(item[column] is None for column in self.columns):
            return None
        pairs = zip(self.columns, self.symbols, strict=True)
        return tuple([identical(item[column]) for column, symbol in pairs if symbol == "="])

    def _placed(self, id: int, item: Row) -> IndexEntry:
        pairs = zip(self.columns, self.symbols, strict=True)
        return tuple([order(item[column]) for column, symbol in pairs if symbol != "="]), id


def _within(bucket: list[IndexEntry], ranges: Sequence[tuple[str, Order]]) -> list[IndexEntry]:
    """The entries that are in all ranges; the first range is found by binary search."""
    (symbol, limit), *others = ranges
    cut = (bisect_left if symbol in ("<", ">=") else bisect_right)(bucket, limit, key=lambda placed: placed[0][0])
    found = bucket[:cut] if symbol in ("<", "<=") else bucket[cut:]
    return [
        entry for entry in found if all(COMPARISONS[s](o, v) for o, (s, v) in zip(entry[0][1:], others, strict=True))
    ]
