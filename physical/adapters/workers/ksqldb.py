"""ksqlDB over HTTP: a table whose rows come and go, or a stream with windows, and one view, read after each instant.

The address of a server is in SNAPEQ_KSQLDB. It follows the documentation of the REST API, and has met no real server.
"""

import json
import os
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any, Final
from uuid import uuid4

from physical.adapters.workers.changes import changes_of
from physical.adapters.workers.expressions import EXPRESSIONS
from physical.adapters.workers.http import SECONDS, Refused, ask, check_reachable, wait
from physical.adapters.workers.ksqldb_view import TYPES, View, literal, view_of
from physical.adapters.workers.protocol import Node, Request, Row, Unsupported, rows_of, serve, written

KIND: Final = "application/vnd.ksql.v1+json"
SETTINGS: Final = {
    "ksql.streams.auto.offset.reset": "earliest",
    "ksql.streams.commit.interval.ms": "10",
    "ksql.streams.cache.max.bytes.buffering": "0",
    "ksql.query.pull.table.scan.enabled": "true",
}
DAY: Final = 86_400
"""Instants are seconds, and the first of them is yesterday: old topics are cleaned, and new ones not taken."""


class Server:
    """The REST API, as far as it is needed."""

    def __init__(self, address: str) -> None:
        self.address = address.rstrip("/")

    def do(self, *statements: str) -> list[Any]:
        return self._ask("ksql", " ".join(f"{one};" for one in statements)) if statements else []

    def rows(self, query: str) -> list[list[Any]]:
        """What a pull query finds; the first part of the answer describes the columns, the last may be a message."""
        return [part["row"]["columns"] for part in self._ask("query", f"{query};") if part.get("row")]

    def has_read(self, view: str, topic: str, sent: int) -> bool:
        """Is all that was sent to a topic in the view, and all that its query has sent to itself?"""
        described = self.do(f"DESCRIBE {view} EXTENDED")[-1]["sourceDescription"]
        topics = [one for group in described["queryOffsetSummaries"] for one in group["topicSummaries"]]
        offsets = {one["kafkaTopic"]: one["offsets"] for one in topics}
        read = sum(one["consumerOffset"] for one in offsets.get(topic, []))
        behind = any(one["consumerOffset"] < one["logEndOffset"] for found in offsets.values() for one in found)
        return read >= sent and not behind

    def _ask(self, path: str, text: str) -> list[Any]:
        body = json.dumps({"ksql": text, "streamsProperties": SETTINGS})
        found: list[Any] = json.loads(ask("POST", f"{self.address}/{path}", body, KIND))
        return found


