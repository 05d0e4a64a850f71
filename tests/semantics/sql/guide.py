"""Reads docs/language.md: its declarations and streams, and its examples with plan, answer or error."""

import re
from dataclasses import dataclass

from semantics import IntervalStream, LogicalStream, RawStream, Stream, evaluate, parse, show
from semantics.notation.show import show_multiset
from semantics.sql import Catalogue, SqlError, parse_query, read_script
from tests.paths import ROOT

GUIDE = ROOT / "docs" / "language.md"
HORIZON = 8
FENCE = re.compile(r"^```([a-z ]+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Example:
    """A text and what is said about it: by `plan`, `answer`, `error`."""

    sql: str
    said: dict[str, str]


def blocks(text: str) -> list[tuple[str, str]]:
    return [(kind, body.strip()) for kind, body in FENCE.findall(text)]


def catalogue(text: str) -> Catalogue:
    return read_script(dict(blocks(text))["sql catalogue"])


def streams(text: str) -> dict[str, Stream]:
    given: dict[str, Stream] = {}
    for line in dict(blocks(text))["streams"].split("\n"):
        name, notation = line.split(": ", 1)
        stream = parse(notation)
        assert isinstance(stream, RawStream | IntervalStream)
        given[name] = stream
    return given


def examples(text: str) -> list[Example]:
    found: list[Example] = []
    for kind, body in blocks(text):
        if kind == "sql":
            found.append(Example(body, {}))
        elif kind in ("plan", "answer", "error"):
            found[-1].said[kind] = body
    return found


def outcome(kind: str, sql: str, text: str) -> str:
    """What is true of an example: its plan, its answer at each instant that has one, or its error."""
    try:
        plan = parse_query(sql, catalogue(text))
    except SqlError as error:
        return str(error)
    if kind == "plan":
        return show(plan)
    return _answer(evaluate(plan, streams(text), HORIZON))


def _answer(stream: LogicalStream) -> str:
    return "\n".join(f"at {t}: {show_multiset(rows)}" for t, rows in enumerate(stream.snapshots) if rows)
