"""Pages that need more than their text: parts made from the code, and links to files that are no pages of the site."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from docs.generate.commands import command_reference
from docs.generate.deviations import deviation_table
from docs.generate.python_names import python_reference

DOCS: Final = Path(__file__).parents[1]
PARTS: Final[Mapping[str, Callable[[], str]]] = {
    "commands": command_reference,
    "deviations": deviation_table,
    "Python names": python_reference,
}
"""A page has `<!-- made from the code: NAME -->` where such a part belongs."""
_PLACE: Final = re.compile(r"<!-- made from the code: (.+) -->")
_FILE: Final = re.compile(r"^( *)```(\w+) file=(\S+)$", re.M)
"""How a block begins that readers should save as a file: the site shows the name above it."""
_LINK: Final = re.compile(r"(?<!!)\[([^\]]+)\]\(((?:\.\./)+[\w./-]+\.md)\)")


class NoSuchFile(Exception):
    """A page links to a file that is not there."""


def fill_in(page: str, text: str) -> str:
    """The text of a page (`how-to/check-panes`) as the site shows it."""
    made = _PLACE.sub(lambda place: PARTS[place[1]](), text)
    made = _FILE.sub(r"\1```{code-block} \2\n\1:caption: \3\n", made)
    return _LINK.sub(lambda link: _inside(DOCS / page, *link.groups()), made)


def _inside(page: Path, title: str, target: str) -> str:
    """A link to a page; a file elsewhere in the repository keeps its name, and is no link on the site."""
    path = (page.parent / target).resolve()
    if not path.is_file():
        raise NoSuchFile(f"{page}: there is no {target}")
    return f"[{title}]({target})" if path.is_relative_to(DOCS) else f"{title} (`{path.relative_to(DOCS.parent)}`)"
