"""The items that a store must hold, as a plain dictionary: every configuration is compared with it."""

from dataclasses import dataclass, field
from enum import Enum

from physical.storage.patterns import Consume, Expire
from semantics.value import Row, Value, identical


class MarkEffect(Enum):
    """Which marks of consumers have an effect: none, only those in order, or all."""

    NONE = "none"
    ORDERED = "ordered"
    ALL = "all"


def mark_effect(producer: Expire, consumers: list[Consume], roomy: bool) -> MarkEffect:
    """Marks have no effect if nothing is ever deleted; eager ones have none if there is room enough."""
    if producer is Expire.REPLACED or (producer is Expire.NEVER and Consume.NEVER in consumers):
        return MarkEffect.NONE
    if producer is not Expire.UNORDERED and (roomy or Consume.NEVER in consumers or Consume.EAGER not in consumers):
        return MarkEffect.ORDERED
    return MarkEffect.ALL


@dataclass
class StoreModel:
    """Items by id, and the ids that each consumer has marked."""

    effect: MarkEffect
    consumers: tuple[str, ...]
    items: dict[int, Row] = field(default_factory=dict)
    next_id: int = 0
    changes: int = 0
    marked: dict[str, frozenset[int]] = field(default_factory=dict)

    def copy(self) -> "StoreModel":
        return StoreModel(self.effect, self.consumers, dict(self.items), self.next_id, self.changes, dict(self.marked))

    def insert(self, item: Row) -> int:
        self.items[self.next_id] = item
        self.next_id += 1
        self.changes += 1
        return self.next_id - 1

    def replace(self, id: int, item: Row) -> int:
        self.items[id] = item
        self.changes += 1
        return id

    def with_value(self, column: int, value: Value) -> int | None:
        """The id of the first item that has this value."""
        return next((id for id, item in self.items.items() if _same(item[column], value)), None)

    def delete(self, ids: list[int]) -> None:
        self.items = {id: item for id, item in self.items.items() if id not in ids}
        self.changes += 1

    def consume(self, consumer: str, ids: list[int], ordered: bool) -> None:
        """Mark items; those that all consumers have marked are deleted."""
        if self.effect is MarkEffect.NONE or (self.effect is MarkEffect.ORDERED and not ordered):
            return
        known = frozenset(id for id in ids if 0 <= id < self.next_id)
        self.marked[consumer] = self.marked.get(consumer, frozenset()) | known
        everyone = frozenset.intersection(*(self.marked.get(c, frozenset()) for c in self.consumers))
        self.delete(list(everyone))

    def visible(self, consumer: str) -> dict[int, Row]:
        """The items that a consumer may still read."""
        marked = self.marked.get(consumer, frozenset())
        return {id: item for id, item in self.items.items() if id not in marked}


def _same(a: Value, b: Value) -> bool:
    return a is not None and (identical(a),) == (identical(b),)
