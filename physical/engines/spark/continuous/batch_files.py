"""The files of a batch, from Spark's checkpoint: every one must be read.

Spark writes down which files a batch has, and looks for them again when it reads them. It silently passes over a file
that is gone or empty by then, and never returns to it. So each file is looked at here before its batch is computed: it
must be there, must have content, and must not have changed since before Spark looked. Otherwise nothing is committed.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pyspark.sql import SparkSession

from physical.engines.spark.continuous.stored_files import Files, FileStamp, files_at, here, is_remote
from physical.files.errors import FileError
from semantics import SnapeqError

OFFSETS_VERSION: Final = "v1"
LINES_BEFORE_OFFSETS: Final = 2
"""The version and the settings of a batch precede the offset of each source."""
UNSEEN: Final = FileStamp(-1, -1)
"""The stamp of a file that cannot be looked at from here: it is taken for granted."""
COMPLETE: Final = "a complete file under the same name, moved there by renaming; then the same command goes on"


@dataclass(frozen=True)
class BatchFile:
    """A file of a batch: the number of its source, and when it was changed last as Spark found it."""

    source: int
    url: str
    modified: int


def files_of_batch(files: Files, checkpoint: str, number: int) -> list[BatchFile]:
    """The files that Spark has written down for a batch."""
    log = f"{checkpoint}/offsets/{number}"
    written = files.text(log)
    if written is None:
        raise SnapeqError(f"continuous: {log} must say which files the batch has, but it is not there")
    before, after = _offsets(files.text(f"{checkpoint}/offsets/{number - 1}")), _offsets(written)
    found = []
    for source, last in after.items():
        for entry in range(before.get(source, -1) + 1, last + 1):
            found += list(_entries(files, f"{checkpoint}/sources/{source}", entry, source))
    return found


def uncommitted_batch(files: Files, checkpoint: str) -> int | None:
    """The batch that was begun and not committed, and will be repeated; None if there is none."""
    begun, done = (_numbers(files.names(f"{checkpoint}/{kind}")) for kind in ("offsets", "commits"))
    return begun[-1] if begun and begun[-1:] != done[-1:] else None


def _numbers(names: Sequence[str]) -> list[int]:
    return sorted(int(name) for name in names if name.isdigit())


def _offsets(text: str | None) -> dict[int, int]:
    """How far each source of files has come; other kinds of sources are not there."""
    lines = (text or OFFSETS_VERSION).splitlines()
    if lines[0] != OFFSETS_VERSION:
        raise SnapeqError(f"continuous: Spark's checkpoint must have version {OFFSETS_VERSION}, got {lines[0]}")
    read = {source: json.loads(line) for source, line in enumerate(lines[LINES_BEFORE_OFFSETS:]) if line != "-"}
    return {n: offset["logOffset"] for n, offset in read.items() if isinstance(offset, dict) and "logOffset" in offset}


def _entries(files: Files, log: str, entry: int, source: int) -> Iterator[BatchFile]:
    """The files of one entry of a log; from time to time Spark writes all entries so far into one file."""
    text = files.text(f"{log}/{entry}") or files.text(f"{log}/{entry}.compact")
    if text is None:
        raise SnapeqError(f"continuous: {log} must say which files came as number {entry}, but it does not")
    for line in text.splitlines()[1:]:
        file = json.loads(line)
        if file["batchId"] == entry:
            yield BatchFile(source, file["path"], file["timestamp"])


@dataclass(frozen=True)
class FileGuard:
    """Sees to it that no file of a batch is passed over; or counts the files that are, if that is wanted."""

    streams: tuple[str, ...] = ()
    """The names of the streams, in the order of Spark's sources."""
    skips: bool = False
    """Are files that are gone or empty left out and counted, and no error?"""
    modified: Mapping[str, int] | None = None
    """When the files of a batch that is repeated were changed last, before the query was started again.

    None if that is not known: then a file that has changed since it came may have been mended.
    """

    def skipped(self, spark: SparkSession, checkpoint: str, number: int) -> dict[str, int]:
        """How many files of each stream are left out of a batch; an error if one must not be."""
        files = files_at(spark, checkpoint)
        found = [] if files is None else files_of_batch(files, checkpoint, number)
        lost = [file for file in found if self._is_lost(file, _stamp(spark, file.url))]
        names = [self._stream(file.source) for file in lost]
        return {name: names.count(name) for name in names}

    def _is_lost(self, file: BatchFile, stamp: FileStamp | None) -> bool:
        if stamp is None or stamp.size == 0:
            if not self.skips:
                problem = "it is gone, but belongs to the next batch" if stamp is None else "it is empty (0 bytes)"
                raise FileError(_shown(file.url), problem, f"{COMPLETE}; --missing-files skip leaves it out")
            return True
        if stamp != UNSEEN and self._has_changed(file, stamp):
            raise FileError(_shown(file.url), "it has changed since it came", COMPLETE)
        return False

    def _has_changed(self, file: BatchFile, stamp: FileStamp) -> bool:
        return self.modified is not None and stamp.modified not in (file.modified, self.modified.get(file.url))

    def _stream(self, source: int) -> str:
        return self.streams[source] if source < len(self.streams) else f"source {source}"


def times_of_repeated(spark: SparkSession, checkpoint: str) -> dict[str, int] | None:
    """When each file of the batch that will be repeated was changed last, as of now; None if files are on a server."""
    files = None if is_remote(spark) else files_at(spark, checkpoint)
    if files is None:
        return None
    number = uncommitted_batch(files, checkpoint)
    if number is None:
        return {}
    stamps = {file.url: _stamp(spark, file.url) for file in files_of_batch(files, checkpoint, number)}
    return {url: stamp.modified for url, stamp in stamps.items() if stamp is not None}


def _stamp(spark: SparkSession, url: str) -> FileStamp | None:
    files = files_at(spark, url)
    return UNSEEN if files is None else files.stamp(url)


def _shown(url: str) -> str:
    return str(here(url)) if url.startswith("file:") else url
