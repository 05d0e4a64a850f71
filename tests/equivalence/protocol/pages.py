"""The console blocks of a page, against what their commands print now; `…` stands for anything."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from tests.equivalence.command.command import snapeq

BLOCK = re.compile(r"^```(?P<kind>\w+)(?: file=(?P<file>\S+))?\n(?P<text>.*?)^```$", re.M | re.S)


def write_files(page: str) -> None:
    """Write the files of a page into the current folder."""
    for block in BLOCK.finditer(page):
        if block["file"] is not None:
            Path(block["file"]).write_text(block["text"], encoding="utf-8")


def consoles(page: str) -> Iterator[tuple[str, str]]:
    """Each command of a page, and what the page says that it prints."""
    for block in BLOCK.finditer(page):
        if block["kind"] == "console":
            command, _, printed = block["text"].partition("\n")
            assert command.startswith("$ snapeq ")
            yield command.removeprefix("$ "), printed


def printed_by(command: str) -> str:
    """What a command prints: remarks first, then its answer."""
    ran = snapeq(*shlex.split(command)[1:])
    return ran.err + ran.out


def fits(shown: str, printed: str) -> bool:
    """Is this what is shown, but for what is left out?

    >>> fits("a …\\n…\\nz\\n", "a b\\nc\\nd\\nz\\n"), fits("a …\\nz\\n", "b\\nz\\n")
    (True, False)
    """
    return re.fullmatch(".*?".join(map(re.escape, shown.split("…"))), printed, re.S) is not None
