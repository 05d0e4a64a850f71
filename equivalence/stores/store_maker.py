"""Who makes the stores that are checked: the factory of snapeq, or something that is wrong on purpose."""

from collections import deque
from collections.abc import Iterator
from typing import Protocol

from physical.storage.create import create
from physical.storage.parameters import Parameters, UpdatePattern
from physical.storage.patterns import Consume, Expire, update_pattern
from physical.storage.store import Store
from semantics.value import Row


class StoreMaker(Protocol):
    """Leads from the behaviour of producer and consumers to the store that they get."""

    def derive(self, producer: Expire, consumers: list[Consume], roomy: bool) -> UpdatePattern:
        """The update pattern for the behaviour of producer and consumers."""

    def create(self, parameters: Parameters, source: Iterator[Row] | None) -> Store:
        """The store for these parameters."""


class DefaultStoreMaker:
    """The derivation and the factory that snapeq offers."""

    def derive(self, producer: Expire, consumers: list[Consume], roomy: bool) -> UpdatePattern:
        return update_pattern(producer, consumers, roomy)

    def create(self, parameters: Parameters, source: Iterator[Row] | None) -> Store:
        return create(parameters, source)


class OfferedItems:
    """The source of an active store: the items that have been offered to it so far."""

    def __init__(self) -> None:
        self.waiting: deque[Row] = deque()

    def __iter__(self) -> "OfferedItems":
        return self

    def __next__(self) -> Row:
        if not self.waiting:
            raise StopIteration
        return self.waiting.popleft()
