"""Files, folders and tables as frames."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from physical.columns.stream import PhysicalStream
from physical.engines.spark.decode_dataframe import frame_of, type_from_spark
from physical.engines.spark.dialect import SPARK, Dialect
from physical.engines.spark.errors import readable_errors
from physical.engines.spark.frame import Frame, spark_schema
from physical.engines.spark.worker_tasks import Batches, failing_readably
from physical.files.counted import counted_schema
from physical.files.errors import FileError
from physical.files.formats import Format, format_of
from physical.files.infer import Types, inferred
from physical.files.layout import COUNT, END, START, Layout
from physical.files.reader import FileReader
from semantics import Type

SPARK_FORMATS: Final = ("parquet", "orc", "csv", "json")
READ_OPTIONS: Final[dict[str, dict[str, bool | str]]] = {
    "csv": {"header": True, "inferSchema": False, "enforceSchema": False, "multiLine": True, "escape": '"'},
    "json": {"primitivesAsString": True, "mode": "FAILFAST"},
}


def frame_at(spark: SparkSession, address: str, layout: Layout, dialect: Dialect = SPARK) -> Frame:
    """The stream at an address: a file, a folder of files of one format, `table:NAME`, or `FORMAT:URL` for Spark."""
    if is_here(address):
        return _from_files(spark, files_at(Path(address)), layout, address, dialect)
    with readable_errors():
        return frame_of(loaded(spark, address), layout, address)


def is_here(address: str) -> bool:
    """Is this a file or a folder of this machine, and not an address for Spark?"""
    return address.partition(":")[0] not in ("table", *SPARK_FORMATS)


def inferred_at(spark: SparkSession, address: str) -> Types:
    """The columns of a result other than times and count; None where no value shows the type."""
    if is_here(address):
        found: Types = {}
        for file in files_at(Path(address)):
            for name, type_ in inferred(file).items():
                found[name] = found.get(name) or type_
        return found
    with readable_errors():
        fields = loaded(spark, address).schema.fields
    return {
        field.name: type_from_spark(field.dataType) or Type.STR
        for field in fields
        if field.name not in (START, END, COUNT)
    }


def loaded(spark: SparkSession, address: str) -> DataFrame:
    """The data at an address; text is read as text, because Spark would make NULL of a value that does not fit."""
    kind, _, url = address.partition(":")
    return (
        spark.table(url) if kind == "table" else spark.read.format(kind).options(**READ_OPTIONS.get(kind, {})).load(url)
    )


def files_at(path: Path) -> list[Path]:
    """The file itself, or all files in a folder and below it, all of one format."""
    if not path.exists():
        raise FileError(path, "there is no such file or folder", "a file, a folder, table:NAME or FORMAT:URL")
    if path.is_file():
        format_of(path)
        return [path]
    inside = [file.relative_to(path) for file in sorted(path.rglob("*")) if file.is_file()]
    found = [path / file for file in inside if not any(part.startswith((".", "_")) for part in file.parts)]
    if not found:
        raise FileError(path, "there is no file in this folder", "CSV, JSON Lines, Parquet or Arrow files")
    formats = {format_of(file): file for file in found}
    if len(formats) > 1:
        raise FileError(path, f"there are files of {len(formats)} formats", "files of one format in a folder")
    return found


def _from_files(spark: SparkSession, files: list[Path], layout: Layout, address: str, dialect: Dialect) -> Frame:
    if format_of(files[0]) is Format.PARQUET:
        return _from_parquet(spark, files, layout, address)
    return _by_own_readers(spark, files, layout, dialect)


def _from_parquet(spark: SparkSession, files: list[Path], layout: Layout, address: str) -> Frame:
    """Columns that files do not have may be in the names of their folders, like `day=2026-01-01`."""
    columns = {file: _columns(file) for file in _with_rows(files)}
    _check_drift(columns)
    reader = spark.read
    if Path(address).is_dir() and not {*layout.names} <= {*columns[next(iter(columns))]}:
        reader = reader.option("basePath", address)
    with readable_errors():
        return frame_of(reader.parquet(*map(literal_path, columns)), layout, address)


def literal_path(file: Path | str) -> str:
    r"""The path for Spark, which would take some characters of it for a pattern.

    >>> print(literal_path(Path("/bids/hour=2026-01-01 00%3A00/a[1].parquet")))
    /bids/hour=2026-01-01 00%3A00/a\[1\].parquet
    """
    return re.sub(r"([][{}*?\\])", r"\\\1", str(file))


def _with_rows(files: list[Path]) -> list[Path]:
    """Those that have rows: where none shows its type, a column of an empty file has any. One file is always left."""
    return [file for file in files if _footer(file).num_rows] or files[:1]


def _check_drift(columns: Mapping[Path, Mapping[str, str]]) -> None:
    """Raise an error unless all files have the same columns."""
    (usual, first), *others = columns.items()
    for file, there in others:
        changed = sorted(name for name in {*first, *there} if first.get(name) != there.get(name))
        if changed:
            name = changed[0]
            problem = f"column {name} is {there.get(name, 'not there')}, but {first.get(name, 'not there')} in {usual}"
            raise FileError(file, problem, "the same columns in all files of a folder")


def _columns(path: Path) -> dict[str, str]:
    return {field.name: str(field.type) for field in _footer(path).schema.to_arrow_schema()}


def _footer(path: Path) -> Any:
    from pyarrow.parquet import read_metadata

    try:
        return read_metadata(path)
    except pa.ArrowException as error:
        raise FileError(path, f"it cannot be read: {str(error).splitlines()[0]}", "a Parquet file") from None


@dataclass(frozen=True)
class OwnReader:
    """Reads files in a worker, with the same readers and messages as on one machine."""

    layout: Layout

    def __call__(self, batches: Batches) -> Batches:
        return failing_readably(self._run, batches)

    def _run(self, batches: Batches) -> Batches:
        from physical.engines.spark.frame import to_table
        from physical.files.counted import counted

        for batch in batches:
            for path in batch.column(0).to_pylist():
                reader = FileReader(Path(path), self.layout)
                read = counted(reader, ordered=False) if self.layout.count else _elements(reader)
                for part in read:
                    yield from to_table(part).to_batches(1 << 17)


def _elements(reader: FileReader) -> Iterator[PhysicalStream]:
    return (batch.elements for batch in reader.batches(ordered=False))


def _by_own_readers(spark: SparkSession, files: list[Path], layout: Layout, dialect: Dialect) -> Frame:
    numbered = [(str(file.resolve()), number) for number, file in enumerate(files)]
    paths = spark.createDataFrame(numbered, "path string, number int")
    if dialect.numbers_partitions:
        paths = paths.repartitionById(len(files), f.col("number"))
    else:
        paths = paths.repartition(len(files))
    return by_own_readers(paths.select("path"), layout)


def by_own_readers(paths: DataFrame, layout: Layout) -> Frame:
    """The contents of local files of any format; their paths are the only column of a DataFrame."""
    schema = counted_schema(layout.schema) if layout.count else layout.schema
    data = paths.mapInArrow(OwnReader(layout), spark_schema(schema))
    return Frame(data, schema, chronons=layout.start is not None and layout.end is None)
