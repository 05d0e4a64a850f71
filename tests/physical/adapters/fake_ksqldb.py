"""A small server that answers as the documentation of ksqlDB's REST API says, with SQLite behind it.

It is no ksqlDB: what it shows is that our program sends what it should, in the right order, and reads what comes. As
there, rows with NULL in a key of GROUP BY are left out, a sum of nothing is 0, and what was sent is read a while later.
"""

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from tests.physical.adapters.small_server import serving

WINDOWS = re.compile(r"WINDOW HOPPING \(SIZE (\d+) SECONDS, ADVANCE BY (\d+) SECONDS, GRACE PERIOD 1 DAYS\)")
TOPIC = re.compile(r"KAFKA_TOPIC = '(\w+)'")


class Statements:
    """Tables and streams, views, and how much of each topic there is and has been read."""

    def __init__(self) -> None:
        self.connection = sqlite3.connect(":memory:", check_same_thread=False)
        self.topics: dict[str, str] = {}
        self.sent: Counter[str] = Counter()
        self.read: Counter[str] = Counter()
        self.sources: dict[str, str] = {}
        """Of each view, what it reads."""

    def do(self, statement: str) -> object:
        match statement.split():
            case ["CREATE", "TABLE" | "STREAM", name, *rest]:
                if "AS" in rest and "SELECT" in rest:
                    self._view(name, statement.partition(" AS ")[2])
                else:
                    self._source(name, statement)
            case ["INSERT", "INTO", name, *_]:
                self._insert(name, statement)
            case ["DESCRIBE", name, "EXTENDED"]:
                return {"sourceDescription": {"queryOffsetSummaries": self._offsets(self.sources[name])}}
            case ["DROP", "TABLE" | "STREAM", "IF", "EXISTS", name, *_]:
                kind = "VIEW" if name in self.sources else "TABLE"
                self.connection.execute(f"DROP {kind} IF EXISTS {name}")
            case _:
                raise LookupError(statement)
        return {"commandStatus": {"status": "SUCCESS"}}

    def _source(self, name: str, statement: str) -> None:
        declared = statement[statement.index("(") + 1 : statement.index(") WITH")]
        time = ["ROWTIME BIGINT"] if " STREAM " in statement else []
        found = TOPIC.search(statement)
        assert found is not None
        self.topics[name] = found[1]
        if "VALUE_FORMAT = 'KAFKA'" not in statement:
            assert "PARTITIONS = 1" in statement
            self.connection.execute(f"CREATE TABLE {name} ({', '.join([*time, declared])})")

    def _view(self, name: str, query: str) -> None:
        source = query.split(" FROM ")[1].split()[0]
        self.sources[name] = source
        query = query.removesuffix(" EMIT CHANGES")
        query = re.sub(r"SUM\(([^)]*\)*)\) AS", r"coalesce(SUM(\1), 0) AS", query)
        window = WINDOWS.search(query)
        if window is not None:
            query = _over_windows(query, source, window)
        self.connection.execute(f"CREATE VIEW {name} AS {query}")

    def _insert(self, name: str, statement: str) -> None:
        topic = self.topics[name]
        self.sent[topic] += 1
        if name == topic:
            self.connection.execute(statement.replace("CAST(NULL AS BIGINT)", "NULL"))
            return
        (key,) = re.findall(r"VALUES \((\d+), CAST\(NULL AS VARCHAR\)\)", statement)
        assert self.connection.execute(f"DELETE FROM {topic} WHERE ID = {key}").rowcount == 1

    def _offsets(self, topic: str) -> list[object]:
        """One more has been read each time that somebody asks; before the first there is no summary."""
        read = self.read[topic]
        self.read[topic] = min(read + 1, self.sent[topic])
        offsets = [{"partition": 0, "logStartOffset": 0, "logEndOffset": self.sent[topic], "consumerOffset": read}]
        return [{"groupId": "g", "topicSummaries": [{"kafkaTopic": topic, "offsets": offsets}]}] if read else []

    def query(self, sql: str) -> list[object]:
        source = self.sources[sql.split(" FROM ")[1]]
        assert self.read[source] == self.sent[source], "not all is read yet"
        rows = [{"row": {"columns": row}} for row in self.connection.execute(sql)]
        return [{"header": {"queryId": "q", "schema": "…"}}, *rows, {"finalMessage": "done"}]

    def answer(self, method: str, path: str, body: str) -> str:
        text = json.loads(body)["ksql"]
        assert method == "POST"
        if path == "/query":
            return json.dumps(self.query(text.removesuffix(";")))
        assert path == "/ksql"
        return json.dumps([self.do(one.strip()) for one in text.split(";") if one.strip()])


def _over_windows(query: str, source: str, window: re.Match[str]) -> str:
    """Windows of the epoch, each with the rows of its times; the first of them begin in 1970."""
    size, slide = (1000 * int(seconds) for seconds in window.groups())
    numbers = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)"
    start = f"(s.ROWTIME / {slide} - n.i) * {slide}"
    windows = f"({numbers} SELECT s.*, {start} AS WINDOWSTART FROM {source} AS s, n WHERE {start} + {size} > s.ROWTIME)"
    return f"{query.replace(f'{source} {window[0]}', windows).replace('SELECT', 'SELECT WINDOWSTART,', 1)}, WINDOWSTART"


@contextmanager
def fake_ksqldb() -> Iterator[tuple[str, Statements]]:
    """Its address, and what it holds."""
    statements = Statements()
    with serving(statements.answer) as address:
        yield address, statements
