"""What a join condition offers an index: keys that must be equal, or within bounds.

Pairs that an area does not find are not tested. If another conjunct would overflow for such a pair, there is no error
as the reference has one (see "Values" in docs/decisions.md): testing every pair only to find overflows would take away
what the index gains.
"""

from dataclasses import dataclass
from typing import Literal

from physical.columns import expressions
from physical.columns.batch import Batch
from physical.join_index.hash_area import HashArea
from physical.join_index.list_area import ListArea
from physical.join_index.ordered_area import KeyBound, OrderedArea
from physical.join_index.sweep_area import Pairs, SweepArea
from physical.kernels.types import Bools
from semantics import Expression, Schema
from semantics.comparison import both_ways
from semantics.expression import Comparison, Ref, conjuncts, refs

Kind = Literal["hash", "ordered", "list"]


@dataclass(frozen=True)
class Lookup:
    """A conjunct from the view of one side's area: a column of the area compared with an expression over the probe."""

    key: int
    symbol: str
    wanted: Expression


@dataclass(frozen=True)
class Choice:
    """The kind of sweep area, and the conjuncts that it looks up."""

    kind: Kind
    lookups: tuple[Lookup, ...] = ()


@dataclass(frozen=True)
class Condition:
    """A predicate over two inputs, None if the areas decide it alone; and the kind of area for each side."""

    predicate: Expression | None
    left: Schema
    right: Schema
    choices: tuple[Choice, Choice]
    equal_columns: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, predicate: Expression | None, left: Schema, right: Schema) -> "Condition":
        parts = [] if predicate is None else list(conjuncts(predicate))
        found = [[_lookup(part, side, len(left)) for part in parts] for side in (0, 1)]
        equal = [all(lookup is not None and lookup.symbol == "=" for lookup in lookups) for lookups in found]
        choices = (_choice([x for x in found[0] if x]), _choice([x for x in found[1] if x]))
        both = zip(*found, strict=True)
        columns_ = tuple((x.key, y.key) for x, y in both if x is not None and y is not None and x.symbol == "=")
        return cls(None if all(equal) else predicate, left, right, choices, columns_)

    def area(self, side: int) -> SweepArea:
        """The sweep area for the elements of one side."""
        schema, choice, offset = (self.left, self.right)[side], self.choices[side], (len(self.left), 0)[side]
        if choice.kind == "hash":
            return HashArea(schema, [x.key for x in choice.lookups], [x.wanted for x in choice.lookups], offset)
        if choice.kind == "ordered":
            limits = [(x.symbol, x.wanted.index - offset) for x in choice.lookups if isinstance(x.wanted, Ref)]
            return OrderedArea(schema, choice.lookups[0].key, [KeyBound(symbol, index) for symbol, index in limits])
        return ListArea(schema)

    def holds(self, left: Batch, right: Batch, found: Pairs) -> Bools | None:
        """Where the rest of the predicate is TRUE for these pairs of positions; None means everywhere."""
        if self.predicate is None:
            return None
        at_left, at_right = found
        both = [*(c.take(at_left) for c in left.columns), *(c.take(at_right) for c in right.columns)]
        return expressions.holds(self.predicate, both, len(at_left))


def _choice(lookups: list[Lookup]) -> Choice:
    """A hash area for equal keys; otherwise an ordered area for the key with the most bounds; otherwise a list."""
    equal = tuple(lookup for lookup in lookups if lookup.symbol == "=")
    if equal:
        return Choice("hash", equal)
    bounds = [lookup for lookup in lookups if isinstance(lookup.wanted, Ref)]
    if not bounds:
        return Choice("list")
    keys = [lookup.key for lookup in bounds]
    best = max(keys, key=keys.count)
    return Choice("ordered", tuple(lookup for lookup in bounds if lookup.key == best))


def _lookup(conjunct: Expression, side: int, width: int) -> Lookup | None:
    """The comparison of a column of this side with an expression over the other side, both of one type."""
    if not isinstance(conjunct, Comparison) or conjunct.symbol == "<>":
        return None
    for symbol, own, other in both_ways(conjunct):
        sides = {int(ref.index >= width) for ref in refs(other)}
        if isinstance(own, Ref) and int(own.index >= width) == side and sides == {1 - side} and own.type is other.type:
            return Lookup(own.index - side * width, symbol, other)
    return None
