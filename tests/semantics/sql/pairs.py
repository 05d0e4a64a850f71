"""Reads the files of pairs: each pair has a name, two queries, and streams or declarations where these matter."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from semantics import IntervalStream, Plan, RawStream, Stream, parse
from semantics.sql import Catalogue, parse_query, read_script

FOLDER = Path(__file__).with_name("pairs")
CATALOGUE: Catalogue = read_script((FOLDER / "catalogue.sql").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Pair:
    name: str
    left: str
    right: str
    given: dict[str, Stream]

    @property
    def plans(self) -> tuple[Plan, Plan]:
        return parse_query(self.left, CATALOGUE), parse_query(self.right, CATALOGUE)


@dataclass(frozen=True)
class Constrained:
    """Two queries that are equivalent as their streams are declared, and not if these are declared more weakly."""

    name: str
    declared: str
    weakened: str
    left: str
    right: str


def read_constrained() -> list[Constrained]:
    """The pairs that are equivalent thanks to constraints."""
    return [_constrained(block) for block in _blocks("constrained.sql")]


def _constrained(block: str) -> Constrained:
    name, but, *lines = block.strip().split("\n")
    strong, weak = but.removeprefix("-- but: ").split("=>")
    *declared, left, right, _ = "\n".join(lines).split(";")
    text = ";".join(declared)
    assert strong.strip() in text
    return Constrained(name, text, text.replace(strong.strip(), weak.strip()), left.strip(), right.strip())


def read_pairs(file: str) -> list[Pair]:
    """The pairs of one file."""
    return list(_pairs(file))


def _blocks(file: str) -> list[str]:
    return (FOLDER / file).read_text(encoding="utf-8").split("-- name: ")[1:]


def _pairs(file: str) -> Iterator[Pair]:
    for block in _blocks(file):
        name, *lines = block.strip().split("\n")
        given = re.findall(r"^-- (\w+): (.*)$", "\n".join(lines), re.MULTILINE)
        left, right, _ = "\n".join(line for line in lines if not line.startswith("--")).split(";")
        empty = {source: RawStream(schema) for source, schema in CATALOGUE.sources.items()}
        streams = {source: _stream(stream) for source, stream in given}
        yield Pair(name, left.strip(), right.strip(), {**empty, **streams})


def _stream(text: str) -> Stream:
    stream = parse(text)
    assert isinstance(stream, RawStream | IntervalStream)
    return stream
