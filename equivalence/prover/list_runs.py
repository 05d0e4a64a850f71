"""Lists of a few elements, all of them terms: an operator runs as it is defined, and what it compares is decided.

What is found by it is replayed, so nothing rests on it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, assert_never

from equivalence import listing
from equivalence.listing import END, START, Listing
from equivalence.prover.build import ONE, add, at_most, conj, disj, equal, indicator, less, neg, some, sub
from equivalence.prover.elements import Element
from equivalence.prover.expressions import Expressions
from equivalence.prover.listed import Entry, times_of
from equivalence.prover.tables import row_before
from equivalence.prover.terms import FALSE, TRUE, Sort, Term, Var
from equivalence.prover.unknown import integer
from equivalence.rule import Equivalence
from semantics import FOREVER

PIECES: Final = 4
"""Elements are not cut into more."""
AT: Final = Var("instant", Sort.INT)
"""Where snapshots are compared."""


class TooManyPieces(Exception):
    """A path on which an element is cut into more pieces than are looked at."""


@dataclass
class Runs:
    """Runs listings; every comparison is decided, so that a run is one of the courses that it can take."""

    sources: Mapping[str, Sequence[Element]]
    expressions: Expressions
    decide: Callable[[Term], bool]

    def of(self, listed: Listing) -> list[Element]:
        below = [self.of(each) for each in listing.inputs(listed)]
        match listed:
            case listing.Given(name=name):
                return [*self.sources[name]]
            case listing.Keep(predicate=predicate):
                return [e for e in below[0] if self.decide(self.expressions.truth(predicate, e.row).true)]
            case listing.Change(expressions=expressions):
                return [self._changed(e, [self.expressions.value(x, e.row) for x in expressions]) for e in below[0]]
            case listing.Append():
                return [*below[0], *below[1]]
            case listing.Pair():
                return [pair for one in below[0] for other in below[1] for pair in self._common(one, other)]
            case listing.Sort(by=by):
                return self._sorted(below[0], lambda e: _key(e, by, listed.schema.names))
            case listing.Rdup():
                return self._first_of_each(below[0])
            case listing.RdupT():
                return [piece for i, e in enumerate(below[0]) for piece in self._uncovered(e, below[0][:i])]
            case listing.Coalesce(longest=longest):
                return self._coalesced(below[0], None if longest == FOREVER else integer(longest))
            case listing.Split(longest=longest):
                return [piece for e in below[0] for piece in self._cut(e, integer(longest))]
            case _:
                assert_never(listed)

    def _changed(self, element: Element, row: Sequence[Term]) -> Element:
        return Element(tuple(row), element.start, element.end)

    def _common(self, one: Element, other: Element) -> list[Element]:
        if not self.decide(_overlap(one, other)):
            return []
        return [Element(one.row + other.row, self._larger(one.start, other.start), self._smaller(one.end, other.end))]

    def _larger(self, one: Term, other: Term) -> Term:
        return other if self.decide(less(one, other)) else one

    def _smaller(self, one: Term, other: Term) -> Term:
        return one if self.decide(less(one, other)) else other

    def _sorted(self, elements: Sequence[Element], key: Callable[[Element], tuple[Term, ...]]) -> list[Element]:
        """Each one behind all that are not larger."""
        done: list[Element] = []
        for element in elements:
            place = len(done)
            while place and self.decide(row_before(key(element), key(done[place - 1]))):
                place -= 1
            done.insert(place, element)
        return done

    def _first_of_each(self, elements: Sequence[Element]) -> list[Element]:
        first: list[Element] = []
        for element in elements:
            if not any(self.decide(_same(element, known)) for known in first):
                first.append(element)
        return first

    def _uncovered(self, element: Element, earlier: Sequence[Element]) -> list[Element]:
        """What is left of an element after all earlier ones with the same row are taken away."""
        pieces = [element]
        for other in earlier:
            if self.decide(_same_row(element, other)):
                pieces = [left for piece in pieces for left in self._less(piece, other)]
        return pieces

    def _less(self, piece: Element, other: Element) -> list[Element]:
        if not self.decide(_overlap(piece, other)):
            return [piece]
        before = [Element(piece.row, piece.start, other.start)] if self.decide(less(piece.start, other.start)) else []
        after = [Element(piece.row, other.end, piece.end)] if self.decide(less(other.end, piece.end)) else []
        return before + after

    def _coalesced(self, elements: list[Element], longest: Term | None) -> list[Element]:
        pairs = ((i, j) for i in range(len(elements)) for j in range(i + 1, len(elements)))
        for i, j in pairs:
            merged = self._merged(elements[i], elements[j], longest)
            if merged is not None:
                return self._coalesced([*elements[:i], merged, *elements[i + 1 : j], *elements[j + 1 :]], longest)
        return elements

    def _merged(self, one: Element, other: Element, longest: Term | None) -> Element | None:
        for first, second in ((one, other), (other, one)):
            short = TRUE if longest is None else at_most(sub(second.end, first.start), longest)
            if self.decide(conj(_same_row(one, other), equal(first.end, second.start), short)):
                return Element(one.row, first.start, second.end)
        return None

    def _cut(self, element: Element, longest: Term) -> list[Element]:
        pieces, start = list[Element](), element.start
        while self.decide(less(add(start, longest), element.end)):
            if len(pieces) == PIECES:
                raise TooManyPieces
            pieces.append(Element(element.row, start, add(start, longest)))
            start = add(start, longest)
        return [*pieces, Element(element.row, start, element.end)]


def difference(left: list[Element], right: list[Element], equivalence: Equivalence, runs: Runs) -> Term:
    """When two lists are not equivalent."""
    match equivalence:
        case "list":
            same = [_same(one, other) for one, other in zip(left, right, strict=False)]
            return TRUE if len(left) != len(right) else disj(FALSE, *map(neg, same))
        case "multiset" | "set":
            tables = [[Entry((*e.row, some(e.start), some(e.end)), ONE) for e in side] for side in (left, right)]
        case "snapshot-list":
            lefts, rights = ([e for e in side if runs.decide(_holds(e))] for side in (left, right))
            same = [_same_row(one, other) for one, other in zip(lefts, rights, strict=False)]
            return TRUE if len(lefts) != len(rights) else disj(FALSE, *map(neg, same))
        case "snapshot-multiset" | "snapshot-set":
            tables = [[Entry(e.row, indicator(_holds(e))) for e in side] for side in (left, right)]
    sides = [[times_of(e.row, table) for e in (*tables[0], *tables[1])] for table in tables]
    if equivalence.endswith("multiset"):
        return disj(FALSE, *(neg(equal(*pair)) for pair in zip(*sides, strict=True)))
    return disj(FALSE, *(neg(equal(*(indicator(at_most(ONE, n)) for n in pair))) for pair in zip(*sides, strict=True)))


def _holds(element: Element) -> Term:
    return conj(at_most(element.start, AT), less(AT, element.end))


def _overlap(one: Element, other: Element) -> Term:
    return conj(less(one.start, other.end), less(other.start, one.end))


def _same_row(one: Element, other: Element) -> Term:
    return conj(*(equal(a, b) for a, b in zip(one.row, other.row, strict=True)))


def _same(one: Element, other: Element) -> Term:
    return conj(_same_row(one, other), equal(one.start, other.start), equal(one.end, other.end))


def _key(element: Element, by: Sequence[str], names: Sequence[str]) -> tuple[Term, ...]:
    times = {START: some(element.start), END: some(element.end)}
    return tuple(times.get(name) or element.row[names.index(name)] for name in by)
