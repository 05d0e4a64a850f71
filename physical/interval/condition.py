"""What a join condition offers an index: its equalities between a left and a right column."""

from collections.abc import Iterator
from dataclasses import dataclass

from physical import columns
from physical.column import Bools, Ints
from physical.interval.areas import HashArea, ListArea, Pairs, SweepArea
from physical.stream import PhysicalStream
from semantics import Expression, Schema
from semantics.expression import And, Comparison, Ref


@dataclass(frozen=True)
class Condition:
    """A predicate over two inputs, with the pairs of columns that it wants equal."""

    predicate: Expression | None
    left: Schema
    right: Schema
    left_keys: tuple[int, ...]
    right_keys: tuple[int, ...]

    @classmethod
    def of(cls, predicate: Expression | None, left: Schema, right: Schema) -> "Condition":
        conjuncts = [] if predicate is None else list(_conjuncts(predicate))
        equalities = [pair for conjunct in conjuncts if (pair := _equality(conjunct, len(left)))]
        whole = len(equalities) == len(conjuncts)
        return cls(
            None if whole else predicate,
            left,
            right,
            tuple(i for i, _ in equalities),
            tuple(j for _, j in equalities),
        )

    def area(self, side: int) -> SweepArea:
        """The sweep area for the elements of one side: by hash if there is a key, else a list."""
        schema = (self.left, self.right)[side]
        own, other = (self.left_keys, self.right_keys) if side == 0 else (self.right_keys, self.left_keys)
        return HashArea(schema, own, other) if own else ListArea(schema)

    def holds(self, left: PhysicalStream, right: PhysicalStream, found: Pairs) -> Bools | None:
        """Where the rest of the predicate is TRUE for these pairs of positions; None means everywhere."""
        if self.predicate is None:
            return None
        at_left, at_right = found
        both = [*(c.take(at_left) for c in left.columns), *(c.take(at_right) for c in right.columns)]
        return columns.holds(self.predicate, both, len(at_left))

    def pairs(self, left: PhysicalStream, right: PhysicalStream) -> Iterator[tuple[Ints, Ints]]:
        """All pairs of positions (left, right) that overlap and satisfy the predicate."""
        area = self.area(1)
        area.insert(right)
        for found in area.query(left):
            holds = self.holds(left, right, found)
            yield found if holds is None else (found[0][holds], found[1][holds])


def _conjuncts(predicate: Expression) -> Iterator[Expression]:
    if isinstance(predicate, And):
        yield from _conjuncts(predicate.left)
        yield from _conjuncts(predicate.right)
    else:
        yield predicate


def _equality(conjunct: Expression, width: int) -> tuple[int, int] | None:
    """The positions (left, right) of an equality between columns of one type on either side."""
    match conjunct:
        case Comparison(symbol="=", left=Ref(index=i, type=t), right=Ref(index=j, type=u)) if t is u:
            low, high = min(i, j), max(i, j)
            return (low, high - width) if low < width <= high else None
        case _:
            return None