class Run:
    """A view of one source, with names that no other run has: topics stay for a while after they are dropped."""

    def __init__(self, server: Server, view: View, request: Request) -> None:
        self.server, self.view = server, view
        self.types = [type_ for _, type_ in request["columns"]]
        self.stream: Node = request["streams"][view.source]
        self.horizon = float("inf") if request["horizon"] is None else float(request["horizon"])
        self.name = f"SNAPEQ_{uuid4().hex[:12].upper()}"
        self.gone, self.shown = f"{self.name}_GONE", f"{self.name}_VIEW"

    def result(self) -> Iterator[tuple[int, list[Row]]]:
        """The rows of the view, from each of these instants to the next."""
        try:
            self.server.do(*self.statements())
        except Refused as reason:
            raise Unsupported(str(reason)) from None
        return self.snapshots() if self.view.window is None else self.panes(self.view.window)

    def statements(self) -> list[str]:
        """What makes the source and the view."""
        columns = [f"C{i} {TYPES[type_]}" for i, (_, type_) in enumerate(self.stream["columns"])]
        stored = f"KAFKA_TOPIC = '{self.name}', PARTITIONS = 1"
        formats = "KEY_FORMAT = 'JSON', VALUE_FORMAT = 'JSON'"
        shown = f"CREATE TABLE {self.shown} WITH (PARTITIONS = 1, {formats}) AS {self.view.select(self.name)}"
        if self.view.window is not None:
            return [f"CREATE STREAM {self.name} ({', '.join(columns)}) WITH ({stored}, VALUE_FORMAT = 'JSON')", shown]
        declared = ", ".join(["ID BIGINT PRIMARY KEY", *columns])
        table = f"CREATE TABLE {self.name} ({declared}) WITH ({stored}, VALUE_FORMAT = 'JSON')"
        # There is no DELETE: over the same topic, a row whose only value is NULL in this format is the end of a row.
        ends = f"WITH (KAFKA_TOPIC = '{self.name}', VALUE_FORMAT = 'KAFKA')"
        return [table, f"CREATE TABLE {self.gone} (ID BIGINT PRIMARY KEY, NOTHING VARCHAR) {ends}", shown]

    def snapshots(self) -> Iterator[tuple[int, list[Row]]]:
        """The view after each instant at which something comes or goes; the first instant is always one."""
        sent = 0
        for instant, statements in self.changes():
            self.send(statements, before=sent)
            sent += len(statements)
            yield instant, [row for found in self.read(self.view.names) for row in self.view.rows(found, self.types)]

    def changes(self) -> list[tuple[int, list[str]]]:
        found = defaultdict[int, list[str]](list, {0: []})
        numbers: defaultdict[Row, list[int]] = defaultdict(list)
        changes = sorted(changes_of(self.stream, None, self.horizon), key=lambda change: (change[0], -change[2]))
        for number, (instant, row, by) in enumerate(changes):
            if by > 0:
                numbers[row].append(number)
                found[instant].append(self.inserted("ID", number, row))
            else:
                ended = f"{numbers[row].pop()}, CAST(NULL AS VARCHAR)"
                found[instant].append(f"INSERT INTO {self.gone} (ID, NOTHING) VALUES ({ended})")
        return sorted(found.items())

    def panes(self, window: Node) -> Iterator[tuple[int, list[Row]]]:
        """Windows begin at multiples of the slide: with all events later by the size less one, ours begin there, too.

        What is valid for several instants is an event at each.
        """
        size, slide = int(window["size"]), int(window["slide"])
        origin = (int(time.time()) - DAY) // slide * slide
        instants = [(t, tuple(row)) for *row, start, end in rows_of(self.stream) for t in self.instants(start, end)]
        events = sorted(((origin + t + size - 1) * 1000, number) for number, (t, _) in enumerate(instants))
        self.send([self.inserted("ROWTIME", at, instants[number][1]) for at, number in events])
        found = defaultdict[int, list[Row]](list, {0: []})
        for at, *row in self.read(["WINDOWSTART", *self.view.names]):
            start = at // 1000 - origin
            found[start] += self.view.rows(row, self.types)
            _ = found[start + slide]  # what is not followed by another window ends
        return iter(sorted(found.items()))

    def instants(self, start: int, end: int | None) -> range:
        last = min(self.horizon, float("inf") if end is None else end)
        if last == float("inf"):
            raise OverflowError("a row that never ends, and no horizon")
        return range(start, int(last))

    def inserted(self, column: str, number: int, row: Row) -> str:
        types = [type_ for _, type_ in self.stream["columns"]]
        names = ", ".join([column, *(f"C{i}" for i in range(len(row)))])
        values = [str(number), *(literal(value, type_) for value, type_ in zip(row, types, strict=True))]
        return f"INSERT INTO {self.name} ({names}) VALUES ({', '.join(values)})"

    def send(self, statements: list[str], before: int = 0) -> None:
        """Do this, and wait until it is in the view."""
        self.server.do(*statements)
        wait(lambda: self.server.has_read(self.shown, self.name, before + len(statements)))

    def read(self, names: list[str]) -> list[list[Any]]:
        return self.server.rows(f"SELECT {', '.join(names)} FROM {self.shown}")

    def drop(self) -> None:
        kind = "TABLE" if self.view.window is None else "STREAM"
        self.server.do(f"DROP TABLE IF EXISTS {self.shown} DELETE TOPIC")
        self.server.do(f"DROP TABLE IF EXISTS {self.gone}", f"DROP {kind} IF EXISTS {self.name} DELETE TOPIC")


def run_on(server: Server) -> Callable[[Request], list[object]]:
    def run(request: Request) -> list[object]:
        asked = Run(server, view_of(request["plan"]), request)
        try:
            return [[instant, [[*map(written, row)] for row in rows]] for instant, rows in asked.result()]
        finally:
            asked.drop()

    return run


HELLO: Final[dict[str, object]] = {
    "engine": "ksqldb",
    "results": ["snapshots"],
    "inputs": "intervals",
    "operators": ["Source", "Filter", "Map", "Distinct", "Grouping", "TimeWindow"],
    "expressions": EXPRESSIONS,
    "aggregates": ["count rows", "count", "sum", "min", "max"],
    "types": list(TYPES),
    "differences": ["overflow"],
    "lifted": True,
    "time_limit": SECONDS,
    "latest": 1000,
}

if __name__ == "__main__":
    address = os.environ["SNAPEQ_KSQLDB"]
    check_reachable(f"{address}/info")
    serve(HELLO, run_on(Server(address)))
