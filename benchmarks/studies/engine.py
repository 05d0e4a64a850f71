"""The contestant under measurement: snapeq's interval engine. Imported only when it runs."""

from typing import Any, assert_never

import numpy as np

from benchmarks.harness.table import Array, Inputs, Table
from benchmarks.harness.work import CanonicalForm, Contestant, DiffFiles, Equivalence, Run, RunFiles, Task
from benchmarks.studies.files import Files, read_csv, written
from semantics import Query, Schema


def prepare(task: Task, inputs: Inputs) -> Contestant:
    """The task over these inputs, held as physical streams."""
    match task:
        case Run(query=query):
            return _running(query, inputs)
        case CanonicalForm(query=query):
            stream = _only(query, inputs)
            return Contestant(lambda: stream.canonical(), _runs)
        case Equivalence(left=left, right=right):
            first, second = _only(left, inputs), _only(right, inputs)
            return Contestant(lambda: first.equivalent(second), bool)
        case RunFiles(query=sql, as_command=as_command):
            return (_running_command if as_command else _running_files)(sql, Files(inputs, "csv"))
        case DiffFiles():
            return _comparing_files(Files(inputs, "parquet"))
        case _:
            assert_never(task)


def _running(query: Query, inputs: Inputs) -> Contestant:
    from physical import run

    streams = {name: _stream(name, schema, inputs) for name, schema in query.plan.sources().items()}
    return Contestant(lambda: run(query.plan, streams), _elements)


def _running_files(sql: str, files: Files) -> Contestant:
    from equivalence.query_files.query_over_files import read_query
    from equivalence.query_files.query_run import QueryRun
    from equivalence.query_files.stream_files import named_files, readers
    from physical.files.writer import results_in_file

    query = read_query(sql)
    found = readers(named_files([f"{name}={files.path(name)}" for name in files.names], query), query)

    def run() -> Any:
        result = files.path("result")
        with results_in_file(result, query.plan.schema) as results:
            QueryRun(query, found).run(results.take)
        return result

    return Contestant(run, read_csv)


def _running_command(sql: str, files: Files) -> Contestant:
    result = files.path("result")
    streams = [part for name in files.names for part in ("--stream", f"{name}={files.path(name)}")]
    call = ["-m", "snapeq", "run", sql, *streams, "--out", str(result)]
    return Contestant(lambda: (written(result, call), files)[0], read_csv)


def _comparing_files(files: Files) -> Contestant:
    from equivalence.query_files.compare_files import compare_files

    return Contestant(lambda: compare_files(files.path("A"), files.path("B")), lambda found: found is None)


def _stream(name: str, schema: Schema, inputs: Inputs) -> Any:
    from physical.columns.column import ColumnVector
    from physical.columns.stream import PhysicalStream

    table = inputs[name]
    columns = [ColumnVector(c.type, np.ascontiguousarray(table.columns[c.name])) for c in schema.columns]
    return PhysicalStream(schema, tuple(columns), table.start, table.end)


def _only(query: Query, inputs: Inputs) -> Any:
    ((name, schema),) = query.plan.sources().items()
    return _stream(name, schema, inputs)


def _columns(stream: Any) -> dict[str, Array]:
    """The columns by name; NULL, which only outer joins make here, as a value that no generator draws."""
    columns = zip(stream.schema.names, stream.columns, strict=True)
    return {name: np.where(column.mask(), column.values, NULL) for name, column in columns}


NULL = -1
"""Stands for NULL when answers are compared; generated values are never negative."""


def _elements(stream: Any) -> Table:
    return Table.once(_columns(stream), stream.start, stream.end)


def _runs(canonical: Any) -> Table:
    """Each run of the canonical form as one fact."""
    runs = canonical.runs
    return Table.facts({**_columns(runs), "start": runs.start, "end": runs.end, "count": canonical.count})
