"""Stores that are wrong in one way: lockstep with the model must notice each."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from equivalence.cases.choices import Seeded
from equivalence.mutants import wrong_patterns
from equivalence.mutants import wrong_stores as spoilt
from equivalence.stores.check import Failure, check_store
from equivalence.stores.configurations import Configuration, configurations
from equivalence.stores.makers import Factory, Makes
from physical.storage.block_layout import ChainLayout
from physical.storage.fifo import FifoLayout
from physical.storage.linked_blocks import InPlaceLayout, RandomLayout
from physical.storage.parameters import Parameters, ReadPattern, UpdatePattern
from physical.storage.patterns import Consume, Expire
from physical.storage.store import Store
from semantics.value import Row

Derive = Callable[[Expire, list[Consume], bool], UpdatePattern]


@dataclass(frozen=True)
class StoreMutant:
    """Stores that must be caught, with the way in which they are wrong as their name."""

    name: str
    makes: Makes


class Deriving(Factory):
    """Derives other update patterns."""

    def __init__(self, derive: Derive) -> None:
        self._derive = derive

    def derive(self, producer: Expire, consumers: list[Consume], roomy: bool) -> UpdatePattern:
        return self._derive(producer, consumers, roomy)


class Spoiling(Factory):
    """Makes stores that are right, and spoils them."""

    def __init__(self, spoil: spoilt.Spoil) -> None:
        self.spoil = spoil

    def create(self, parameters: Parameters, source: Iterator[Row] | None) -> Store:
        store = super().create(parameters, source)
        self.spoil(store)
        return store


STORES: Final[tuple[StoreMutant, ...]] = (
    StoreMutant("derived pattern: FIFO where items go in any order", Deriving(wrong_patterns.fifo_for_all_deletions)),
    StoreMutant("derived pattern: the first consumer decides", Deriving(wrong_patterns.first_consumer_decides)),
    StoreMutant("derived pattern: always room for what is consumed early", Deriving(wrong_patterns.always_roomy)),
    StoreMutant("derived pattern: no replacement in place", Deriving(wrong_patterns.never_in_place)),
    StoreMutant("derived pattern: nothing leaves in order", Deriving(wrong_patterns.never_fifo)),
    *(
        StoreMutant(name, Spoiling(spoil))
        for name, spoil in (
            (
                "garbage: a block with a live item is collected",
                spoilt.in_layout(RandomLayout, spoilt.collects_blocks_with_a_live_item),
            ),
            (
                "garbage: the block that is being filled is collected",
                spoilt.in_layout(RandomLayout, spoilt.collects_the_block_that_is_filled),
            ),
            (
                "garbage: places in a block that was shrunk are those of before",
                spoilt.in_layout(RandomLayout, spoilt.shrinks_without_ids),
            ),
            ("garbage: what one consumer has consumed is collected", spoilt.any_consumer_will_do),
            ("garbage: the fastest consumer decides", spoilt.fastest_consumer_decides),
            ("circle: a block is freed one item early", spoilt.in_layout(FifoLayout, spoilt.frees_a_block_early)),
            ("circle: the item to delete up to stays", spoilt.in_layout(FifoLayout, spoilt.keeps_the_last_one)),
            ("circle: blocks in use are reused", spoilt.in_layout(FifoLayout, spoilt.reuses_blocks_in_use)),
            ("id index: off by one", spoilt.in_layout(ChainLayout, spoilt.finds_the_block_before)),
            ("consumed items are still shown", spoilt.consumed_items_are_shown),
            ("block cache: never checked", spoilt.with_readers(ReadPattern.CLUSTERED, spoilt.trusts_the_cached_block)),
            ("block cache: stale", spoilt.with_readers(ReadPattern.CLUSTERED, spoilt.caches_items)),
            (
                "sequential reader: skips the first item of a block",
                spoilt.with_readers(ReadPattern.SEQUENTIAL, spoilt.skips_to_the_next_block),
            ),
            ("value index: not updated on replacement", spoilt.index_misses_replacements),
            ("value index: ranges include their end", spoilt.range_includes_its_end),
            ("in place: inserts instead", spoilt.in_layout_of_store(InPlaceLayout, spoilt.inserts_instead)),
            (
                "in place: the values to look for are ignored",
                spoilt.in_layout_of_store(InPlaceLayout, spoilt.ignores_the_values),
            ),
            ("crash: unacknowledged counted as acknowledged", spoilt.counts_the_unacknowledged),
            ("crash: deleted items come back", spoilt.forgets("remove", "remove_until")),
            ("crash: marks are forgotten", spoilt.forgets("mark", "mark_until")),
            ("crash: replacements are forgotten", spoilt.forgets("replace")),
            ("crash: ids are given twice", spoilt.gives_ids_twice),
            ("push: replacements are not told", spoilt.tells_of_new_items_only),
            ("synchronisation: any item will do", spoilt.lets_all_through),
            ("active: what a reader fetched is lost", spoilt.loses_what_a_reader_fetched),
        )
    ),
)
"""Wrong stores and wrong derivations."""


@dataclass(frozen=True)
class StoreKill:
    """How a mutant fared."""

    failure: Failure | None
    cases: int


def kill_store(mutant: StoreMutant, *, cases: int, seed: int = 0) -> StoreKill:
    """Drive configurations that are drawn from a seed until the model objects."""
    for number in range(cases):
        choices = Seeded(f"{seed}/{number}")
        failure = check_store(choices.of(_configurations()), choices, mutant.makes)
        if failure is not None:
            return StoreKill(failure, number + 1)
    return StoreKill(None, cases)


@cache
def _configurations() -> list[Configuration]:
    return [*configurations((None, "sqlite"))]
