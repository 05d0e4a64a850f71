"""The console blocks of a page, and what its commands print now."""

import re
import shlex
import sys
from pathlib import Path

from tests.equivalence.command.command import snapeq

BLOCK = re.compile(r"^```(?P<kind>\w+)(?: file=(?P<file>\S+))?\n(?P<text>.*?)^```$", re.M | re.S)


def written_files(page: str) -> None:
    """Write the files of a page into the current folder."""
    for block in BLOCK.finditer(page):
        if block["file"] is not None:
            Path(block["file"]).write_text(block["text"], encoding="utf-8")


def replayed(page: str) -> str:
    """The page, with what its commands print now."""

    def block(found: re.Match[str]) -> str:
        commands = [line[2:] for line in found["text"].splitlines() if line.startswith("$ ")]
        if found["kind"] != "console":
            return found[0]
        return "```console\n" + "".join(f"$ {command}\n{_printed(command)}" for command in commands) + "```"

    return BLOCK.sub(block, page)


def _printed(command: str) -> str:
    program, *arguments = shlex.split(command)
    assert program == "snapeq"
    ran = snapeq(*arguments)
    return ran.err + ran.out


if __name__ == "__main__":
    for name in sys.argv[1:]:
        page = Path(name).resolve()
        text = page.read_text(encoding="utf-8")
        written_files(text)
        page.write_text(replayed(text), encoding="utf-8")
