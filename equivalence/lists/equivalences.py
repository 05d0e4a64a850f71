"""The six equivalences of lists (Slivinskas, Jensen & Snodgrass 2001), and which of them implies which.

As lists, as multisets or as sets: of the elements with their intervals, or of the rows at every instant.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Final, Literal

from equivalence.lists.list_operators import ElementList
from semantics import Instant, Row

Equivalence = Literal["list", "multiset", "set", "snapshot-list", "snapshot-multiset", "snapshot-set"]
"""The six equivalences of Slivinskas, Jensen & Snodgrass 2001; ≐ is snapshot-multiset."""

IMPLIES: Final[dict[Equivalence, tuple[Equivalence, ...]]] = {
    "list": ("multiset", "snapshot-list"),
    "multiset": ("set", "snapshot-multiset"),
    "set": ("snapshot-set",),
    "snapshot-list": ("snapshot-multiset",),
    "snapshot-multiset": ("snapshot-set",),
    "snapshot-set": (),
}
"""The next weaker ones; every implication is a chain of these."""


def implied(by: Equivalence) -> frozenset[Equivalence]:
    """All equivalences that follow from one, itself among them."""
    return frozenset({by}).union(*(implied(weaker) for weaker in IMPLIES[by]))


def stronger(than: Equivalence) -> tuple[Equivalence, ...]:
    """The next stronger ones: those that imply it directly."""
    return tuple(candidate for candidate, weaker in IMPLIES.items() if than in weaker)


def same(left: ElementList, right: ElementList, equivalence: Equivalence) -> bool:
    """Are two lists equivalent?

    >>> from equivalence.lists.list_operators import at
    >>> whole, halves = (at(("a",), 0, 2),), (at(("a",), 0, 1), at(("a",), 1, 2))
    >>> same(whole, halves, "set"), same(whole, halves, "snapshot-list")
    (False, True)
    """
    match equivalence:
        case "list":
            return left == right
        case "multiset":
            return Counter(left) == Counter(right)
        case "set":
            return set(left) == set(right)
        case _:
            return first_difference(left, right, equivalence) is None


def first_difference(left: ElementList, right: ElementList, equivalence: Equivalence) -> Instant | None:
    """The first instant at which the rows that are there differ, in the sense of a snapshot equivalence."""
    for t in _instants(left, right):
        one, other = rows_at(left, t), rows_at(right, t)
        alike = {
            "snapshot-list": one == other,
            "snapshot-multiset": Counter(one) == Counter(other),
            "snapshot-set": set(one) == set(other),
        }
        if not alike[equivalence]:
            return t
    return None


def rows_at(elements: ElementList, t: Instant) -> list[Row]:
    """The rows valid at an instant, in the order of the list."""
    return [row for row, valid in elements if t in valid]


def _instants(*all_lists: ElementList) -> Iterator[Instant]:
    """The instants at which rows can change: where an interval starts or ends."""
    bounds = {bound for elements in all_lists for _, valid in elements for bound in (valid.start, valid.end)}
    return iter(sorted(int(bound) for bound in bounds))
