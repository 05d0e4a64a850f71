"""A plan as people give it to a command: its text, or a file that holds it."""

from pathlib import Path
from typing import Final

from equivalence.generate.functions import KNOWN
from semantics import NotationError, Plan, SnapeqError, parse_plan
from semantics.value import brief

LONGEST: Final = 100_000
"""Characters of a plan."""
_SQL_WORDS: Final = ("select ", "with ", "create ", "set ", "istream(select ", "dstream(select ", "rstream(select ")


class SqlNotRead(SnapeqError):
    """A query is written in SQL."""


def read_plan(text_or_file: str, catalog: Path | None = None) -> Plan:
    """The plan that a text or a file denotes.

    >>> read_plan("S(x int) | distinct").operator
    'Distinct'
    """
    text = _text(text_or_file)
    if catalog is not None or text_or_file.endswith(".sql") or _is_sql(text):
        raise SqlNotRead("SQL and its catalogues are not read yet; write the plan in the notation: S(x int) | distinct")
    if len(text) > LONGEST:
        raise NotationError(f"expected a plan of at most {LONGEST} characters, got {len(text)}")
    return parse_plan(text, KNOWN)


def _text(text_or_file: str) -> str:
    """What the file holds, without lines that begin with #; or the text itself."""
    if not _is_file(text_or_file) and ("(" in text_or_file or _is_sql(text_or_file)):
        return text_or_file.strip()
    try:
        lines = Path(text_or_file).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        wanted = "expected a plan, like 'S(x int) | distinct', or a file of text that holds one"
        raise NotationError(f"{wanted}, got {brief(text_or_file)}") from None
    return "\n".join(line for line in lines if not line.startswith("#")).strip()


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except (OSError, ValueError):  # too long, or with a NUL: no name of a file
        return False


def _is_sql(text: str) -> bool:
    return text.lower().startswith(_SQL_WORDS)
