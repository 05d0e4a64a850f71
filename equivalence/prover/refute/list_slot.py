"""A place in a list with an element or none, and operations on such places as terms."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from equivalence.lists.list_expression import END, START
from equivalence.prover.refute.row_table import same_row
from equivalence.prover.terms.build import at_most, conj, disj, equal, ite, less, neg, some, sub
from equivalence.prover.terms.term import FALSE, TRUE, Term


@dataclass(frozen=True)
class Slot:
    """A place in a list: an element, if it is there."""

    row: tuple[Term, ...]
    start: Term
    end: Term
    there: Term = TRUE


def where(slot: Slot, condition: Term) -> Slot:
    return Slot(slot.row, slot.start, slot.end, conj(slot.there, condition))


def common(one: Slot, other: Slot) -> Slot:
    start = ite(less(one.start, other.start), other.start, one.start)
    end = ite(less(one.end, other.end), one.end, other.end)
    return Slot(one.row + other.row, start, end, conj(one.there, other.there, overlap(one, other)))


def chosen(options: Sequence[tuple[Term, Slot]]) -> Slot:
    """The one whose condition holds, if one does."""
    (condition, slot), *others = options
    if not others:
        return Slot(slot.row, slot.start, slot.end, condition)
    rest = chosen(others)
    row = tuple(ite(condition, a, b) for a, b in zip(slot.row, rest.row, strict=True))
    start, end = ite(condition, slot.start, rest.start), ite(condition, slot.end, rest.end)
    return Slot(row, start, end, disj(condition, rest.there))


def again(slot: Slot, earlier: Sequence[Slot]) -> Term:
    return disj(FALSE, *(conj(other.there, same(slot, other)) for other in earlier))


def joinable(one: Slot, other: Slot, longest: Term | None) -> Term:
    """Are there two elements of one row, and does one begin where the other ends?"""
    ways = [
        conj(equal(first.end, second.start), *([at_most(sub(second.end, first.start), longest)] if longest else []))
        for first, second in ((one, other), (other, one))
    ]
    return conj(one.there, other.there, same_row(one.row, other.row), disj(*ways))


def joined_at(i: int, slots: Sequence[Slot], joins: Mapping[tuple[int, int], Term]) -> Slot:
    """What a place is after a join: longer, or gone, or as it was."""
    slot, start, end = slots[i], slots[i].start, slots[i].end
    for (first, second), joined in joins.items():
        if first == i:
            start = ite(conj(joined, equal(slots[second].end, slot.start)), slots[second].start, start)
            end = ite(conj(joined, equal(slot.end, slots[second].start)), slots[second].end, end)
    gone = disj(FALSE, *(joined for (_, second), joined in joins.items() if second == i))
    return Slot(slot.row, start, end, conj(slot.there, neg(gone)))


def overlap(one: Slot, other: Slot) -> Term:
    return conj(less(one.start, other.end), less(other.start, one.end))


def same(one: Slot, other: Slot) -> Term:
    return conj(same_row(one.row, other.row), equal(one.start, other.start), equal(one.end, other.end))


def key_of(slot: Slot, by: Sequence[str], names: Sequence[str]) -> tuple[Term, ...]:
    times = {START: some(slot.start), END: some(slot.end)}
    return tuple(times.get(name) or slot.row[names.index(name)] for name in by)
