"""The results of many batches as one: fewer files, and intervals that were cut at watermarks in one piece again.

A reader never sees a row twice, whenever it looks and whenever the process is killed. What is merged waits in a folder
that readers pass over. It has its final name there as soon as it is complete. Then the old folders go, one by one, and
only then it comes into their place. So for a moment old results may be missing; what was begun is completed at the next
start. Only batches that Spark has committed take part, because others may be written again.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pyspark.sql import SparkSession
from pyspark.sql import functions as f

from physical.engines.spark.canonical_jobs import canonical_of_counted
from physical.engines.spark.continuous.sink import ROWS_PER_FILE, FolderSink
from physical.engines.spark.continuous.stored_files import Files, files_at
from physical.engines.spark.exchange import Spread
from physical.engines.spark.frame import END, START, Frame, names
from physical.engines.spark.read import literal_path
from physical.files.counted import counted_schema
from physical.kernels.types import ENDLESS
from semantics import Unsupported

BATCH_FOLDER: Final = re.compile(r"batch-(\d+)(?:-(\d+))?")
WRITING: Final = "writing"
OLD: Final = "old"


@dataclass(frozen=True, order=True)
class BatchFolder:
    """A folder with the results of some batches, from the first to the last.

    >>> [BatchFolder.named(name) for name in ("batch-000000007", "batch-000000000-000000499", "_query")]
    [BatchFolder(first=7, last=7), BatchFolder(first=0, last=499), None]
    """

    first: int
    last: int

    @classmethod
    def named(cls, name: str) -> "BatchFolder | None":
        found = BATCH_FOLDER.fullmatch(name)
        return None if found is None else cls(int(found[1]), int(found[2] or found[1]))

    @property
    def name(self) -> str:
        return f"batch-{self.first:09d}" if self.first == self.last else f"batch-{self.first:09d}-{self.last:09d}"

    def holds(self, other: "BatchFolder") -> bool:
        return self.first <= other.first and other.last <= self.last


def compact(spark: SparkSession, sink: FolderSink, partitions: int) -> int:
    """Merge the results of all committed batches; returns how many folders became one, 0 if there is nothing to do."""
    files = _files(spark, sink)
    if sink.changelog:
        raise Unsupported("continuous: a log of changes is not compacted, because its files are in the order of time")
    complete_compaction(spark, sink)
    folders = [one for one in _folders(files, sink.folder) if one.last <= _last_committed(files, sink)]
    if len(folders) < 2:
        return 0
    _write(spark, sink, folders, partitions)
    merged = BatchFolder(folders[0].first, folders[-1].last)
    files.move(f"{_room(sink)}/{WRITING}", f"{_room(sink)}/{merged.name}")
    complete_compaction(spark, sink)
    return len(folders)


def complete_compaction(spark: SparkSession, sink: FolderSink) -> None:
    """Complete what was begun, if anything was; what is not complete is thrown away, and nothing has changed."""
    files = files_at(spark, sink.folder)
    if files is None or not files.names(_room(sink)):
        return
    for merged in _folders(files, _room(sink)):
        for one in _folders(files, sink.folder):
            if merged.holds(one):
                files.move(f"{sink.folder}/{one.name}", f"{_room(sink)}/{OLD}-{one.name}")
        files.move(f"{_room(sink)}/{merged.name}", f"{sink.folder}/{merged.name}")
    files.remove(_room(sink))


def _write(spark: SparkSession, sink: FolderSink, folders: Sequence[BatchFolder], partitions: int) -> None:
    paths = [f"{literal_path(sink.folder)}/{one.name}" for one in folders]
    called, schema = names(counted_schema(sink.schema)), counted_schema(sink.schema)
    found = spark.read.schema(sink.columns()).parquet(*paths).toDF(*called[:-1], START, END, called[-1])
    frame = Frame(found.withColumn(END, f.coalesce(END, f.lit(ENDLESS))), schema)
    runs = canonical_of_counted(frame, Spread(partitions, heaviest=None)).data
    end = f.when(f.col(END) != ENDLESS, f.col(END)).alias(END)
    rows = runs.select(*called[:-1], START, end, called[-1]).toDF(*sink.columns().names)
    ordered = rows.coalesce(1).sortWithinPartitions(START).write.option("maxRecordsPerFile", ROWS_PER_FILE)
    ordered.mode("overwrite").parquet(f"{_room(sink)}/{WRITING}")


def _files(spark: SparkSession, sink: FolderSink) -> Files:
    found = files_at(spark, sink.folder)
    if found is None:
        raise Unsupported("continuous: results on a server are not compacted through a remote session")
    return found


def _folders(files: Files, folder: str) -> list[BatchFolder]:
    """The folders of batches in the order of their numbers."""
    return sorted(one for name in files.names(folder) if (one := BatchFolder.named(name)) is not None)


def _last_committed(files: Files, sink: FolderSink) -> int:
    numbers = [int(name) for name in files.names(f"{sink.checkpoint}/commits") if name.isdigit()]
    return max(numbers, default=-1)


def _room(sink: FolderSink) -> str:
    """Readers pass over names that begin like this."""
    return f"{sink.folder}/_compaction"
