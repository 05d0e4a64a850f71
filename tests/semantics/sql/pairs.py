"""Reads the files of pairs: each pair has a name, perhaps streams in one-line notation, and two queries."""

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


def read_pairs(file: str) -> list[Pair]:
    """The pairs of one file."""
    return list(_pairs((FOLDER / file).read_text(encoding="utf-8")))


def _pairs(text: str) -> Iterator[Pair]:
    for block in text.split("-- name: ")[1:]:
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
