"""The stores of Linear Road (Figure 8), ordered with more or less knowledge of how they are used."""

from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from physical.storage.create import create
from physical.storage.parameters import Collection, IndexSchema, Parameters, ReadPattern, Sizes, UpdatePattern
from physical.storage.store import Store
from semantics import Schema

TOLL_INDEX: Final[IndexSchema] = (("minute", "="), ("xway", "="), ("dir", "="), ("seg", "="))
WAY_INDEX: Final[IndexSchema] = (("xway", "="), ("dir", "="))
CAR_INDEX: Final[IndexSchema] = (("car", "="),)
TOLLS: Final = Schema.of(minute=int, xway=int, dir=int, seg=int, speed=float, cars=int)
ACCIDENTS: Final = Schema.of(xway=int, dir=int, lane=int, seg=int, pos=int)
BALANCES: Final = Schema.of(car=int, balance=int)
POSITION_READERS: Final = {
    "statistics": ReadPattern.RANDOM,
    "respond": ReadPattern.SEQUENTIAL,
    "accidents": ReadPattern.CLUSTERED,
}


class Knowledge(Enum):
    """What is known of the stores when they are ordered: nothing, how they are updated, and how they are read."""

    BASELINE = "Baseline"
    UPDATE = "+ update pattern"
    READ = "+ read pattern"


def ordered(known: Knowledge, best: Parameters, block: int) -> Parameters:
    """The parameters of a streaming store as far as is known.

    A store of which nothing is known has linked blocks, an id index, a block cache, and collects garbage at once.
    """
    sizes = Sizes(block=block)
    if known is Knowledge.READ:
        return replace(best, sizes=sizes)
    if known is Knowledge.UPDATE:
        return replace(best, read=ReadPattern.CLUSTERED, sizes=sizes)
    eager = Sizes(block=block, collection=Collection.WHOLE_BLOCKS, room=0)
    return replace(best, update=UpdatePattern.RANDOM, read=ReadPattern.CLUSTERED, sizes=eager)


@dataclass
class Stores:
    """The streaming stores 1 to 5, and the relation of balances."""

    input: Store
    positions: Store
    to_respond: Store
    accidents: Store
    tolls: Store
    balances: Store

    @classmethod
    def ordered(cls, known: Knowledge, block: int = 256) -> "Stores":
        """All stores; the relation of balances is replaced in place whatever is known."""
        fifo = UpdatePattern.FIFO
        queue = Parameters(update=fifo, read=ReadPattern.SEQUENTIAL)
        shared = Parameters(update=fifo, read=POSITION_READERS, sharing=tuple(POSITION_READERS))
        streaming = (
            queue,
            shared,
            queue,
            Parameters(schema=ACCIDENTS, update=UpdatePattern.RANDOM),
            Parameters(schema=TOLLS, update=fifo),
        )
        input, positions, to_respond, accidents, tolls = (create(ordered(known, best, block)) for best in streaming)
        balances = create(Parameters(schema=BALANCES, update=UpdatePattern.IN_PLACE, key=("car",)))
        accidents.register_index(WAY_INDEX)
        tolls.register_index(TOLL_INDEX)
        balances.register_index(CAR_INDEX)
        return cls(input, positions, to_respond, accidents, tolls, balances)

    def held(self) -> int:
        """How many items there are in all."""
        return sum(map(len, (self.input, self.positions, self.to_respond, self.accidents, self.tolls)))
