"""One column of a batch: a typed array, a validity mask, and for text the sorted words that its codes stand for.

Points in time and spans are the integers that they count, decimals of up to 18 digits integers of their last digit.
Longer decimals, arrays and rows are coded as text is.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final, cast

import numpy as np

from physical.kernels.types import Array, Bools, Ints
from semantics.decimals import scaled, unscaled
from semantics.value import Row, Type, Value, order

LONGEST_IN_64_BITS: Final = 18
"""Digits of a decimal that always fit into 64 bits."""


def dtype_of(type_: Type) -> type:
    """What the array of a column holds."""
    return {Type.FLOAT: np.float64, Type.BOOL: np.bool_}.get(type_, np.int64)


def is_coded(type_: Type) -> bool:
    """Are values positions in a list of words?"""
    if type_.sizes is not None:
        return type_.sizes[0] > LONGEST_IN_64_BITS
    return type_ is Type.STR or type_.is_nested


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
        plain = self._plain()
        if self.valid is None:
            return plain
        return [value if valid else None for value, valid in zip(plain, self.valid, strict=True)]

    def _plain(self) -> list[Any]:
        """The values of all slots, those of NULL included."""
        if self.words is not None:
            coded_words: list[Any] = self.words[self.values].tolist()
            return coded_words
        if self.type.sizes is not None:
            scale = self.type.sizes[1]
            return [scaled(units, scale) for units in self.values.tolist()]
        plain: list[Any] = self.values.tolist()
        return [self.type.python(count) for count in plain] if self.type.is_counted else plain


def taken(columns: Sequence[ColumnVector], positions: Array | slice) -> tuple[ColumnVector, ...]:
    """The rows at these positions."""
    return tuple(column.take(positions) for column in columns)


def from_values(values: Sequence[Value], type_: Type) -> ColumnVector:
    """A column of Python values, each of this type or NULL."""
    valid = np.fromiter((value is not None for value in values), np.bool_, len(values))
    known = [value for value in values if value is not None]
    if is_coded(type_):
        return coded(objects(values), None if valid.all() else valid, type_)
    slots: Array = np.zeros(len(values), dtype_of(type_))
    slots[valid] = np.array(_numbers(known, type_), dtype_of(type_))
    return ColumnVector(type_, slots, None if valid.all() else valid)


def _numbers(values: Sequence[Value], type_: Type) -> Sequence[Any]:
    """What an array holds of them: of decimals, how often their last digit's unit is in them."""
    return values if type_.sizes is None else [unscaled(value, type_.sizes[1]) for value in cast(list[Decimal], values)]


def objects(values: Sequence[Any]) -> Array:
    """An array of Python objects; numpy would make a table of tuples."""
    return np.fromiter(values, object, len(values))


def coded(given: Array, valid: Bools | None, type_: Type = Type.STR) -> ColumnVector:
    """A coded column from an object array; what is not valid does not matter."""
    if valid is not None:
        known = given[valid]
        given = given.copy()
        given[~valid] = known[:1] if len(known) else objects([_no_word(type_)])
    words, codes = _unique(given, type_)
    codes = codes if valid is None else np.where(valid, codes, 0)
    return ColumnVector(type_, codes, valid, words)


def _no_word(type_: Type) -> Any:
    """A word of a column in which all is NULL."""
    return scaled(0, type_.sizes[1]) if type_.sizes is not None else "" if type_ is Type.STR else ()


def _unique(given: Array, type_: Type) -> tuple[Array, Ints]:
    """The different words in their order, and which of them each value is."""
    if len(given) == 0:
        return np.empty(0, object), np.empty(0, np.int64)
    if not type_.is_nested:
        words, codes = np.unique(given, return_inverse=True)
        return words, codes.astype(np.int64)
    listed = given.tolist()
    ordered = sorted(set(listed), key=order)
    place = {word: i for i, word in enumerate(ordered)}
    return objects(ordered), np.fromiter((place[word] for word in listed), np.int64, len(listed))


def constant(value: Value, type_: Type, length: int) -> ColumnVector:
    """A column that has one value in every row."""
    if value is None:
        return ColumnVector(type_, np.zeros(length, dtype_of(type_)), np.zeros(length, np.bool_), no_words(type_))
    if is_coded(type_):
        return ColumnVector(type_, np.zeros(length, np.int64), None, objects([value]))
    return ColumnVector(type_, np.full(length, _numbers([value], type_)[0], dtype_of(type_)))


def no_words(type_: Type) -> Array | None:
    """The words of a column whose values are never read."""
    return objects([_no_word(type_)]) if is_coded(type_) else None


def unified(columns: Sequence[ColumnVector]) -> list[ColumnVector]:
    """The same columns; text columns get one common list of words, so that their codes can be compared."""
    if columns[0].words is None or all(column.words is columns[0].words for column in columns):
        return list(columns)
    type_ = columns[0].type
    words, positions = _unique(np.concatenate([c.words for c in columns if c.words is not None]), type_)
    recoded, offset = [], 0
    for column in columns:
        assert column.words is not None
        lookup = positions[offset : offset + len(column.words)]
        offset += len(column.words)
        codes = lookup[column.values] if len(lookup) else column.values
        codes = codes if column.valid is None else np.where(column.valid, codes, 0)
        recoded.append(ColumnVector(type_, codes, column.valid, words))
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
