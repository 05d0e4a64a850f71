"""What each consumer of a store no longer needs; an item is outdated when no consumer needs it."""

from collections.abc import Iterable, Sequence


class Marks:
    """The items that one consumer has marked: all before `low`, and some later ones."""

    __slots__ = ("eager", "low")

    def __init__(self) -> None:
        self.low = 0
        self.eager: set[int] = set()

    def __contains__(self, id: object) -> bool:
        return isinstance(id, int) and (id < self.low or id in self.eager)

    def raise_to(self, low: int) -> None:
        """Mark all before this id."""
        if low > self.low:
            self.low = low
            self.eager = {id for id in self.eager if id >= low}


class Consumption:
    """The marks of all consumers."""

    def __init__(self, consumers: Sequence[str]) -> None:
        self.marks = {consumer: Marks() for consumer in consumers}

    @property
    def low(self) -> int:
        """No consumer needs an item before this id."""
        return min(marks.low for marks in self.marks.values())

    def outdated(self, ids: Iterable[int]) -> list[int]:
        """Those of the items that all consumers have marked."""
        return [id for id in ids if all(id in marks for marks in self.marks.values())]

    def forget(self, ids: Iterable[int]) -> None:
        """Drop the marks of items that are no longer there."""
        gone = set(ids)
        for marks in self.marks.values():
            marks.eager -= gone
