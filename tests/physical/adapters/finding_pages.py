"""Findings as pages: programs in an engine's own language, what they print, and what would be right."""

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from physical.adapters.environments import ENVIRONMENTS, packages_here
from tests.paths import ROOT

FOLDER: Final = ROOT / "docs" / "findings"
BLOCK: Final = re.compile(
    r"^```(?P<language>python|js) (?P<engine>\S+)\n(?P<code>.*?)^```\n\n"
    r"```prints\n(?P<prints>.*?)```\n\n```right\n(?P<right>.*?)```$",
    re.M | re.S,
)
BEHIND: Final = "import sys\nsys.path += {!r}\n"
"""Packages that are here come behind those of the engine's environment."""


@dataclass(frozen=True)
class Program:
    """A program on a page, and what the page says of it."""

    page: str
    number: int
    language: str
    engine: str
    code: str
    prints: str
    right: str

    def __str__(self) -> str:
        return f"{self.page}-{self.number}"

    def output(self, folder: Path) -> str:
        """What it prints now, however its process ends: some of Daft are aborted after that, when Python ends."""
        environment = ENVIRONMENTS[self.engine]
        if self.language == "python":
            command = [str(environment.python), "-c", BEHIND.format(packages_here()) + self.code]
        else:
            (folder / "node_modules").symlink_to(environment.folder / "node_modules")
            (folder / "finding.mjs").write_text(self.code, encoding="utf-8")
            command = ["node", str(folder / "finding.mjs")]
        return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder).stdout.strip()


def pages() -> list[str]:
    """The names of all pages with programs."""
    return sorted(page.stem for page in FOLDER.glob("*.md") if BLOCK.search(page.read_text(encoding="utf-8")))


def programs() -> list[Program]:
    """The programs of all pages."""
    found = []
    for page in pages():
        text = (FOLDER / f"{page}.md").read_text(encoding="utf-8")
        for number, block in enumerate(BLOCK.finditer(text)):
            parts = {name: part.strip() for name, part in block.groupdict().items()}
            found.append(Program(page, number, **parts))
    return found
