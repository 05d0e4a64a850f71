"""Standard input and pipes as files: they can be read only once, so they are copied to disk first."""

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


@contextmanager
def as_files(*names: Path) -> Iterator[dict[Path, Path]]:
    """Files to read in the place of pipes; every other file stays where it is. The copies are gone in the end."""
    pipes = [name for name in dict.fromkeys(names) if is_pipe(name)]
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
    with _opened(name) as pipe:
        beginning = pipe.read(BYTES_AT_ONCE)
        stem = "stdin" if str(name) == STANDARD_INPUT else name.stem
        path = folder / f"{stem}{ending_of(name, beginning)}"
        with path.open("wb") as file:
            file.write(beginning)
            copyfileobj(pipe, file, BYTES_AT_ONCE)
    return path


@contextmanager
def _opened(name: Path) -> Iterator[IO[bytes]]:
    if str(name) != STANDARD_INPUT:
        with name.open("rb") as file:
            yield file
    elif sys.stdin is None or not hasattr(sys.stdin, "buffer"):
        raise FileError("standard input", "there is none", "rows of CSV or JSON")
    else:
        yield sys.stdin.buffer


def ending_of(name: Path, beginning: bytes) -> str:
    """The ending that a pipe's name has, or else the one for what it begins with.

    >>> [ending_of(Path("-"), text) for text in (b'{"x": 1}', b"x,ts", b"PAR1...")]
    ['.jsonl', '.csv', '.parquet']
    """
    if any(name.suffix.lower() in format_.value for format_ in Format):
        return name.suffix.lower()
    magic = next((ending for mark, ending in _MAGIC.items() if beginning.startswith(mark)), None)
    return magic or (".jsonl" if beginning.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") else ".csv")
