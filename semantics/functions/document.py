"""The table as a page of documentation: `python -m semantics.functions.document` prints it."""

from semantics.functions.definition import Function, Shorthand
from semantics.functions.table import FAMILIES, shown


def document() -> str:
    """All functions, family by family, as tables of Markdown."""
    parts = [_family(title, functions) for title, functions in FAMILIES.items()]
    return "\n".join(parts)


def _family(title: str, functions: tuple[Function | Shorthand, ...]) -> str:
    lines = [_line(found) for found in functions]
    return "\n".join(
        [f"### {title}", "", "| function | takes and gives | meaning | examples |", "|---|---|---|---|", *lines, ""]
    )


def _line(found: Function | Shorthand) -> str:
    names = ", ".join(f"`{name.upper()}`" for name in found.names)
    examples = "<br>".join(f"`{sql}` is `{value}`" for sql, value in found.examples)
    cells = (names, shown(found), found.about, examples)
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


if __name__ == "__main__":
    print(document())
