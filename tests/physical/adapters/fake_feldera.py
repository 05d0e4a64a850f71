"""A small server that answers as the documentation of Feldera's REST API says, with SQLite behind it.

It is no Feldera: what it shows is that our program sends what it should, in the right order, and reads what comes.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import parse_qsl, urlsplit

from tests.physical.adapters.small_server import serving


class Pipelines:
    """At most one pipeline; every state lasts for one question, so that a program has to ask again."""

    def __init__(self) -> None:
        self.connection: sqlite3.Connection | None = None
        self.status = {"program_status": "Pending", "deployment_status": "Stopped"}
        self.next: dict[str, str] = {}
        self.removed = 0

    def put(self, program: str) -> None:
        self.connection = sqlite3.connect(":memory:", check_same_thread=False)
        self.status["program_status"] = "Pending"
        try:
            self.connection.executescript(program.replace("MATERIALIZED VIEW", "VIEW"))
            self.next = {"program_status": "Success"}
        except sqlite3.Error as error:
            self.status["program_error"] = str(error)
            self.next = {"program_status": "SqlError"}

    def state(self) -> dict[str, str]:
        before = dict(self.status)
        self.status.update(self.next)
        return before

    def change(self, table: str, lines: str) -> None:
        assert self.connection is not None
        assert self.status["deployment_status"] == "Running"
        for line in map(json.loads, lines.splitlines()):
            ((what, row),) = line.items()
            columns, marks = ", ".join(row), ", ".join("?" * len(row))
            same = " AND ".join(f"{name} IS ?" for name in row)
            inserting = f"INSERT INTO {table} ({columns}) VALUES ({marks})"
            statement = inserting if what == "insert" else f"DELETE FROM {table} WHERE {same}"
            done = self.connection.execute(statement, list(row.values())).rowcount
            assert done == 1, line

    def query(self, sql: str) -> str:
        assert self.connection is not None
        cursor = self.connection.execute(sql)
        names = [column[0] for column in cursor.description]
        return "\n".join(json.dumps(dict(zip(names, row, strict=True))) for row in cursor)

    def answer(self, method: str, path: str, parameters: dict[str, str], body: str) -> str:
        match method, path.split("/")[4:]:
            case "PUT", []:
                self.put(json.loads(body)["program_code"])
            case "GET", []:
                return json.dumps(self.state())
            case "POST", ["start"]:
                self.next = {"deployment_status": "Running"}
            case "POST", ["stop"]:
                self.next = {"deployment_status": "Stopped"}
            case "POST", ["clear"]:
                pass
            case "DELETE", []:
                assert self.status["deployment_status"] == "Stopped"
                self.removed += 1
            case "POST", ["ingress", table]:
                self.change(table, body)
                return json.dumps({"token": "t"})
            case "GET", ["completion_status"] if parameters["token"] == "t":
                return json.dumps({"status": "complete"})
            case "GET", ["query"]:
                return self.query(parameters["sql"])
            case _:
                raise LookupError(f"{method} {path}")
        return "{}"


@contextmanager
def fake_feldera() -> Iterator[tuple[str, Pipelines]]:
    """Its address, and what it holds."""
    pipelines = Pipelines()

    def answer(method: str, url: str, body: str) -> str:
        parts = urlsplit(url)
        return pipelines.answer(method, parts.path, dict(parse_qsl(parts.query)), body)

    with serving(answer) as address:
        yield address, pipelines
