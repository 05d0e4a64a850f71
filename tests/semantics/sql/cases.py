"""Reads files of cases: blocks with an empty line between, each a text and, behind =>, what comes of it."""

from pathlib import Path


def read_cases(file: str) -> list[tuple[str, str]]:
    """The cases of a file of this folder; its first block is a heading."""
    blocks = Path(__file__).with_name(file).read_text(encoding="utf-8").split("\n\n")[1:]
    return [(text, expected) for text, expected in (block.strip().split("\n=> ") for block in blocks)]
