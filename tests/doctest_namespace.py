"""Names that the examples in docstrings may use: rows a, b, c and `example`, an expression over ints x and y."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from semantics import Expression


def example(text: str) -> "Expression":
    from semantics import Schema, Scope, parse_expression

    return parse_expression(text, Scope(Schema.of(x=int, y=int)))


def namespace() -> dict[str, object]:
    """The names; what they need is imported when they are asked for, so that coverage is measured by then."""
    from semantics.aggregate import CountRows

    return {**{name: (name,) for name in "abc"}, "example": example, "CountRows": CountRows}
