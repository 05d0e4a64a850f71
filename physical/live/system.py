"""A system that runs: whatever happens to it goes through `accept`, is logged, and then done by the core.

All threads share one system; a lock lets one of them in at a time. So a source that sends faster than the queries run
has to wait, and nothing piles up.
"""

import pickle
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from threading import Condition, Lock, RLock
from typing import Final

from physical.columns.stream import PhysicalStream
from physical.kernels.types import ENDLESS
from physical.live.core import Core, Receipt, Surroundings
from physical.live.records import AddQuery, Heartbeat, MigrateQuery, Record, RemoveQuery, SentLines
from physical.live.running_query import RunningQuery
from physical.live.settings import Limits, Settings
from physical.live.state_folder import StateFolder
from semantics import SnapeqError

FORMAT: Final = f"2 python {sys.version_info.major}.{sys.version_info.minor}"
"""Checkpoints of another format cannot be read."""
SENDER_LENGTH: Final = 64
MAX_SENDERS: Final = 10_000
RECORDS_PER_MEASURE: Final = 64
"""The size of the state is measured after this many records: measuring looks at every operator."""


class Broken(SnapeqError):
    """A log or a result could not be written. Nothing more is taken; started again, the system repeats the log."""


class NoRoom(SnapeqError):
    """The system holds as much as it may; nothing was taken."""


