"""Standard input, pipes and compressed files as plain files: copies on disk, which can be read again and anywhere."""

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copyfileobj
from typing import IO, Final

from physical.files.errors import FileError
from physical.files.formats import Format

STANDARD_INPUT: Final = "-"
BYTES_AT_ONCE: Final = 1 << 20
CODECS: Final = {".gz": "gzip", ".zst": "zstd", ".zstd": "zstd", ".bz2": "bz2", ".lz4": "lz4"}
"""Endings of compressed files, and what Arrow calls the way in which they are compressed."""
_MAGIC: Final = {b"PAR1": ".parquet", b"ARROW1": ".arrow", b"\xff\xff\xff\xff": ".arrow"}


def is_pipe(name: str | Path) -> bool:
    """Is this standard input, a named pipe, or something else that is read only once?"""
    if str(name) == STANDARD_INPUT:
        return True
    try:
        mode = os.stat(name).st_mode
    except OSError:
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode) or stat.S_ISSOCK(mode)


def is_compressed(path: Path) -> bool:
    """Does the ending of a file say that it is compressed?

    >>> [is_compressed(Path(name)) for name in ("bids.csv.gz", "part-0.json.ZST", "bids.csv")]
    [True, True, False]
    """
    return path.suffix.lower() in CODECS and not path.is_dir()


@contextmanager
def as_files(*names: Path) -> Iterator[dict[Path, Path]]:
    """Files to read in the place of pipes and of compressed files; every other one stays where it is.

    The copies are gone in the end.
    """
    pipes = [name for name in dict.fromkeys(names) if is_pipe(name) or (is_compressed(name) and name.exists())]
    if not pipes:
        yield {name: name for name in names}
        return
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="snapeq-") as folder:
        copies = {name: _copied(name, Path(folder) / str(i)) for i, name in enumerate(pipes)}
        yield {name: copies.get(name, name) for name in names}


def _copied(name: Path, folder: Path) -> Path:
    """A copy of all that comes, in a file whose name and ending say what it is."""
    folder.mkdir()
    plain = name.with_suffix("") if is_compressed(name) else name
    with _opened(name) as pipe:
        beginning = pipe.read(BYTES_AT_ONCE)
        path = folder / ("stdin" if str(name) == STANDARD_INPUT else plain.name)
        if not _says_what_it_is(plain) and not (is_compressed(name) and plain.suffix):
            path = path.with_name(path.name + ending_of(plain, beginning))
        with path.open("wb") as file:
            file.write(beginning)
            copyfileobj(pipe, file, BYTES_AT_ONCE)
    return path


@contextmanager
def _opened(name: Path) -> Iterator[IO[bytes]]:
    if is_compressed(name):
        with decompressed(name) as file:
            yield file
    elif str(name) != STANDARD_INPUT:
        with name.open("rb") as file:
            yield file
    elif sys.stdin is None or not hasattr(sys.stdin, "buffer"):
        raise FileError("standard input", "there is none", "rows of CSV or JSON")
    else:
        yield sys.stdin.buffer


@contextmanager
def decompressed(path: Path) -> Iterator[IO[bytes]]:
    """What is in a compressed file; if it is broken, that is an error about the file."""
    import pyarrow as pa

    try:
        with pa.OSFile(str(path)) as raw, pa.CompressedInputStream(raw, CODECS[path.suffix.lower()]) as file:
            yield file
    except (OSError, pa.ArrowException) as error:
        problem = f"it cannot be decompressed: {str(error).splitlines()[0]}"
        raise FileError(path, problem, "a file that is compressed as its ending says") from None


def _says_what_it_is(name: Path) -> bool:
    return any(name.suffix.lower() in format_.value for format_ in Format)


def ending_of(name: Path, beginning: bytes) -> str:
    """The ending that a pipe's name has, or else the one for what it begins with.

    >>> [ending_of(Path("-"), text) for text in (b'{"x": 1}', b"x,ts", b"PAR1...")]
    ['.jsonl', '.csv', '.parquet']
    """
    if _says_what_it_is(name):
        return name.suffix.lower()
    magic = next((ending for mark, ending in _MAGIC.items() if beginning.startswith(mark)), None)
    return magic or (".jsonl" if beginning.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") else ".csv")
