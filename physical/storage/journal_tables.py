"""The journal of a persistent store: tables that at every commit hold the contents of the store."""

from collections.abc import Iterable

from physical.storage.codec import Codec, JsonCodec, TypedCodec
from physical.storage.database import Database, quoted
from physical.storage.journal import Journal, JournalContents
from semantics import Schema
from semantics.value import Row


class TableJournal(Journal):
    """Items, marks and progress in three tables. All changes of a request are in one transaction.

    A request is acknowledged by the next commit. If the process is killed before, it is as if the request was not made.
    """

    def __init__(self, database: Database, table: str, schema: Schema | None, group: int) -> None:
        self.database = database
        self.codec: Codec = JsonCodec() if schema is None else TypedCodec(schema, database)
        self.group = group
        self.items, self.marks, self.progress = (quoted(table + end) for end in ("", " marks", " progress"))
        self.next_id = 0
        if not database.has(f"{table} progress"):
            self._create()
        ((self.next_id, self.recorded),) = database.rows(f"SELECT next_id, changes FROM {self.progress}")
        self.acknowledged = self.recorded

    def recover(self) -> JournalContents:
        low, eager = self._recovered_marks()
        return JournalContents(self.stored(), self.next_id, low, eager)

    def stored(self, condition: str = "TRUE", values: Iterable[object] = ()) -> list[tuple[int, Row]]:
        """The items for which a condition holds, oldest first."""
        names = ", ".join(self.codec.columns)
        rows = self.database.rows(f"SELECT _id, {names} FROM {self.items} WHERE {condition} ORDER BY _id", list(values))
        return [(row[0], self.codec.decode(row[1:])) for row in rows]

    def insert(self, id: int, item: Row) -> None:
        self.next_id = id + 1
        places = ", ".join("?" * (len(self.codec.columns) + 1))
        self.database.change(f"INSERT INTO {self.items} VALUES ({places})", [id, *self.codec.encode(item)])

    def replace(self, id: int, item: Row) -> None:
        new = ", ".join(f"{name} = ?" for name in self.codec.columns)
        self.database.change(f"UPDATE {self.items} SET {new} WHERE _id = ?", [*self.codec.encode(item), id])

    def remove(self, ids: Iterable[int]) -> None:
        listed = [(id,) for id in ids]
        self.database.change_many(f"DELETE FROM {self.items} WHERE _id = ?", listed)
        self.database.change_many(f"DELETE FROM {self.marks} WHERE id = ? AND NOT low", listed)

    def remove_until(self, id: int) -> None:
        self.database.change(f"DELETE FROM {self.items} WHERE _id <= ?", [id])

    def mark(self, consumer: str, ids: Iterable[int]) -> None:
        rows = [(consumer, id) for id in ids]
        self.database.change_many(f"INSERT INTO {self.marks} VALUES (?, ?, FALSE)", rows)

    def mark_until(self, consumer: str, id: int) -> None:
        self.database.change(f"DELETE FROM {self.marks} WHERE consumer = ? AND id <= ?", [consumer, id])
        self.database.change(f"INSERT INTO {self.marks} VALUES (?, ?, TRUE)", [consumer, id])

    def done(self) -> None:
        self.recorded += 1
        self.database.change(f"UPDATE {self.progress} SET next_id = ?, changes = ?", [self.next_id, self.recorded])
        if self.recorded - self.acknowledged >= self.group:
            self.commit()

    def commit(self) -> None:
        self.database.commit()
        self.acknowledged = self.recorded

    def close(self) -> None:
        self.commit()
        self.database.close()

    def _create(self) -> None:
        columns = ", ".join([f"_id {self.database.identity}", *self.codec.declared])
        self.database.change(f"CREATE TABLE {self.items} ({columns})")
        self.database.change(f"CREATE TABLE {self.marks} (consumer VARCHAR, id BIGINT, low BOOLEAN)")
        self.database.change(f"CREATE TABLE {self.progress} (next_id BIGINT, changes BIGINT)")
        self.database.change(f"INSERT INTO {self.progress} VALUES (0, 0)")
        self.database.commit()

    def _recovered_marks(self) -> tuple[dict[str, int], dict[str, set[int]]]:
        low: dict[str, int] = {}
        eager: dict[str, set[int]] = {}
        for consumer, id, is_low in self.database.rows(f"SELECT consumer, id, low FROM {self.marks}"):
            if is_low:
                low[consumer] = max(low.get(consumer, 0), id + 1)
            else:
                eager.setdefault(consumer, set()).add(id)
        return low, eager
