"""Stores that are wrong in one way: lockstep with the model must notice each."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from equivalence.cases.choices import SeededChoices
from equivalence.mutants.mutation import Change, each
from equivalence.mutants.stores import wrong_journals, wrong_layouts, wrong_patterns, wrong_requests
from equivalence.stores.check_store import StoreFailure, check_store
from equivalence.stores.configurations import Configuration, DerivePattern, configurations
from equivalence.stores.store_maker import DefaultStoreMaker, StoreMaker
from physical.storage.consumers import ClusteredReader, SequentialReader
from physical.storage.fifo import FifoLayout
from physical.storage.journal import Journal
from physical.storage.journal_tables import TableJournal
from physical.storage.linked_blocks import RandomLayout
from physical.storage.parameters import Parameters, UpdatePattern
from physical.storage.patterns import Consume, Expire
from physical.storage.store import Store
from semantics.value import Row


@dataclass(frozen=True)
class StoreMutant:
    """Stores that must be caught. The name says what is wrong with them."""

    name: str
    maker: StoreMaker


class WrongPatterns(DefaultStoreMaker):
    """Derives update patterns wrongly."""

    def __init__(self, derive: DerivePattern) -> None:
        self._derive = derive

    def derive(self, producer: Expire, consumers: list[Consume], roomy: bool) -> UpdatePattern:
        return self._derive(producer, consumers, roomy)


class MutatedStoreMaker(DefaultStoreMaker):
    """Makes right stores, and mutates them before anybody uses them."""

    def __init__(self, change: Change) -> None:
        self.change = change

    def create(self, parameters: Parameters, source: Iterator[Row] | None) -> Store:
        store = super().create(parameters, source)
        self.change(store)
        return store


_PATTERNS: Final[tuple[tuple[str, DerivePattern], ...]] = (
    ("FIFO where items go in any order", wrong_patterns.fifo_for_all_deletions),
    ("the first consumer decides", wrong_patterns.first_consumer_decides),
    ("always room for what is consumed early", wrong_patterns.always_roomy),
    ("no replacement in place", wrong_patterns.never_in_place),
    ("nothing leaves in order", wrong_patterns.never_fifo),
)
_CHANGES: Final[tuple[tuple[str, Change], ...]] = (
    ("garbage: a block with a live item is collected", wrong_layouts.layout(RandomLayout, wrong_layouts.CollectsLiveItems)),
    ("garbage: the block that is being filled is collected", wrong_layouts.layout(RandomLayout, wrong_layouts.CollectsTheLastBlock)),
    ("garbage: a shrunk block is read at its old places", wrong_layouts.layout(RandomLayout, wrong_layouts.ShrinksWithoutIds)),
    ("garbage: what one consumer has consumed is collected", wrong_layouts.consumption(wrong_layouts.AnyConsumerWillDo)),
    ("garbage: the fastest consumer decides", wrong_layouts.contents(wrong_layouts.FastestConsumerDecides)),
    ("circle: a block is freed one item early", wrong_layouts.layout(FifoLayout, wrong_layouts.FreesABlockEarly)),
    ("circle: the last item to be deleted stays", wrong_layouts.layout(FifoLayout, wrong_layouts.KeepsTheLastOne)),
    ("circle: blocks in use are reused", wrong_layouts.layout(FifoLayout, wrong_layouts.ReusesBlocksInUse)),
    ("id index: off by one", wrong_layouts.id_index(wrong_layouts.FindsTheBlockBefore)),
    ("consumed items are still shown", wrong_layouts.consumed_items_are_shown),
    ("block cache: never checked", wrong_requests.readers(ClusteredReader, wrong_requests.TrustsTheCachedBlock)),
    ("block cache: stale", wrong_requests.readers(ClusteredReader, wrong_requests.CachesItems)),
    ("sequential reader: skips the first item of a block", wrong_requests.readers(SequentialReader, wrong_requests.SkipsTheFirstOfABlock)),
    ("value index: not updated on replacement", wrong_layouts.contents(wrong_requests.IndexesMissReplacements)),
    ("value index: ranges include their end", each(Store, wrong_requests.RangesIncludeTheirEnd)),
    ("in place: inserts instead", wrong_requests.in_place(wrong_requests.InsertsInstead)),
    ("in place: the values to look for are ignored", wrong_requests.in_place(wrong_requests.IgnoresTheValues)),
    ("crash: unacknowledged counted as acknowledged", wrong_journals.journal(TableJournal, wrong_journals.AcknowledgesEarly)),
    ("crash: deleted items come back", wrong_journals.journal(Journal, wrong_journals.ForgetsRemovals)),
    ("crash: marks are forgotten", wrong_journals.journal(Journal, wrong_journals.ForgetsMarks)),
    ("crash: replacements are forgotten", wrong_journals.journal(Journal, wrong_journals.ForgetsReplacements)),
    ("crash: ids are given twice", wrong_layouts.gives_ids_twice),
    ("push: replacements are not announced", each(Store, wrong_requests.AnnouncesNewItemsOnly)),
    ("synchronisation: any item will do", wrong_requests.lets_all_through),
    ("active: what a reader fetched is lost", each(Store, wrong_requests.LosesFetchedItems)),
)  # fmt: skip
STORES: Final[tuple[StoreMutant, ...]] = (
    *(StoreMutant(f"derived pattern: {name}", WrongPatterns(derive)) for name, derive in _PATTERNS),
    *(StoreMutant(name, MutatedStoreMaker(change)) for name, change in _CHANGES),
)


@dataclass(frozen=True)
class StoreKillResult:
    """Where the model objected to a wrong store, if it did."""

    failure: StoreFailure | None
    cases: int
    """Cases examined, the failing one included."""


def kill_store(mutant: StoreMutant, *, cases: int, seed: int = 0) -> StoreKillResult:
    """Drive configurations that are drawn from a seed until the model objects."""
    for number in range(cases):
        choices = SeededChoices(f"{seed}/{number}")
        failure = check_store(choices.of(_configurations()), choices, mutant.maker)
        if failure is not None:
            return StoreKillResult(failure, number + 1)
    return StoreKillResult(None, cases)


@cache
def _configurations() -> list[Configuration]:
    return [*configurations((None, "sqlite"))]
