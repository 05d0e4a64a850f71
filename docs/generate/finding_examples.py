"""Findings in engines as ready examples of the playground: the tables and the query, from their pages."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from sqlglot import exp, parse
from sqlglot.errors import SqlglotError

from docs.play.answers import answer
from semantics import FOREVER, Interval
from semantics import parse as parse_stream
from semantics.constraint import elements_of
from semantics.notation.json_values import exact_element
from semantics.sql.type_names import sql_type

FOLDER: Final = Path(__file__).parents[1] / "findings"
_PROGRAM: Final = re.compile(r"^```python[^\n]*\n(.*?)^```", re.M | re.S)
_QUERY: Final = re.compile(r"^(?:```query|<!-- playground)\n(.*?)^(?:```|-->)", re.M | re.S)
"""A case that the page shows, or one in SQL for the playground alone where the page shows a program."""
_TITLE: Final = re.compile(r"^#+ (.*)$", re.M)
DIALECT: Final = "duckdb"
Example = dict[str, Any]


def finding_examples() -> list[Example]:
    """The first query of every page, or of its parts, that runs in the playground."""
    pages = sorted(path for path in FOLDER.glob("*.md") if path.name != "README.md")
    return [{**example, "page": page.stem} for page in pages for example in _of_page(page.read_text(encoding="utf-8"))]


def _of_page(text: str) -> Iterator[Example]:
    seen: set[str] = set()
    blocks = [(found.start(), _of_block(found[1])) for found in _QUERY.finditer(text)]
    blocks += [(found.start(), _of_program(found[1])) for found in _PROGRAM.finditer(text)]
    for start, example in sorted(blocks, key=lambda block: block[0]):
        title = _TITLE.findall(text[:start])[-1]
        if example is not None and title not in seen and _runs(example):
            seen.add(title)
            yield {"title": f"Finding: {title.replace('`', '')}", **example}


def _of_block(block: str) -> Example | None:
    """A block with a query and its streams."""
    lines = [line.partition(": ") for line in block.splitlines()]
    given = {name: value for name, _, value in lines}
    named = {name.removeprefix("let "): value for name, value in given.items() if name.startswith("let ")}
    streams = {name: parse_stream(value) for name, value in named.items()}
    if "query" not in given or not streams:
        return None
    declared = [f"CREATE STREAM {n}({_columns(s)}, ts BIGINT) ORDERED BY ts;\n" for n, s in streams.items()]
    events: dict[str, list[object]] = {
        name: [exact_element(*element) for element in elements_of(s)] for name, s in streams.items()
    }
    example = _example("".join(declared) + "\n" + given["query"], "snapeq", events, int(given.get("at", 0)))
    return example | ({"right": given["right"]} if "right" in given else {})


def _columns(stream: Any) -> str:
    named = zip(stream.schema.names, stream.schema.types, strict=True)
    return ", ".join(f"{name} {sql_type(type_)}" for name, type_ in named)


def _of_program(code: str) -> Example | None:
    """A program with tables of literals and a query over them, as texts of SQL."""
    tables: dict[str, str] = {}
    events: dict[str, list[object]] = {}
    queries: list[str] = []
    for statement in _statements(code):
        match statement:
            case exp.Create(this=exp.Schema() as schema):
                tables[schema.this.name] = f"CREATE TABLE {schema.sql(DIALECT)};\n"
                events.setdefault(schema.this.name, []).extend(_rows(statement))
            case exp.Insert():
                events.setdefault(statement.this.find(exp.Table).name, []).extend(_rows(statement))
            case exp.Query():
                queries.append(statement.sql(DIALECT, pretty=True))
    used = [query for query in queries if tables]
    return _example(f"{''.join(tables.values())}\n{used[0]}", DIALECT, events) if used else None


def _statements(code: str) -> Iterator[exp.Expr]:
    try:
        texts = [n.value for n in ast.walk(ast.parse(code)) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    except SyntaxError:
        return
    for text in texts:
        try:
            yield from (found for found in parse(text, read=DIALECT) if found is not None)
        except SqlglotError:
            continue


def _rows(statement: exp.Expression) -> list[object]:
    """The rows of VALUES; they hold for ever."""
    values = statement.find(exp.Values)
    rows = [] if values is None else [_literals(row) for row in values.expressions]
    return [exact_element(row, Interval(0, FOREVER)) for row in rows]


def _literals(row: exp.Expression) -> tuple[Any, ...]:
    parts = row.expressions if isinstance(row, exp.Tuple) else [row.this if isinstance(row, exp.Paren) else row]
    return tuple(None if isinstance(part, exp.Null) else ast.literal_eval(part.sql(DIALECT)) for part in parts)


def _example(text: str, dialect: str, events: dict[str, list[object]], cursor: int = 0) -> Example:
    return {"queries": [{"text": text, "dialect": dialect}], "events": events, "cursor": cursor}


def _runs(example: Example) -> bool:
    asked = {"do": "run", "query": example["queries"][0], "events": example["events"]}
    return "error" not in json.loads(answer(json.dumps(asked)))
