"""Lists of a few places, each with an element or none: an operator maps places to places, all of them terms."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final, assert_never

from equivalence.lists import list_expression
from equivalence.lists.list_expression import Listing
from equivalence.prover.meaning.expressions import ExpressionTerms
from equivalence.prover.meaning.open_numbers import integer
from equivalence.prover.refute.list_slot import (
    Slot,
    again,
    chosen,
    common,
    joinable,
    joined_at,
    key_of,
    overlap,
    where,
)
from equivalence.prover.refute.plan_tables import row_before
from equivalence.prover.refute.row_table import same_row
from equivalence.prover.terms.build import (
    ZERO,
    add,
    at_most,
    conj,
    disj,
    equal,
    indicator,
    ite,
    less,
    mul,
    neg,
    number,
)
from equivalence.prover.terms.definitions import Definitions
from equivalence.prover.terms.term import FALSE, Term
from semantics import FOREVER

LATEST_END: Final = 4
"""The latest end of an interval: counterexamples stay easy to read, and an element has at most this many pieces."""
MOST_PLACES: Final = 32
"""Lists with more places than this are not searched."""
MOST_PLACES_JOINED: Final = 12
"""Coalescing more places than this is not searched: each round compares all pairs."""
Slots = list[Slot]


class TooManyPlaces(Exception):
    """A list has more places than the search looks at."""


@dataclass
class SlotLists:
    """The places of lists, given those of their sources."""

    sources: Mapping[str, Sequence[Slot]]
    expressions: ExpressionTerms
    definitions: Definitions = field(default_factory=lambda: Definitions("part"))

    def of(self, listed: Listing) -> Slots:
        below = [self.of(each) for each in list_expression.inputs(listed)]
        if _too_many(listed, below):
            raise TooManyPlaces
        slots = [self._named(slot) for slot in self._of(listed, below)]
        if len(slots) > MOST_PLACES:
            raise TooManyPlaces
        return slots

    def _of(self, listed: Listing, below: Sequence[Slots]) -> Slots:
        match listed:
            case list_expression.GivenList(name=name):
                return [*self.sources[name]]
            case list_expression.FilterList(predicate=predicate):
                return [where(s, self.expressions.truth(predicate, s.row).true) for s in below[0]]
            case list_expression.MapList(expressions=changes):
                return [self._changed(s, [self.expressions.value(x, s.row) for x in changes]) for s in below[0]]
            case list_expression.AppendLists():
                return [*below[0], *below[1]]
            case list_expression.PairLists():
                return [common(one, other) for one in below[0] for other in below[1]]
            case list_expression.SortList(by=by):
                return self._sorted(below[0], lambda s: key_of(s, by, listed.schema.names))
            case list_expression.RdupList():
                return [where(s, neg(again(s, below[0][:i]))) for i, s in enumerate(below[0])]
            case list_expression.RdupTList():
                return [piece for i, s in enumerate(below[0]) for piece in self._uncovered(s, below[0][:i])]
            case list_expression.CoalesceList(longest=longest):
                return self._coalesced(below[0], None if longest == FOREVER else integer(longest))
            case list_expression.SplitList(longest=longest):
                return [piece for s in below[0] for piece in self._cut(s, integer(longest))]
            case _:
                assert_never(listed)

    def _named(self, slot: Slot) -> Slot:
        name = self.definitions.named
        return Slot(tuple(map(name, slot.row)), name(slot.start), name(slot.end), name(slot.there))

    def _changed(self, slot: Slot, row: Sequence[Term]) -> Slot:
        return Slot(tuple(row), slot.start, slot.end, slot.there)

    def _sorted(self, slots: Slots, key: Callable[[Slot], tuple[Term, ...]]) -> Slots:
        """At each place the slot with that many slots before it; equal ones stay in their order."""
        before = [
            [self._first(other, j < i, slot, key) for j, other in enumerate(slots)] for i, slot in enumerate(slots)
        ]
        ranks = [self.definitions.named(add(ZERO, *map(indicator, each))) for each in before]
        return [self._at(number(k), slots, ranks) for k in range(len(slots))]

    def _first(self, one: Slot, earlier: bool, other: Slot, key: Callable[[Slot], tuple[Term, ...]]) -> Term:
        """Does one, if it is there, come before the other?"""
        smaller = neg(row_before(key(other), key(one))) if earlier else row_before(key(one), key(other))
        return FALSE if one is other else conj(one.there, smaller)

    def _at(self, rank: Term, slots: Slots, ranks: Sequence[Term]) -> Slot:
        here = [self.definitions.named(conj(s.there, equal(n, rank))) for s, n in zip(slots, ranks, strict=True)]
        return chosen([*zip(here, slots, strict=True)])

    def _uncovered(self, slot: Slot, earlier: Sequence[Slot]) -> Slots:
        """What is left of an element after all earlier ones with the same row are taken away."""
        pieces = [slot]
        for other in earlier:
            pieces = [self._named(left) for piece in pieces for left in self._less(piece, other)]
        return pieces

    def _less(self, piece: Slot, other: Slot) -> Slots:
        """The part before the other, or all of it if they have nothing in common; and the part behind it."""
        cut = self.definitions.named(conj(other.there, same_row(piece.row, other.row), overlap(piece, other)))
        before = Slot(piece.row, piece.start, ite(cut, other.start, piece.end), piece.there)
        after = Slot(piece.row, other.end, piece.end, piece.there)
        return [
            where(before, disj(neg(cut), less(piece.start, other.start))),
            where(after, conj(cut, less(other.end, piece.end))),
        ]

    def _coalesced(self, slots: Slots, longest: Term | None) -> Slots:
        """The first two that can be joined are joined, as often as that may happen."""
        for _ in slots[1:]:
            slots = self._joined(slots, longest)
        return slots

    def _joined(self, slots: Slots, longest: Term | None) -> Slots:
        done: Term = FALSE
        joins: dict[tuple[int, int], Term] = {}
        for i, j in combinations(range(len(slots)), 2):
            can = self.definitions.named(joinable(slots[i], slots[j], longest))
            joins[i, j] = self.definitions.named(conj(can, neg(done)))
            done = self.definitions.named(disj(done, can))
        return [self._named(joined_at(i, slots, joins)) for i in range(len(slots))]

    def _cut(self, slot: Slot, longest: Term) -> Slots:
        starts = [add(slot.start, mul(number(k), longest)) for k in range(LATEST_END + 1)]
        ends = [ite(at_most(slot.end, end), slot.end, end) for end in starts[1:]]
        pieces = [Slot(slot.row, start, end, slot.there) for start, end in zip(starts, ends, strict=False)]
        return [where(piece, less(piece.start, slot.end)) for piece in pieces]


def _too_many(listed: Listing, below: Sequence[Slots]) -> bool:
    match listed:
        case list_expression.RdupTList():
            return bool(2 ** len(below[0]) > MOST_PLACES)
        case list_expression.CoalesceList():
            return len(below[0]) > MOST_PLACES_JOINED
        case _:
            return False
