"""What an engine gave back, as elements: a stream of ours, an Arrow table, or anything that yields elements."""

from collections.abc import Iterable, Iterator
from itertools import islice, pairwise
from typing import Any, Final

import numpy as np
import pyarrow as pa

from equivalence.verdicts.fault_kind import Fault, FaultKind
from physical.columns.arrow import END, START, table_stream
from physical.columns.column import rows
from physical.columns.stream import PhysicalStream
from physical.kernels.types import ENDLESS
from semantics import FOREVER, Interval, IntervalStream, LogicalStream, RawStream, Row, Schema, SnapeqError
from semantics.evaluate import Snapshots
from semantics.multiset import Multiset
from semantics.value import brief

MOST_ELEMENTS: Final = 100_000
"""A result of a generated case never has nearly as many: an engine that yields more is taken to yield for ever."""

Element = tuple[Row, int, float]
"""A row, its start and its end."""


def elements(result: object, schema: Schema) -> list[Element]:
    """The elements of a result; raises a Fault that names what is wrong with it."""
    match result:
        case PhysicalStream():
            return _of_stream(result, schema)
        case RawStream() | IntervalStream() | LogicalStream():
            return _of_stream(PhysicalStream.of(result), schema)
        case pa.Table():
            return _of_stream(_from_table(result), schema)
        case Iterable():
            return _in_order(_rows(result, schema))
        case _:
            raise Fault(FaultKind.WRONG_SCHEMA, f"the result must be a stream, got {brief(result)}")


def before(found: list[Element], horizon: int) -> list[Element]:
    """The part of a result that lies before a horizon."""
    return [(row, start, min(end, horizon)) for row, start, end in found if start < horizon]


def snapshots(found: list[Element], horizon: int) -> Snapshots:
    """What a result holds at the instants 0 … horizon − 1."""
    held: list[list[Row]] = [[] for _ in range(horizon)]
    for row, start, end in found:
        for t in range(start, int(min(end, horizon))):
            held[t].append(row)
    return tuple([Multiset.sum([(row, 1) for row in present]) for present in held])


def _of_stream(stream: PhysicalStream, schema: Schema) -> list[Element]:
    _check_size(len(stream))
    if stream.schema != schema:
        raise Fault(FaultKind.WRONG_SCHEMA, f"the result must have columns {schema}, got {stream.schema}")
    broken = (stream.start < 0) | (stream.end <= stream.start)
    if broken.any():
        i = int(np.argmax(broken))
        raise Fault(FaultKind.INVALID_INTERVAL, f"element {i} is valid in [{stream.start[i]}, {stream.end[i]})")
    starts = stream.start.tolist()
    _check_order(starts)
    ends = [FOREVER if end == ENDLESS else end for end in stream.end.tolist()]
    found = (schema.row(row, "element") for row in rows(stream.columns))
    return list(zip(found, starts, ends, strict=True))


def _from_table(table: Any) -> PhysicalStream:
    _check_size(table.num_rows)
    try:
        return table_stream(table, START, END)
    except (SnapeqError, pa.ArrowException) as error:
        raise Fault(FaultKind.WRONG_SCHEMA, str(error)) from error


def _rows(result: Iterable[object], schema: Schema) -> Iterator[Element]:
    """Elements one by one: a row with an interval, or with a start and an end."""
    listed = list(islice(result, MOST_ELEMENTS))
    _check_size(len(listed))
    for i, element in enumerate(listed):
        match element:
            case (row, Interval(start=start, end=end)) | (row, start, end):
                yield _row(row, schema, i), *_span(start, end, i)
            case _:
                raise Fault(
                    FaultKind.WRONG_SCHEMA, f"element {i} must be a row with its interval, got {brief(element)}"
                )


def _row(row: Any, schema: Schema, i: int) -> Row:
    try:
        return schema.row(row, f"element {i}")
    except (SnapeqError, TypeError) as error:
        raise Fault(FaultKind.WRONG_SCHEMA, str(error)) from error


def _span(start: object, end: object, i: int) -> tuple[int, float]:
    end = FOREVER if end is None else end
    if not isinstance(start, int) or not isinstance(end, int | float) or not 0 <= start < end:
        raise Fault(FaultKind.INVALID_INTERVAL, f"element {i} is valid in [{brief(start)}, {brief(end)})")
    return start, end


def _in_order(found: Iterator[Element]) -> list[Element]:
    listed = list(found)
    _check_order([start for _, start, _ in listed])
    return listed


def _check_order(starts: list[int]) -> None:
    for i, (before, after) in enumerate(pairwise(starts), 1):
        if after < before:
            raise Fault(FaultKind.UNSORTED_OUTPUT, f"element {i} starts at {after}, the one before it at {before}")


def _check_size(size: int) -> None:
    if size >= MOST_ELEMENTS:
        raise Fault(FaultKind.ENDLESS_OUTPUT, f"the result has {MOST_ELEMENTS:,} elements or more")
