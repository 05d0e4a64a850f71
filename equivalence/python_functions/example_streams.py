"""Examples of what a function takes: they are cases, and declare streams that the query does not."""

from collections.abc import Mapping
from typing import Any, Final

import pyarrow as pa

from equivalence.programs.program_inputs import milliseconds_of
from equivalence.python_functions.python_values import UnfitValue, instant_of, value_of
from equivalence.python_functions.row_kinds import Records, kind_of_data, records
from equivalence.query_files.query_over_files import QueryOverFiles, is_sql, read_query
from equivalence.query_files.stream_files import layout
from physical.files.layout import COUNT, END, START, Layout
from semantics import Column, Interval, IntervalStream, RawStream, Schema, SnapeqError, Stream, Type
from semantics.constraint import ALWAYS
from semantics.sql import Catalogue, Declaration
from semantics.sql.errors import SqlError
from semantics.sql.script import declared_names, parse_script

_TYPES: Final = (
    (pa.types.is_boolean, Type.BOOL),
    (pa.types.is_integer, Type.INT),
    (pa.types.is_floating, Type.FLOAT),
    (pa.types.is_string, Type.STR),
    (pa.types.is_large_string, Type.STR),
)


def query_over_examples(sql: str, examples: Mapping[str, Any], time: str | None) -> QueryOverFiles:
    """The query; streams that it does not declare are declared by their examples."""
    if not is_sql(sql):
        return read_query(sql)
    known = Catalogue()
    declared = {name.lower() for name in declared_names(sql)}
    for name, data in examples.items():
        if name.lower() not in declared:
            known.add(_declaration(name, data, time))
    try:
        script = parse_script(sql, known)
    except SqlError as error:
        raise SnapeqError(f"query: {error}") from None
    return QueryOverFiles(script.plan, script.catalogue)


def example_case(query: QueryOverFiles, examples: Mapping[str, Any]) -> dict[str, Stream]:
    """The streams of the examples, if there is one for each source of the query."""
    by_name = {name.lower(): data for name, data in examples.items()}
    unknown = by_name.keys() - {source.name.lower() for source in query.sources}
    if unknown:
        sources = ", ".join(source.name for source in query.sources)
        raise SnapeqError(f"streams: the query does not use {min(unknown)}; expected some of: {sources}")
    if len(by_name) < len(query.sources):
        return {}
    found = {source.name: _collected(by_name[source.name.lower()]) for source in query.sources}
    return {name: _stream(name, records(data), query) for name, data in found.items()}


def _collected(data: Any) -> Any:
    return data.collect() if kind_of_data(data) == "polars-lazy" else data


def _declaration(name: str, data: Any, time: str | None) -> Declaration:
    """What the columns of an example say about a stream."""
    table = _table(name, _collected(data))
    if not table.num_columns:
        raise SnapeqError(f"streams: the example of {name} has no rows, so it declares nothing; expected CREATE STREAM")
    types = dict(zip(table.column_names, table.schema.types, strict=True))
    valid = (START, END) if {START, END} <= types.keys() else None
    ordered = None if valid else _time_column(name, types, time)
    apart = {*(valid or ()), ordered, COUNT}
    columns = [Column(column, _type(name, column, kind)) for column, kind in types.items() if column not in apart]
    moments = tuple(c for c in (*(valid or ()), ordered) if c is not None and pa.types.is_timestamp(types[c]))
    return Declaration(name, Schema(tuple(columns)), tuple(types), ordered, valid, timestamps=moments)


def _table(name: str, data: Any) -> pa.Table:
    try:
        match kind_of_data(data):
            case "pandas" | "pandas-nullable":
                return pa.Table.from_pandas(data, preserve_index=False)
            case "polars":
                return data.to_arrow()
            case "arrow":
                return pa.table(data)
        return pa.Table.from_pylist([dict(row) for row in records(data).rows])
    except pa.ArrowException as error:
        raise SnapeqError(f"streams: the columns of {name} have no one type: {str(error).splitlines()[0]}") from None


def _time_column(name: str, types: Mapping[str, pa.DataType], time: str | None) -> str:
    if time in types:
        return str(time)
    moments = [column for column, kind in types.items() if pa.types.is_timestamp(kind)]
    if len(moments) == 1:
        return moments[0]
    remedy = f"say which column it is (time=…), or declare it: CREATE STREAM {name}(…) ORDERED BY …"
    raise SnapeqError(f"streams: the example of {name} does not tell its time; {remedy}; there are: {', '.join(types)}")


def _type(name: str, column: str, kind: pa.DataType) -> Type:
    found = next((ours for fits, ours in _TYPES if fits(kind)), None)
    if found is None:
        raise SnapeqError(
            f"streams: column {column} of {name} is {kind}, which tells no type; declare it: CREATE STREAM"
        )
    return found


def _stream(name: str, rows: Records, query: QueryOverFiles) -> Stream:
    wanted = layout(name, query)
    elements = []
    for number, row in enumerate(rows.rows, 1):
        try:
            values = tuple(
                value_of(row[column.name], column.type, rows.nan_is_null) for column in wanted.schema.columns
            )
            elements.append((values, _valid(row, wanted, milliseconds_of(query))))
        except (UnfitValue, KeyError) as error:
            problem = f"it has no column {error}" if isinstance(error, KeyError) else error
            raise SnapeqError(f"streams: row {number} of {name}: {problem}") from None
    elements.sort(key=lambda element: element[1].start)
    if wanted.start is not None and wanted.end is None:
        return RawStream(wanted.schema, [(values, valid.start) for values, valid in elements])
    return IntervalStream(wanted.schema, elements)


def _valid(row: Mapping[str, Any], wanted: Layout, milliseconds: int) -> Interval:
    if wanted.start is None:
        return ALWAYS
    start = int(instant_of(row[wanted.start], milliseconds))
    return Interval(start, start + 1 if wanted.end is None else instant_of(row[wanted.end], milliseconds, endless=True))
