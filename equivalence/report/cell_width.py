"""How many cells of a terminal a text takes: Chinese, Japanese and Korean characters take two, accents none.

The standard library's tables are enough here, so a picture needs no package for terminals.
"""

from itertools import accumulate
from unicodedata import category, east_asian_width


def cell_width(text: str) -> int:
    """The cells that a text takes.

    >>> cell_width("ab"), cell_width("日本"), cell_width("a\\u0301")
    (2, 4, 1)
    """
    return sum(map(_width, text))


def fitted(text: str, width: int) -> str:
    """The text cut or filled up with spaces to this width.

    A wide character that would be cut in half is left out.

    >>> fitted("日本", 3), fitted("日本", 6)
    ('日 ', '日本  ')
    """
    ends = accumulate(map(_width, text))
    kept = "".join(character for character, end in zip(text, ends, strict=True) if end <= width)
    return kept + " " * (width - cell_width(kept))


def _width(character: str) -> int:
    if category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if east_asian_width(character) in "WF" else 1
