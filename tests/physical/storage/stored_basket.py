"""Baskets whose elements wait in a store."""

from physical.columns.stream import PhysicalStream, joined
from physical.engines.dataflow.basket import Basket
from physical.storage.parameters import UpdatePattern
from physical.storage.stored_elements import StoredBatches, StoredElements


class StoredBasket(Basket):
    """As any basket. Readers may remove elements in any order, so the store is a RANDOM one."""

    def __post_init__(self) -> None:
        self.home = StoredElements(self.schema, UpdatePattern.RANDOM)
        super().__post_init__()

    @property
    def _parts(self) -> list[PhysicalStream]:
        return StoredBatches(self.home)

    @_parts.setter
    def _parts(self, parts: list[PhysicalStream]) -> None:
        whole = joined([PhysicalStream.empty(self.schema), *parts])
        if whole is not self.home.elements:
            self.home.elements = whole
