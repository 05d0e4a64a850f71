"""Known gaps of an engine, in a file that its owner keeps: what is known to fail, and why.

    [gaps]
    "Join/nulls" = "NULL keys meet, see ticket 12"
    "*/forever" = "intervals must end"
    "CountWindow" = "not yet"

A key is an operator, a situation, or both; `*` stands for any. JSON files hold the same object.
"""

import json
import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from semantics import SnapeqError

Gaps = Mapping[tuple[str, str], str]
"""Reasons by operator and situation."""


class GapError(SnapeqError):
    """A file of known gaps cannot be read, or names what does not exist."""


def read_gaps(path: Path) -> Mapping[str, str]:
    """The gaps in a file, which is JSON if its name says so and TOML otherwise."""
    try:
        text = path.read_text(encoding="utf-8")
        document: Any = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except (OSError, ValueError, RecursionError) as error:
        raise GapError(f"gaps: {path} cannot be read: {error}") from error
    gaps = document.get("gaps") if isinstance(document, dict) else None
    if not isinstance(gaps, dict) or not all(isinstance(reason, str) for reason in gaps.values()):
        raise GapError(f"gaps: {path} must hold a table [gaps] of names and reasons, got {str(document)[:80]}")
    return gaps


def known_gaps(
    gaps: Mapping[str, str] | Path | str | None, operators: Collection[str], situations: Collection[str]
) -> Gaps:
    """The gaps by operator and situation; a name that does not exist is an error."""
    named = read_gaps(Path(gaps)) if isinstance(gaps, Path | str) else gaps or {}
    return {_key(name, operators, situations): reason for name, reason in named.items()}


def _key(name: str, operators: Collection[str], situations: Collection[str]) -> tuple[str, str]:
    operator, _, situation = name.partition("/")
    for part, known in ((operator, operators), (situation or "*", situations)):
        if part != "*" and part not in known:
            raise GapError(f"gaps: {name!r} must name one of {', '.join(known)}; got {part!r}")
    return operator, situation or "*"


def gap_for(gaps: Gaps, operator: str, situation: str) -> tuple[str, str] | None:
    """The gap that this cell of the matrix is in, if any."""
    keys = ((operator, situation), (operator, "*"), ("*", situation), ("*", "*"))
    return next((key for key in keys if key in gaps), None)
