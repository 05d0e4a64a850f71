"""One side of a join: its rows, and how rows of the other side find their partners."""

import numpy as np

from physical.columns.column import ColumnVector, identity_codes, is_coded
from physical.columns.stream import PhysicalStream
from physical.engines.incremental.expiring_rows import ALL_USABLE, ExpiringRows
from physical.engines.incremental.live_rows import LiveRows
from physical.join_index.condition import Condition
from physical.join_index.sweep_area import Pairs
from physical.kernels import chains
from physical.kernels.types import Bools, Ints
from semantics import Schema, Type


class Index:
    """Live rows by a key. New rows are added; expired rows need not be taken out, as chains end at them."""

    def __init__(self, basket: LiveRows, key: int) -> None:
        self.basket = basket
        self.key = key
        self.version = -1
        self.known = 0
        """Rows with a smaller number have been added already."""
        self.chains: chains.Chains = (np.empty(0, np.int64), np.empty(0, np.int64), 0)

    def find(self, wanted: ColumnVector) -> Pairs:
        """Positions (probe, row) where the key has the wanted value."""
        codes = self._up_to_date()
        return chains.linked_pairs(self.chains, codes, self.basket.gone, *_codes(wanted))

    def _up_to_date(self) -> Ints:
        """Add new rows to their chains; the codes of all rows."""
        basket = self.basket
        codes, usable = _codes(basket.rows.columns[self.key])
        last = basket.gone + len(basket)
        if self.version != basket.version or last > self.chains[2] + len(self.chains[1]):
            self._start_anew()
        chains.link(self.chains, codes, usable, basket.gone, max(self.known, basket.gone))
        self.known = last
        return codes

    def _start_anew(self) -> None:
        """Empty chains with room for twice as many rows as there are."""
        size = 16
        while size < 2 * len(self.basket):
            size *= 2
        head, older = np.full(size, -1, np.int64), np.empty(max(2 * len(self.basket), 16), np.int64)
        self.chains = (head, older, self.basket.gone)
        self.version, self.known = self.basket.version, self.basket.gone


def _codes(column: ColumnVector) -> tuple[Ints, Bools]:
    codes, valid = identity_codes(column)
    return np.ascontiguousarray(codes), ALL_USABLE if valid is None else valid


class JoinSide:
    """The rows of one side. There is an index if the condition has one pair of equal keys that are no texts.

    Codes of texts change with the words of a column, so they cannot stay in chains.
    """

    def __init__(self, port: int, condition: Condition, schemas: tuple[Schema, Schema]) -> None:
        self.port = port
        self.condition = condition
        self.schemas = schemas
        self.basket = LiveRows([*schemas[port].types, Type.INT])
        """The last column says until when a row has a partner."""
        keys = condition.equal_columns
        indexed = len(keys) == 1 and not is_coded(schemas[port].types[keys[0][port]])
        self.index = Index(self.basket, keys[0][port]) if indexed else None

    @property
    def rows(self) -> ExpiringRows:
        return self.basket.rows

    def met_by(self, others: ExpiringRows) -> Pairs:
        """All pairs of positions on the left and on the right that satisfy the condition."""
        if self.index is None:
            return self._met_in_area(others)
        probe, own = self.index.find(others.columns[self.condition.equal_columns[0][1 - self.port]])
        return self._satisfying(others, (own, probe) if self.port == 0 else (probe, own))

    def _met_in_area(self, others: ExpiringRows) -> Pairs:
        """All pairs, found by a sweep area over the smaller side."""
        batches = (self.rows, others) if self.port == 0 else (others, self.rows)
        stored = int(len(batches[1]) < len(batches[0]))
        streams = [_lasting(schema, rows) for schema, rows in zip(self.schemas, batches, strict=True)]
        area = self.condition.area(stored)
        area.insert(streams[stored])
        found = [(met, probe) if stored == 0 else (probe, met) for probe, met in area.query(streams[1 - stored])]
        held = [self._satisfying(others, pairs) for pairs in found]
        none = np.empty(0, np.int64)
        return np.concatenate([none, *(pair[0] for pair in held)]), np.concatenate([none, *(pair[1] for pair in held)])

    def _satisfying(self, others: ExpiringRows, pairs: Pairs) -> Pairs:
        if self.condition.predicate is None:
            return pairs
        batches = (self.rows, others) if self.port == 0 else (others, self.rows)
        left, right = (_lasting(schema, rows) for schema, rows in zip(self.schemas, batches, strict=True))
        holds = self.condition.holds(left, right, pairs)
        return pairs if holds is None else (pairs[0][holds], pairs[1][holds])


def _lasting(schema: Schema, rows: ExpiringRows) -> PhysicalStream:
    """Rows as elements that are all valid together, as a sweep area takes them."""
    start = np.zeros(len(rows), np.int64)
    return PhysicalStream(schema, rows.columns[: len(schema)], start, start + 1)
