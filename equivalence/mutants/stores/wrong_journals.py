"""Wrong journals: changes that are not written down, or acknowledged too early."""

from collections.abc import Iterable

from equivalence.mutants.mutation import Change, each
from physical.storage.journal import Journal
from physical.storage.journal_tables import TableJournal
from physical.storage.store import Store
from semantics.value import Row


def journal(kind: type[Journal], mutation: type[Journal]) -> Change:
    """Mutate the journal of stores that have one of this kind."""
    change = each(kind, mutation)

    def change_journal(store: object) -> None:
        assert isinstance(store, Store)
        change(store.contents.journal)

    return change_journal


class AcknowledgesEarly(TableJournal):
    """Requests count as acknowledged before they are committed."""

    def done(self) -> None:
        super().done()
        self.acknowledged = self.recorded


class ForgetsRemovals(Journal):
    """Items that were deleted are back after a crash."""

    def remove(self, ids: Iterable[int]) -> None:
        """Do nothing."""

    def remove_until(self, id: int) -> None:
        """Do nothing."""


class ForgetsMarks(Journal):
    """Items that were consumed are back after a crash."""

    def mark(self, consumer: str, ids: Iterable[int]) -> None:
        """Do nothing."""

    def mark_until(self, consumer: str, id: int) -> None:
        """Do nothing."""


class ForgetsReplacements(Journal):
    """After a crash, items are as they were before they were replaced."""

    def replace(self, id: int, item: Row) -> None:
        """Do nothing."""
