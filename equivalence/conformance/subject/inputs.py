"""What an engine is given, in the forms it may come in; and whether it is the same afterwards."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, TypeVar

import numpy as np

from equivalence.verdicts.fault_kind import Fault, FaultKind
from physical.columns.column import ColumnVector
from physical.columns.stream import PhysicalStream
from semantics import Interval, IntervalStream, RawStream, Stream, Type

S = TypeVar("S", RawStream, IntervalStream)
Inputs = Mapping[str, Stream | PhysicalStream]


def columns(stream: Stream) -> PhysicalStream:
    """The stream in columns, in which every other zero has a negative sign: it is the same stream all the same."""
    whole = PhysicalStream.of(stream)
    return whole.with_columns(whole.schema, [_signed(column) for column in whole.columns])


def _signed(column: ColumnVector) -> ColumnVector:
    if column.type is not Type.FLOAT:
        return column
    negative = (column.values == 0) & (np.arange(len(column)) % 2 == 0) & column.mask()
    return ColumnVector(column.type, np.where(negative, -0.0, column.values), column.valid)


def check_unchanged(before: Inputs, after: Inputs) -> None:
    """Are the inputs what they were before the engine had them?"""
    if list(before) != list(after):
        raise Fault(FaultKind.CHANGES_INPUTS, f"the sources were {', '.join(before)}, now {', '.join(after) or 'none'}")
    changed = [name for name in before if not _same(before[name], after[name])]
    if changed:
        raise Fault(FaultKind.CHANGES_INPUTS, f"stream {changed[0]} is not what it was")


def copied(inputs: Inputs) -> Inputs:
    """A copy of the inputs that shares nothing with them that could be changed."""
    return {
        name: _copy(stream) if isinstance(stream, PhysicalStream) else _twin(stream) for name, stream in inputs.items()
    }


def _copy(stream: PhysicalStream) -> PhysicalStream:
    return PhysicalStream(stream.schema, tuple(map(deepcopy, stream.columns)), stream.start.copy(), stream.end.copy())


def _twin(stream: Stream) -> Stream:
    """Another stream of the same elements; rows and times cannot be changed, intervals only by force."""
    match stream:
        case RawStream(elements=elements):
            return _made(stream, elements)
        case IntervalStream(elements=elements):
            return _made(stream, tuple([(row, Interval(i.start, i.end)) for row, i in elements]))
        case _:
            return deepcopy(stream)


def _made(stream: S, elements: object) -> S:
    """A stream as if it were made anew, without looking at its elements again."""
    twin = object.__new__(type(stream))
    object.__setattr__(twin, "schema", stream.schema)
    object.__setattr__(twin, "elements", elements)
    return twin


def _same(before: object, after: object) -> bool:
    if isinstance(before, PhysicalStream) and isinstance(after, PhysicalStream):
        arrays = zip(_arrays(before), _arrays(after), strict=True)
        return all(np.array_equal(a, b, equal_nan=a.dtype.kind == "f") for a, b in arrays)
    return before == after


def _arrays(stream: PhysicalStream) -> list[Any]:
    return [stream.start, stream.end, *(c.values for c in stream.columns), *(c.mask() for c in stream.columns)]
