"""Ways to derive the update pattern of a store wrongly."""

from physical.storage.parameters import UpdatePattern
from physical.storage.patterns import Consume, Expire, update_pattern


def fifo_for_all_deletions(producer: Expire, consumers: list[Consume], roomy: bool) -> UpdatePattern:
    right = update_pattern(producer, consumers, roomy)
    return UpdatePattern.FIFO if right is UpdatePattern.RANDOM else right


def first_consumer_decides(producer: Expire, consumers: list[Consume], roomy: bool) -> UpdatePattern:
    return update_pattern(producer, consumers[:1], roomy)


def always_roomy(producer: Expire, consumers: list[Consume], roomy: bool) -> UpdatePattern:
    return update_pattern(producer, consumers, True)


def never_in_place(producer: Expire, consumers: list[Consume], roomy: bool) -> UpdatePattern:
    right = update_pattern(producer, consumers, roomy)
    return UpdatePattern.RANDOM if right is UpdatePattern.IN_PLACE else right


def never_fifo(producer: Expire, consumers: list[Consume], roomy: bool) -> UpdatePattern:
    right = update_pattern(producer, consumers, roomy)
    return UpdatePattern.NO_UPDATE if right is UpdatePattern.FIFO else right
