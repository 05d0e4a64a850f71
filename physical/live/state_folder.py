"""The folder from which a killed system goes on: the last checkpoint, and a log of everything since.

A record is in the log before anybody is told that it was accepted. A record that was cut by a crash was not accepted,
and is dropped. A checkpoint begins a new log; the old one is deleted when the checkpoint is safe on disk.
"""

import fcntl
import os
from collections.abc import Iterator
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import IO, Final

from physical.files.whole_file import whole_file, writable_folder
from physical.live.records import Record, decoded, encoded
from semantics import SnapeqError

CHECKPOINT: Final = "checkpoint"
LOG: Final = "log"
LOCK: Final = "lock"
BEFORE_ANY: Final = 0
"""The number of the log with which a system without a checkpoint begins."""


class StateFolder:
    """Checkpoints and logs in one folder, which one system at a time may use."""

    def __init__(self, path: Path, *, sync: bool = False) -> None:
        """With `sync`, a record is on the disk before it is accepted: it survives a power failure, too."""
        self.path = writable_folder(path)
        self.path.mkdir(parents=True, exist_ok=True)
        self.sync = sync
        self._lock = self._locked()
        self.number = BEFORE_ANY
        self._log: IO[bytes] | None = None

    @property
    def log_bytes(self) -> int:
        """How long the present log is."""
        return 0 if self._log is None else self._log.tell()

    def checkpoint(self) -> bytes | None:
        """The last checkpoint, if there is one."""
        file = self.path / CHECKPOINT
        if not file.exists():
            return None
        number, _, data = file.read_bytes().partition(b"\n")
        self.number = int(number)
        return data

    def records(self) -> Iterator[Record]:
        """Everything since the checkpoint; afterwards new records are appended."""
        while (file := self._file(self.number)).exists():
            yield from self._read(file)
            self.number += 1
        self.number = max(self.number - 1, BEFORE_ANY)
        self._open()

    def append(self, record: Record) -> None:
        """Write a record to the log."""
        assert self._log is not None, "records are read before the first is written"
        self._log.write(encoded(record))
        self._log.flush()
        if self.sync:
            os.fsync(self._log.fileno())

    def begin_log(self) -> int:
        """Let what comes from now on go into a new log; the number of that log."""
        self.number += 1
        self._open()
        return self.number

    def save(self, data: bytes, number: int) -> None:
        """Make this the checkpoint, after which the log with this number comes; older logs are not needed any more."""
        with whole_file(self.path / CHECKPOINT) as file:
            file.write(f"{number}\n".encode() + data)
            file.flush()
            os.fsync(file.fileno())
        for old in self.path.glob(f"{LOG}.*"):
            if int(old.suffix[1:]) < number:
                old.unlink(missing_ok=True)

    def close(self) -> None:
        if self._log is not None:
            self._log.close()
            self._log = None
        self._lock.close()

    def _read(self, file: Path) -> Iterator[Record]:
        """The records of one log; what was cut at its end is removed from the file."""
        size, at = file.stat().st_size, 0
        if size:
            with file.open("rb") as opened, mmap(opened.fileno(), 0, access=ACCESS_READ) as data:
                while found := decoded(data, at):
                    record, at = found
                    yield record
        if at < size:
            os.truncate(file, at)

    def _open(self) -> None:
        if self._log is not None:
            self._log.close()
        self._log = self._file(self.number).open("ab")

    def _file(self, number: int) -> Path:
        return self.path / f"{LOG}.{number}"

    def _locked(self) -> IO[bytes]:
        lock = (self.path / LOCK).open("ab")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.close()
            problem = f"--state {self.path}: another system is using it; expected a folder of its own"
            raise SnapeqError(problem) from None
        return lock
