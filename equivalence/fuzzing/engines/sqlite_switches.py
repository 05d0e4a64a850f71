"""SQLite: the optimizations that `sqlite3_test_control` switches off, by the C library that Python itself uses."""

import ctypes
import sqlite3
from collections.abc import Sequence
from typing import Any, Final

from equivalence.fuzzing.engines.laboratory import ON, Database, statements_of
from equivalence.fuzzing.engines.switched_engine import Engine
from physical.adapters.environments import EngineUnavailable, Environment

SWITCHES: Final = {
    "query_flattener": 0x00000001,
    "window_function": 0x00000002,
    "group_by_order": 0x00000004,
    "factor_out_constants": 0x00000008,
    "distinct": 0x00000010,
    "covering_index_scan": 0x00000020,
    "order_by_index_join": 0x00000040,
    "transitive_constraints": 0x00000080,
    "omit_noop_join": 0x00000100,
    "count_of_view": 0x00000200,
    "push_down": 0x00001000,
    "simplify_join": 0x00002000,
    "skip_scan": 0x00004000,
    "propagate_constants": 0x00008000,
    "min_max": 0x00010000,
    "seek_scan": 0x00020000,
    "omit_order_by": 0x00040000,
    "bloom_filter": 0x00080000,
    "bloom_pulldown": 0x00100000,
    "balanced_merge": 0x00200000,
    "release_registers": 0x00400000,
    "flatten_union_all": 0x00800000,
    "indexed_expression": 0x01000000,
    "coroutines": 0x02000000,
    "null_unused_columns": 0x04000000,
    "one_pass": 0x08000000,
    "order_by_subquery": 0x10000000,
    "star_query": 0x20000000,
    "all of them": 0xFFFFFFFF,
}
"""The bits of a mask; those that a version does not know change nothing there."""
OPTIMIZATIONS: Final = 15
"""SQLITE_TESTCTRL_OPTIMIZATIONS"""
ROW, DONE, INTEGER, NULL = 100, 101, 1, 5


def library() -> Any:
    """The C library behind Python's own module; refuses by name where its functions cannot be reached."""
    import _sqlite3

    try:
        found = ctypes.CDLL(_sqlite3.__file__)
        found.sqlite3_test_control  # noqa: B018  # raises if there is none
        found.sqlite3_column_text.restype = ctypes.c_char_p
        found.sqlite3_column_int64.restype = ctypes.c_int64
        found.sqlite3_errmsg.restype = ctypes.c_char_p
    except (AttributeError, OSError) as error:
        raise EngineUnavailable(
            f"the C library of Python's sqlite3 cannot be reached ({error}); expected a Python whose "
            "sqlite3 is a shared library with sqlite3_test_control"
        ) from None
    return found


class SqliteLaboratory:
    """The C library itself: Python's module has no way to the switches."""

    version = sqlite3.sqlite_version

    def __init__(self) -> None:
        self._library = library()
        self._check_switches()

    def switches(self) -> list[str]:
        return list(SWITCHES)

    def opened(self, database: Database) -> "OpenedSqlite":
        return OpenedSqlite(self._library, statements_of(database))

    def _check_switches(self) -> None:
        """Without the query flattener, a derived table must show in the plan."""
        tried = OpenedSqlite(self._library, ["CREATE TABLE t (a BIGINT)"])
        sql = "SELECT q.a FROM (SELECT a + 1 AS a FROM t) AS q WHERE q.a > 1"
        plans = []
        for off in (ON, "query_flattener"):
            tried.switch(off)
            plans.append(tried.plan(sql))
        tried.close()
        if plans[0] == plans[1]:
            raise EngineUnavailable("sqlite3_test_control changes nothing here")


class OpenedSqlite:
    """A database in memory."""

    def __init__(self, library: Any, statements: Sequence[str]) -> None:
        self._library = library
        self._database = ctypes.c_void_p()
        library.sqlite3_open(b":memory:", ctypes.byref(self._database))
        for statement in ("PRAGMA case_sensitive_like = ON", *statements):
            self.rows(statement)

    def switch(self, off: str) -> None:
        mask = ctypes.c_uint(SWITCHES[off] if off else 0)
        self._library.sqlite3_test_control(OPTIMIZATIONS, self._database, mask)

    def plan(self, sql: str) -> str:
        return str(self.rows(f"EXPLAIN {sql}"))

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        statement = ctypes.c_void_p()
        text = sql.encode()
        self._checked(self._library.sqlite3_prepare_v2(self._database, text, -1, ctypes.byref(statement), None))
        try:
            found = []
            while (step := self._library.sqlite3_step(statement)) == ROW:
                found.append(self._row(statement))
            if step != DONE:
                self._checked(step)
            return found
        finally:
            self._library.sqlite3_finalize(statement)

    def close(self) -> None:
        self._library.sqlite3_close_v2(self._database)

    def _row(self, statement: ctypes.c_void_p) -> tuple[Any, ...]:
        return tuple(self._value(statement, i) for i in range(self._library.sqlite3_column_count(statement)))

    def _value(self, statement: ctypes.c_void_p, column: int) -> Any:
        kind = self._library.sqlite3_column_type(statement, column)
        if kind == NULL:
            return None
        if kind == INTEGER:
            return self._library.sqlite3_column_int64(statement, column)
        return self._library.sqlite3_column_text(statement, column).decode()

    def _checked(self, code: int) -> None:
        if code:
            raise sqlite3.OperationalError(self._library.sqlite3_errmsg(self._database).decode())


def _statement(switch: str) -> str:
    return f".testctrl optimizations 0x{SWITCHES[switch]:x}"


def _program(settings: Sequence[str], sql: str, database: Database) -> list[str]:
    """The command of SQLite runs it: Python's own module has no such switch."""
    return [
        "import subprocess",
        "",
        "statements = [",
        *(f"    {statement!r}," for statement in statements_of(database)),
        "]",
        f"for mask in {[hex(SWITCHES[one]) if one else '0x0' for one in settings]!r}:",
        f"    text = [f'.testctrl optimizations {{mask}}', *(line + ';' for line in [*statements, {sql!r}])]",
        "    subprocess.run(['sqlite3'], input='\\n'.join(text), text=True, check=True)",
    ]


SQLITE: Final = Engine(
    "sqlite",
    Environment("sqlite", ("sqlite",), 0, "sqlite3"),
    SqliteLaboratory,
    ("malformed", "out of memory", "bad parameter or other API misuse"),
    _statement,
    _program,
)
