"""Files that are written completely or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from physical.files.errors import FileError


def writable(path: Path) -> Path:
    """The file that a name stands for, links followed; raises FileError if it cannot be written."""
    target = Path(os.path.realpath(path))
    if not target.parent.is_dir():
        folder = target.parent if path.is_symlink() else path.parent
        raise FileError(path, f"there is no folder {folder}", "a name in a folder that is there")
    if target.is_dir():
        raise FileError(path, "this is a folder", "the name of a file")
    if not os.access(target if target.exists() else target.parent, os.W_OK):
        raise FileError(path, "permission denied", "a name that may be written")
    return target


def writable_folder(path: Path) -> Path:
    """A folder, which need not be there yet; raises FileError if it cannot be made or written to."""
    folder = Path(os.path.realpath(path))
    there = next(each for each in (folder, *folder.parents) if each.exists())
    if not there.is_dir():
        raise FileError(path, f"{there} is a file", "a folder, or the name of a new one")
    if not os.access(there, os.W_OK):
        raise FileError(path, "permission denied", "a folder that may be written")
    return folder


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """Write to a temporary name in the same folder; the file gets its name only if all went well.

    A link stays a link, and a file that is replaced keeps its mode.
    """
    target = writable(path)
    if _in_place(target):
        with target.open("wb") as file:
            yield file
        return
    temporary = target.with_name(f".{target.name[:40]}.{os.urandom(6).hex()}.part")
    try:
        with temporary.open("xb") as file:
            if target.exists():
                temporary.chmod(target.stat().st_mode & 0o7777)
            yield file
        os.replace(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)


def _in_place(target: Path) -> bool:
    """A pipe or a device must not be replaced by a file; and a folder may take no other file than this one."""
    return target.exists() and not (target.is_file() and os.access(target.parent, os.W_OK))
