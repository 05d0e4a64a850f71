"""When two lists of places are not equivalent, in each of the six senses, as a formula."""

from collections.abc import Sequence
from typing import Final

from equivalence.lists.equivalences import Equivalence
from equivalence.prover.refute.list_slot import Slot, same
from equivalence.prover.refute.row_table import CountedRow, same_row, times_of
from equivalence.prover.terms.build import ONE, ZERO, add, at_most, conj, disj, equal, indicator, less, neg, some
from equivalence.prover.terms.definitions import Definitions
from equivalence.prover.terms.term import SmtSort, Term, Var

COMPARED_INSTANT: Final = Var("instant", SmtSort.INT)
"""Where snapshots are compared."""


def difference(left: list[Slot], right: list[Slot], equivalence: Equivalence, definitions: Definitions) -> Term:
    """When two lists are not equivalent."""
    match equivalence:
        case "list":
            return _in_order(left, right, timed=True, definitions=definitions)
        case "snapshot-list":
            return _in_order([_now(s) for s in left], [_now(s) for s in right], timed=False, definitions=definitions)
        case "multiset" | "set":
            timed = [
                [CountedRow((*s.row, some(s.start), some(s.end)), indicator(s.there)) for s in side]
                for side in (left, right)
            ]
            return _counted(*timed, as_sets=equivalence == "set")
        case "snapshot-multiset" | "snapshot-set":
            held = [[CountedRow(s.row, indicator(_now(s).there)) for s in side] for side in (left, right)]
            return _counted(*held, as_sets=equivalence == "snapshot-set")


def _in_order(left: list[Slot], right: list[Slot], *, timed: bool, definitions: Definitions) -> Term:
    """One is longer, or two different elements have equally many before them."""
    lefts, rights = (_places(side, definitions) for side in (left, right))
    alike = same if timed else lambda one, other: same_row(one.row, other.row)
    unlike = [
        conj(one.there, other.there, equal(i, j), neg(alike(one, other)))
        for i, one in zip(lefts, left, strict=False)
        for j, other in zip(rights, right, strict=False)
    ]
    return disj(neg(equal(lefts[-1], rights[-1])), *unlike)


def _places(slots: Sequence[Slot], definitions: Definitions) -> list[Term]:
    """How many elements there are before each place, and in all."""
    places: list[Term] = [ZERO]
    for slot in slots:
        places.append(definitions.named(add(places[-1], indicator(slot.there))))
    return places


def _counted(left: list[CountedRow], right: list[CountedRow], *, as_sets: bool) -> Term:
    pairs = [(times_of(e.row, left), times_of(e.row, right)) for e in (*left, *right)]
    return disj(*(neg(equal(*(_once(n) if as_sets else n for n in pair))) for pair in pairs))


def _once(times: Term) -> Term:
    return indicator(at_most(ONE, times))


def _now(slot: Slot) -> Slot:
    return Slot(
        slot.row,
        slot.start,
        slot.end,
        conj(slot.there, at_most(slot.start, COMPARED_INSTANT), less(COMPARED_INSTANT, slot.end)),
    )
