"""Distinct, difference, intersection, Istream and Dstream: what follows from how often a row is there."""

import numpy as np

from physical.column import Ints
from physical.interval.sliced import Sliced
from physical.kernels import sweep
from physical.keys import representatives, row_numbers
from physical.stream import PhysicalStream, joined
from semantics.plan import Difference, Distinct, Dstream, Intersection, Istream

_OPERATIONS = {"Distinct": sweep.ONCE, "Difference": sweep.SURPLUS, "Intersection": sweep.COMMON}


class CountOperator(Sliced):
    """Combines the multiplicities of a row on both sides: δ, −, ∩."""

    def __init__(self, node: Distinct | Difference | Intersection) -> None:
        super().__init__(node.operator, tuple(child.schema for child in node.inputs), node.schema)
        self.operation = _OPERATIONS[node.operator]

    def slice(self, parts: list[PhysicalStream], since: int, until: int) -> PhysicalStream:  # noqa: ARG002
        both = joined(parts)
        keys, key_count = row_numbers(both.columns)
        key, start, end, count = sweep.runs(self.operation, keys, key_count, both.start, both.end, len(parts[0]))
        runs = both.take(representatives(keys, key_count)[key]).valid_during(start, end)
        return repeated(runs.with_columns(self.schema, runs.columns), count)


class ChangeOperator(Sliced):
    """Istream and Dstream: the rows whose multiplicity rises or falls, at the instant when it does."""

    lookback = 1

    def __init__(self, node: Istream | Dstream) -> None:
        super().__init__(node.operator, (node.input.schema,), node.schema)
        self.rising = isinstance(node, Istream)

    def slice(self, parts: list[PhysicalStream], since: int, until: int) -> PhysicalStream:
        (part,) = parts
        keys, key_count = row_numbers(part.columns)
        key, instant, count = sweep.changes(self.rising, keys, key_count, part.start, part.end, since)
        due = instant < until
        elements = part.take(representatives(keys, key_count)[key[due]])
        return repeated(elements.valid_during(instant[due], instant[due] + 1), count[due])


def repeated(stream: PhysicalStream, count: Ints) -> PhysicalStream:
    """Every element as often as its count says."""
    return stream if bool((count == 1).all()) else stream.take(np.repeat(np.arange(len(count)), count))
