"""Arrow's arrays from and to numpy's, by their buffers.

pyarrow's own conversions load pandas, where it is installed, or pyarrow.compute. Loading either takes longer than
reading most files, so we read the buffers ourselves.
"""

from typing import Any, Final

import numpy as np
import pyarrow as pa

from physical.kernels.types import Array, Bools

WORDS_WORTH_PANDAS: Final = 1 << 18
"""From this many words on, converting them here takes longer than loading pandas."""


def numbers(array: pa.Array) -> Array:
    """Numbers or truth values, 0 where there is NULL. Numbers without NULL are not copied."""
    if pa.types.is_boolean(array.type):
        return _flags(array, 1) & validity(array)
    if not array.null_count:
        return np.from_dlpack(array)
    slots = pa.Array.from_buffers(array.type, len(array), [None, array.buffers()[1]], offset=array.offset)
    return np.where(validity(array), np.from_dlpack(slots), 0)


def validity(array: pa.Array) -> Bools:
    """Where there is a value and no NULL."""
    return _flags(array, 0) if array.null_count else np.ones(len(array), np.bool_)


def texts(array: pa.Array) -> Array:
    """Words as Python strings."""
    return np.array(array.to_pylist(), object)


def from_numbers(values: Array, valid: Bools | None = None) -> pa.Array:
    """An Arrow array of numbers or truth values, with a mask if some are NULL."""
    known = None if valid is None else _bits(valid)
    slots = _bits(values) if values.dtype == np.bool_ else pa.py_buffer(np.ascontiguousarray(values))
    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), [known, slots])


def from_texts(words: Array) -> pa.Array:
    """Words as an Arrow array."""
    if len(words) > WORDS_WORTH_PANDAS:
        return pa.array(words, pa.string())
    encoded = [word.encode() for word in words]
    offsets = np.cumsum([0, *map(len, encoded)], dtype=np.int32)
    return pa.StringArray.from_buffers(len(words), pa.py_buffer(offsets), pa.py_buffer(b"".join(encoded)))


def as_type(array: Any, wanted: Any) -> Any:
    """The same values in another type."""
    return array if array.type == wanted else array.cast(wanted)


def _flags(array: pa.Array, buffer: int) -> Bools:
    """A buffer with one bit for every value, as truth values."""
    if not len(array):
        return np.empty(0, np.bool_)
    bits = np.frombuffer(array.buffers()[buffer], np.uint8)
    until = array.offset + len(array)
    return np.unpackbits(bits, count=until, bitorder="little")[array.offset :].view(np.bool_)


def _bits(values: Bools) -> Any:
    return pa.py_buffer(np.packbits(values, bitorder="little"))
