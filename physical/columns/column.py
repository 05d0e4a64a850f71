"""One column of a batch: a typed array, a validity mask, and for text the sorted words that its codes stand for."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from physical.kernels.types import Array, Bools, Ints
from semantics.value import Row, Type, Value

DTYPES: Final[dict[Type, type]] = {
    Type.INT: np.int64,
    Type.FLOAT: np.float64,
    Type.BOOL: np.bool_,
    Type.STR: np.int64,
}


@dataclass(frozen=True, slots=True, eq=False)
class ColumnVector:
    """Values of one type. Where `valid` is False the value is NULL and its slot is 0; no mask means no NULL.

    Text is coded: `values` are positions in `words`, which is sorted and without duplicates, so codes of one
    column compare as their words do. Two columns may have different words: `unified` gives them common ones.
    """

    type: Type
    values: Array
    valid: Bools | None = None
    words: Array | None = None

    def __len__(self) -> int:
        return len(self.values)

    def take(self, positions: Array | slice) -> "ColumnVector":
        """The values at these positions, or where this mask is True."""
        valid = None if self.valid is None else self.valid[positions]
        return ColumnVector(self.type, self.values[positions], valid, self.words)

    def mask(self) -> Bools:
        """The validity of every value, even if there is no mask."""
        return np.ones(len(self), np.bool_) if self.valid is None else self.valid

    def to_values(self) -> list[Value]:
        """The values as Python objects: for small results and tests only."""
        plain: list[Any] = (self.words[self.values] if self.words is not None else self.values).tolist()
        if self.valid is None:
            return plain
        return [value if valid else None for value, valid in zip(plain, self.valid, strict=True)]


def taken(columns: Sequence[ColumnVector], positions: Array | slice) -> tuple[ColumnVector, ...]:
    """The rows at these positions."""
    return tuple(column.take(positions) for column in columns)


def from_values(values: Sequence[Value], type_: Type) -> ColumnVector:
    """A column of Python values, each of this type or NULL."""
    valid = np.fromiter((value is not None for value in values), np.bool_, len(values))
    known = [value for value in values if value is not None]
    if type_ is Type.STR:
        return coded(np.array([v if v is not None else "" for v in values], object), None if valid.all() else valid)
    slots: Array = np.zeros(len(values), DTYPES[type_])
    slots[valid] = np.array(known, DTYPES[type_])
    return ColumnVector(type_, slots, None if valid.all() else valid)


def coded(texts: Array, valid: Bools | None) -> ColumnVector:
    """A text column from an object array; texts that are not valid do not matter."""
    texts = texts if valid is None else np.where(valid, texts, texts[valid][0] if valid.any() else "")
    words, codes = _unique_texts(texts)
    codes = codes if valid is None else np.where(valid, codes, 0)
    return ColumnVector(Type.STR, codes, valid, words)


def _unique_texts(texts: Array) -> tuple[Array, Ints]:
    if len(texts) == 0:
        return np.empty(0, object), np.empty(0, np.int64)
    words, codes = np.unique(texts, return_inverse=True)
    return words, codes.astype(np.int64)


def constant(value: Value, type_: Type, length: int) -> ColumnVector:
    """A column that has one value in every row."""
    if value is None:
        words = np.array([""], object) if type_ is Type.STR else None
        return ColumnVector(type_, np.zeros(length, DTYPES[type_]), np.zeros(length, np.bool_), words)
    if type_ is Type.STR:
        return ColumnVector(type_, np.zeros(length, np.int64), None, np.array([value], object))
    return ColumnVector(type_, np.full(length, value, DTYPES[type_]))


def unified(columns: Sequence[ColumnVector]) -> list[ColumnVector]:
    """The same columns; text columns get one common list of words, so that their codes can be compared."""
    if columns[0].words is None or all(column.words is columns[0].words for column in columns):
        return list(columns)
    words, positions = _unique_texts(np.concatenate([c.words for c in columns if c.words is not None]))
    recoded, offset = [], 0
    for column in columns:
        assert column.words is not None
        lookup = positions[offset : offset + len(column.words)]
        offset += len(column.words)
        codes = lookup[column.values] if len(lookup) else column.values
        codes = codes if column.valid is None else np.where(column.valid, codes, 0)
        recoded.append(ColumnVector(Type.STR, codes, column.valid, words))
    return recoded


def concatenated(columns: Sequence[ColumnVector]) -> ColumnVector:
    """One column after the other."""
    first, *others = unified(columns)
    if not others:
        return first
    valid = None if all(c.valid is None for c in columns) else np.concatenate([c.mask() for c in columns])
    return ColumnVector(first.type, np.concatenate([first.values, *(c.values for c in others)]), valid, first.words)


def identity_codes(column: ColumnVector) -> tuple[Ints, Bools | None]:
    """Integers that are equal iff the values count as the same; only the mask says which are NULL.

    −0.0 becomes 0.0 and every NaN becomes the same NaN, because they count as the same value.
    """
    if column.type is Type.FLOAT:
        values = column.values + 0.0
        values[np.isnan(values)] = np.nan
        return values.view(np.int64), column.valid
    return column.values.astype(np.int64, copy=False), column.valid


def order_codes(column: ColumnVector) -> tuple[Ints, Bools | None]:
    """Integers in the total order of the values, NaN last; only the mask says which are NULL, which comes first."""
    if column.type is not Type.FLOAT:
        return identity_codes(column)
    bits, valid = identity_codes(column)
    return np.where(bits < 0, np.int64(-(2**63)) - bits - 1, bits), valid


def rows(columns: Sequence[ColumnVector]) -> list[Row]:
    """The rows of a batch as Python tuples: for small results and tests only."""
    return list(zip(*(column.to_values() for column in columns), strict=True))
