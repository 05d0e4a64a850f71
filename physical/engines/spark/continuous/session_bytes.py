"""The state of a running session as bytes, so that it can resume in another process after a batch.

Elements are written as Arrow tables, operator by operator in a fixed order; times and counts are in the metadata.
"""

import json
from collections.abc import Iterator
from typing import Final

import numpy as np
import pyarrow as pa

from physical.columns.stream import PhysicalStream, joined
from physical.engines.interval.count_window import IntervalCountWindow
from physical.engines.interval.join import IntervalEquijoin, IntervalJoin
from physical.engines.interval.operator import IntervalOperator, OrderingOperator, StatelessOperator
from physical.engines.interval.over import IntervalOver
from physical.engines.interval.session import Session
from physical.engines.interval.session_window import IntervalSessionWindow
from physical.engines.interval.slice_by_slice import SlicedOperator
from physical.engines.spark.continuous.packed_rows import read, written
from physical.engines.spark.frame import from_batches, to_table
from physical.join_index.list_area import ListArea
from physical.runtime.entrance import Entrance

METADATA_KEY: Final = b"snapeq"
GIVEN: Final = "given"
"""Whether a row is out that OVER still needs."""
OCCURRENCE_COLUMNS: Final = ("number", "enter", "leave")
"""What a count window stores for every occurrence besides its row and its time."""


def remembered(session: Session) -> bytes:
    """The state of the session, operators in the order in which they were made."""
    operators = _operators(session)
    tables = [to_table(entrance.waiting) for entrance in session.entrances.values()]
    tables += [table for operator in operators for table in _held(operator)]
    about = {
        "entrances": [[entrance.latest, entrance.promised, entrance.late] for entrance in session.entrances.values()],
        "operators": [[operator.port_watermarks, operator.progress] for operator in operators],
    }
    pieces = pa.array([written(table) for table in tables], pa.binary())
    return written(pa.table({"piece": pieces}).replace_schema_metadata({METADATA_KEY: json.dumps(about).encode()}))


def restore(session: Session, memory: bytes) -> None:
    """Give a new session of the same plan the state of another one."""
    whole = read(memory)
    about = json.loads(whole.schema.metadata[METADATA_KEY])
    pieces = (read(piece.as_buffer()) for piece in whole.column("piece"))
    for entrance, numbers in zip(session.entrances.values(), about["entrances"], strict=True):
        _fill_entrance(entrance, next(pieces), *numbers)
    for operator, (port_watermarks, progress) in zip(_operators(session), about["operators"], strict=True):
        operator.port_watermarks, operator.progress = list(port_watermarks), progress
        _fill(operator, pieces)


def _operators(session: Session) -> list[IntervalOperator]:
    return [operator for operator in session.operators if isinstance(operator, IntervalOperator)]


def _held(operator: IntervalOperator) -> list[pa.Table]:
    match operator:
        case IntervalCountWindow():
            return [to_table(operator.waiting), _numbered(operator)]
        case IntervalSessionWindow():
            return [to_table(joined(operator.waiting))]
        case IntervalOver():
            return [to_table(joined(operator.waiting)), _with_given(operator)]
        case SlicedOperator():
            return _parts(operator)
        case _:
            return [to_table(stream) for stream in operator.held()]


def _parts(operator: SlicedOperator) -> list[pa.Table]:
    return [pa.concat_tables([to_table(batch) for batch in batches]) for batches in operator.waiting]


def _numbered(operator: IntervalCountWindow) -> pa.Table:
    last = operator.last
    table = to_table(last.rows)
    for name, numbers in zip(OCCURRENCE_COLUMNS, (last.number, last.enter, last.leave), strict=True):
        table = table.append_column(name, pa.array(numbers))
    return table


def _with_given(operator: IntervalOver) -> pa.Table:
    return to_table(operator.known).append_column(GIVEN, pa.array(operator.given))


def _fill(operator: IntervalOperator, pieces: Iterator[pa.Table]) -> None:
    """Fill the operator from as many pieces as it had written."""
    match operator:
        case StatelessOperator():
            pass
        case SlicedOperator():
            operator.waiting = [[from_batches(next(pieces), schema)] for schema in operator.inputs]
            operator.fresh = sum(len(batch) for (batch,) in operator.waiting)
        case IntervalCountWindow():
            operator.waiting = from_batches(next(pieces), operator.schema)
            _fill_window(operator, next(pieces))
        case IntervalSessionWindow():
            operator.waiting = [PhysicalStream.empty(operator.inputs[0])]
            operator.accept(from_batches(next(pieces), operator.inputs[0]), 0)
        case IntervalOver():
            operator.waiting = [from_batches(next(pieces), operator.inputs[0])]
            operator.fresh = len(operator.waiting[0])
            _fill_known(operator, next(pieces))
        case IntervalJoin():
            _fill_join(operator, pieces)
        case OrderingOperator():
            operator.waiting = from_batches(next(pieces), operator.schema)
        case _:
            raise TypeError(f"{operator.name}: there is no code that saves its state")


def _fill_window(operator: IntervalCountWindow, table: pa.Table) -> None:
    last = operator.last
    last.rows = from_batches(table, operator.schema)
    last.number, last.enter, last.leave = (np.array(table.column(name)) for name in OCCURRENCE_COLUMNS)


def _fill_known(operator: IntervalOver, table: pa.Table) -> None:
    operator.known = from_batches(table, operator.inputs[0])
    operator.given = np.array(table.column(GIVEN), np.bool_)


def _fill_join(operator: IntervalJoin, pieces: Iterator[pa.Table]) -> None:
    for area, schema in zip(operator.areas, operator.inputs, strict=True):
        assert isinstance(area, ListArea)
        area.elements = from_batches(next(pieces), schema)
        area.forget_index()
    operator.results = from_batches(next(pieces), operator.schema)
    if isinstance(operator, IntervalEquijoin):
        operator.waiting = tuple(from_batches(next(pieces), schema) for schema in operator.inputs)


def _fill_entrance(entrance: Entrance, table: pa.Table, latest: int, promised: int, late: int) -> None:
    entrance.waiting = from_batches(table, entrance.schema)
    entrance.pushes = np.zeros(len(entrance.waiting), np.int64)
    entrance.latest, entrance.promised, entrance.late = latest, promised, late
