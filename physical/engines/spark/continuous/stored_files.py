"""Files by their URL: looked up by this process if they are on this machine, and by Spark if they are elsewhere."""

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import unquote, urlsplit

from pyspark.sql import SparkSession


@dataclass(frozen=True)
class FileStamp:
    """The size of a file in bytes, and when it was changed, in milliseconds since 1970."""

    size: int
    modified: int


class Files(Protocol):
    """What we ask of a file system; nothing is None or empty if there is no such file."""

    def stamp(self, url: str) -> FileStamp | None: ...

    def text(self, url: str) -> str | None: ...

    def names(self, folder: str) -> list[str]: ...

    def remove(self, folder: str) -> None: ...

    def move(self, folder: str, target: str) -> None:
        """Give a folder another name in the same file system, at once."""


def here(url: str) -> Path:
    """The path of a file on this machine, from its URL or path.

    >>> here("file:///data/a%20b%253A.csv").as_posix(), here("/data/a%20b.csv").as_posix()
    ('/data/a b%3A.csv', '/data/a%20b.csv')
    """
    return Path(unquote(urlsplit(url).path)) if url.startswith("file:") else Path(url)


class FilesHere:
    """Files of this machine."""

    def stamp(self, url: str) -> FileStamp | None:
        try:
            found = here(url).stat()
        except FileNotFoundError:
            return None
        return FileStamp(found.st_size, found.st_mtime_ns // 1_000_000)

    def text(self, url: str) -> str | None:
        try:
            return here(url).read_text()
        except FileNotFoundError:
            return None

    def names(self, folder: str) -> list[str]:
        return sorted(file.name for file in here(folder).iterdir()) if here(folder).is_dir() else []

    def remove(self, folder: str) -> None:
        shutil.rmtree(here(folder), ignore_errors=True)

    def move(self, folder: str, target: str) -> None:
        here(folder).rename(here(target))


class FilesOfSpark:
    """Files of any file system that Spark's Java process knows."""

    def __init__(self, spark: SparkSession) -> None:
        self._java: Any = spark._jvm
        self._settings: Any = spark._jsc.hadoopConfiguration()

    def stamp(self, url: str) -> FileStamp | None:
        path, system = self._at(url)
        if not system.exists(path):
            return None
        found = system.getFileStatus(path)
        return FileStamp(found.getLen(), found.getModificationTime())

    def text(self, url: str) -> str | None:
        path, system = self._at(url)
        if not system.exists(path):
            return None
        stream = system.open(path)
        try:
            return str(self._java.org.apache.commons.io.IOUtils.toString(stream, "UTF-8"))
        finally:
            stream.close()

    def names(self, folder: str) -> list[str]:
        path, system = self._at(folder)
        return sorted(one.getPath().getName() for one in system.listStatus(path)) if system.exists(path) else []

    def remove(self, folder: str) -> None:
        path, system = self._at(folder)
        system.delete(path, True)

    def move(self, folder: str, target: str) -> None:
        path, system = self._at(folder)
        if not system.rename(path, self._at(target)[0]):
            raise OSError(f"{folder} cannot be moved to {target}")

    def is_here(self, folder: str) -> bool:
        """Does Spark look for this path on this machine? A path without a scheme is where Hadoop's default says."""
        path, system = self._at(folder)
        return str(system.makeQualified(path).toUri().getScheme()) == "file"

    def _at(self, url: str) -> tuple[Any, Any]:
        """The path as Hadoop writes it, and its file system; only a URL with a scheme has escapes."""
        given = self._java.java.net.URI(url) if "%" in url and ":/" in url else url
        path = self._java.org.apache.hadoop.fs.Path(given)
        return path, path.getFileSystem(self._settings)


def is_remote(spark: SparkSession) -> bool:
    """Is the Java process on a server, and not one of this process?"""
    return not hasattr(spark, "_jsparkSession")


def files_at(spark: SparkSession, url: str) -> Files | None:
    """The file system of a URL or path; None if it cannot be reached: on a server, through a remote session."""
    if url.startswith("file:"):
        return FilesHere()
    if is_remote(spark):
        return None if "://" in url else FilesHere()
    of_spark = FilesOfSpark(spark)
    return FilesHere() if of_spark.is_here(url) else of_spark
