"""Names as text of the language."""

import re

from semantics.sql.grammar.words import RESERVED


def name_text(name: str) -> str:
    """A name, in quotes if it would be read as something else.

    >>> name_text("price"), name_text("select"), name_text("my x")
    ('price', '"select"', '"my x"')
    """
    plain = re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) and name.upper() not in RESERVED
    return name if plain else '"' + name.replace('"', '""') + '"'
