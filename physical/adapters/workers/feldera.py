"""Feldera over HTTP: a pipeline of tables and a materialized view, which is read after each instant.

The address of a server is in SNAPEQ_FELDERA. It follows the documentation of the REST API, and has met no real server.
"""

import json
import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final
from urllib.parse import urlencode

from physical.adapters.workers.changes import changes_of
from physical.adapters.workers.http import SECONDS, ask, check_reachable, wait
from physical.adapters.workers.protocol import Node, Request, Row, Unsupported, read, serve, written

TYPES: Final = {"int": "BIGINT", "bool": "BOOLEAN", "str": "VARCHAR"}
PIPELINE: Final = "snapeq"
VIEW: Final = "snapeq_view"
NUMBER: Final = "snapeq_number"
"""A column that tells equal rows apart."""


class Server:
    """The REST API, as far as it is needed."""

    def __init__(self, address: str) -> None:
        self.pipelines = f"{address.rstrip('/')}/v0/pipelines"

    def ask(self, method: str, path: str = "", body: str | None = None, **parameters: str) -> str:
        url = f"{self.pipelines}/{PIPELINE}{path}" + (f"?{urlencode(parameters)}" if parameters else "")
        return ask(method, url, body)

    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.ask("GET"))
        return found

    def start(self, program: str) -> None:
        described = {"name": PIPELINE, "program_code": program, "runtime_config": {"workers": 1}}
        self.ask("PUT", body=json.dumps(described))
        wait(lambda: compiled(self.state()))
        self.ask("POST", "/start")
        wait(lambda: self.state()["deployment_status"] == "Running")

    def remove(self) -> None:
        self.ask("POST", "/stop", force="true")
        wait(lambda: self.state()["deployment_status"] == "Stopped")
        self.ask("POST", "/clear")
        self.ask("DELETE")

    def push(self, table: str, lines: Iterable[object]) -> None:
        """Send changes of a table, and wait until they are in the view."""
        token = json.loads(self.ask("POST", f"/ingress/{table}", "\n".join(map(json.dumps, lines)), format="json"))
        wait(lambda: json.loads(self.ask("GET", "/completion_status", **token))["status"] == "complete")

    def rows(self, names: list[str], types: list[str]) -> list[Row]:
        text = self.ask("GET", "/query", sql=f"SELECT * FROM {VIEW}", format="json")
        found = [json.loads(line) for line in text.splitlines() if line]
        return [tuple(read(row[name], type_) for name, type_ in zip(names, types, strict=True)) for row in found]


def compiled(state: dict[str, Any]) -> bool:
    if "Error" in state["program_status"]:
        raise Unsupported(f"the program is not compiled: {json.dumps(state.get('program_error'))[:500]}")
    return bool(state["program_status"] == "Success")


def program(request: Request, names: list[str]) -> str:
    """The tables, and the view with columns of names that need no quotation marks."""
    tables = [f"CREATE TABLE {name} ({_declared(stream)});" for name, stream in request["streams"].items()]
    view = f"CREATE MATERIALIZED VIEW {VIEW}({', '.join(names)}) AS {request['standard_sql']};"
    return "\n".join([*tables, view])


def _declared(stream: Node) -> str:
    return ", ".join([f"{NUMBER} BIGINT", *(f"{name} {TYPES[type_]}" for name, type_ in stream["columns"])])


def run_on(server: Server) -> Callable[[Request], list[object]]:
    def run(request: Request) -> list[object]:
        words = [*request["streams"], *(name for s in request["streams"].values() for name, _ in s["columns"])]
        if request["standard_sql"] is None or not all(word.isidentifier() for word in words):
            raise Unsupported("what standard SQL cannot say, or names that have to be quoted")
        names = [f"c{i}" for i in range(len(request["columns"]))]
        try:
            server.start(program(request, names))
            return list(_snapshots(server, request, names))
        finally:
            server.remove()

    return run


def _snapshots(server: Server, request: Request, names: list[str]) -> Iterator[object]:
    types = [type_ for _, type_ in request["columns"]]
    for instant, tables in sorted(_by_instant(request).items()):
        for table, lines in tables.items():
            server.push(table, lines)
        yield [instant, [[*map(written, row)] for row in server.rows(names, types)]]


def _by_instant(request: Request) -> dict[int, dict[str, list[object]]]:
    """What happens to each table at each instant; the first instant is always one."""
    found: defaultdict[int, defaultdict[str, list[object]]] = defaultdict(lambda: defaultdict(list))
    horizon = float("inf") if request["horizon"] is None else float(request["horizon"])
    _ = found[0]
    for table, stream in request["streams"].items():
        names = [name for name, _ in stream["columns"]]
        numbers: dict[Row, list[int]] = defaultdict(list)
        changes = sorted(changes_of(stream, None, horizon), key=lambda change: (change[0], -change[2]))
        for number, (instant, row, by) in enumerate(changes):
            if by > 0:
                numbers[row].append(number)
            values = {NUMBER: number if by > 0 else numbers[row].pop(), **dict(zip(names, row, strict=True))}
            found[instant][table].append({"insert" if by > 0 else "delete": values})
    return {instant: dict(tables) for instant, tables in found.items()}


HELLO: Final[dict[str, object]] = {
    "engine": "feldera",
    "plans": ["standard_sql"],
    "results": ["snapshots"],
    "inputs": "intervals",
    "operators": [
        *("Source", "Filter", "Map", "Distinct", "Aggregation", "Grouping", "Union", "Difference", "Intersection"),
        *("Product", "Join", "LeftJoin", "RightJoin", "FullJoin", "Semijoin", "Antijoin", "Rstream"),
    ],
    "expressions": [
        *("column", "constant", "+", "-", "*", "negate", "=", "<>", "<", "<=", ">", ">=", "and", "or", "not"),
        *("is null", "is distinct from", "in", "case", "coalesce"),
    ],
    "aggregates": ["count rows", "count", "count distinct", "sum", "min", "max"],
    "types": list(TYPES),
    "differences": ["overflow"],
    "lifted": True,
    "time_limit": SECONDS,
    "latest": 1000,
}

if __name__ == "__main__":
    address = os.environ["SNAPEQ_FELDERA"]
    check_reachable(f"{address}/v0/pipelines")
    serve(HELLO, run_on(Server(address)))