class LiveSystem:
    """Streams and queries that come and go, with a state on disk if a folder is given."""

    def __init__(
        self,
        around: Surroundings,
        settings: Settings,
        limits: Limits,
        *,
        tables: Mapping[str, PhysicalStream] = {},
        folder: StateFolder | None = None,
        bad: Path | None = None,
    ) -> None:
        self.around, self.settings, self.limits, self.folder = around, settings, limits, folder
        self.lock = RLock()
        self.saving = Lock()
        """Held while a checkpoint is written, and always taken before the other one."""
        self.changed = Condition(self.lock)
        """Notified after every record."""
        self.replayed = 0
        self.broken: Broken | None = None
        self.checkpoint_problem = ""
        """Why there are no checkpoints: then the log grows, and is replayed as a whole."""
        self._measured, self._until_measure = 0, 0
        try:
            restored = self._restored()
            self.core = restored or Core(around.declared, settings, tables, bad)
            self.resumed = restored is not None
            if restored is None:
                self.checkpoint()  # so that the folder says whose state it is from the beginning
            self._replay()
        except BaseException:
            if folder is not None:
                folder.close()
            raise

    def accept(self, record: Record) -> Receipt:
        """Log a record and do what it says; an error means that it was not accepted."""
        with self.lock:
            if self.broken is not None:
                raise self.broken
            prepared = self.core.prepared(record, self.around)
            self._check_room(record)
            try:
                return self._logged_and_done(record, prepared)
            except OSError as error:
                problem = f"{error.filename or 'the log or a result'}: {error.strerror or error}"
                self.broken = Broken(f"{problem}; expected to be able to write there")
                raise self.broken from error
            finally:
                self.changed.notify_all()

    def _logged_and_done(self, record: Record, prepared: RunningQuery | bytes | None) -> Receipt:
        if self.folder is not None:
            self.folder.append(record)
        receipt = self.core.apply(record, self.around, prepared)
        if isinstance(prepared, RunningQuery) and prepared.file is not None:
            prepared.file.end_here()
        return receipt

    def add(self, name: str, sql: str, *, optimise: bool = True) -> RunningQuery:
        """Start a query; it sees elements that come from now on."""
        self.accept(AddQuery(name, sql, optimise))
        return self.core.queries[name]

    def remove(self, name: str) -> None:
        """Stop a query."""
        self.accept(RemoveQuery(name))

    def heartbeat(self, time: int, stream: str | None = None) -> None:
        """Promise that no later element of a stream, or of any, starts before this instant."""
        self.accept(Heartbeat(time, stream))

    def end(self, stream: str | None = None) -> None:
        """A stream, or all of them, is over."""
        self.heartbeat(ENDLESS, stream)

    def sent(self, lines: SentLines, first: int | None = None) -> Receipt:
        """Take lines of a sender; those that it sent before, by their number, are left out."""
        if not lines.sender:
            return self.accept(lines)
        with self.lock:
            self._check_sender(lines.sender)
            known = self.core.senders.get(lines.sender, 0)
            text = lines.text.split(b"\n")[:-1]
            skipped = 0 if first is None else known - first
            if skipped < 0:
                raise SnapeqError(f"sender {lines.sender}: expected line {known} next, got line {first}")
            rest = text[skipped:]
            if not rest:
                return Receipt()
            return self.accept(replace(lines, text=b"\n".join(rest) + b"\n", count=len(rest)))

    def migrate(self, name: str) -> None:
        """Exchange the plan of a running query for the best one known now."""
        self.accept(MigrateQuery(name))

    def checkpoint(self) -> bool:
        """Save the state if it can be saved; otherwise the log has to be replayed as a whole.

        The system goes on while the disk is waited for: what comes meanwhile is in the next log.
        """
        with self.saving:
            try:
                found = self._picture()
                if found is None or self.folder is None:
                    return False
                self.folder.save(*found)
            except (pickle.PicklingError, AttributeError, TypeError) as error:
                self.checkpoint_problem = f"{type(error).__name__}: {error}"
                return False
            except OSError as error:
                self.checkpoint_problem = str(error)
                return False
            self.checkpoint_problem = ""
            return True

    def _picture(self) -> tuple[bytes, int] | None:
        """The state as bytes, and the number of the log that begins with it."""
        with self.lock:
            if self.folder is None or self.broken is not None:
                return None  # what is in memory may be ahead of the files: then only the log is right
            data = pickle.dumps((FORMAT, self.core), protocol=pickle.HIGHEST_PROTOCOL)
            return data, self.folder.begin_log()

    def close(self) -> None:
        """Save the state, and close all files."""
        self.checkpoint()
        with self.lock:
            for query in self.core.queries.values():
                query.buffer.close()
            self.core.close_files()
            if self.folder is not None:
                self.folder.close()
            self.changed.notify_all()

    def state_bytes(self) -> int:
        """How much operators hold, as it was measured last."""
        return self._measured

    def _check_room(self, record: Record) -> None:
        """Refuse elements and queries while too much is held; heartbeats and removals make room."""
        if isinstance(record, Heartbeat | RemoveQuery | MigrateQuery):
            self._until_measure = 0
            return
        if self._until_measure == 0 or self._measured > self.limits.state_bytes:
            self._measured, self._until_measure = self.core.state_bytes, RECORDS_PER_MEASURE
        self._until_measure -= 1
        if self._measured > self.limits.state_bytes:
            held, limit = self._measured >> 20, self.limits.state_bytes >> 20
            raise NoRoom(f"queries hold {held} MB; expected at most {limit} MB: remove a query, or send a heartbeat")

    def _check_sender(self, sender: str) -> None:
        """Names of senders are remembered for ever, so there are not many and none is long."""
        if len(sender) > SENDER_LENGTH:
            raise SnapeqError(f"sender {sender[:20]}…: expected a name of at most {SENDER_LENGTH} characters")
        if sender not in self.core.senders and len(self.core.senders) >= MAX_SENDERS:
            raise SnapeqError(f"sender {sender}: there are {MAX_SENDERS} senders already; expected one of them")

    def _restored(self) -> Core | None:
        data = None if self.folder is None else self.folder.checkpoint()
        if data is None or self.folder is None:
            return None
        found, core = pickle.loads(data)
        if found != FORMAT or not isinstance(core, Core):
            raise self._other("it was written by another version")
        return core

    def _replay(self) -> None:
        if self.folder is None:
            return
        self._check_same()
        for record in self.folder.records():
            self._apply_again(record)
            self.replayed += 1
        for query in self.core.queries.values():
            if query.file is not None:
                query.file.end_here()
        self.core.bad_lines.end_here()

    def _apply_again(self, record: Record) -> None:
        """Do what a record of the log says; a migration that was refused is refused again."""
        try:
            self.core.apply(record, self.around, self.core.prepared(record, self.around))
        except SnapeqError:
            if not isinstance(record, MigrateQuery):
                raise

    def _check_same(self) -> None:
        """A state belongs to its streams and options."""
        difference = self.core.settings.difference(self.settings)
        if difference:
            raise self._other(difference)
        if self.core.signature != self.around.declared.signature():
            raise self._other("its streams are declared in another way")

    def _other(self, problem: str) -> SnapeqError:
        path = self.folder.path if self.folder is not None else ""
        return SnapeqError(f"--state {path}: {problem}; expected the same system, or another folder")
