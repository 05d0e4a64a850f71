"""Names that the examples in docstrings may use: rows a, b, c and `example`, an expression over ints x and y."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from semantics import Expression


def example(text: str) -> "Expression":
    from semantics import Schema, Scope, parse_expression

    return parse_expression(text, Scope(Schema.of(x=int, y=int)))


@pytest.fixture(autouse=True)
def doctest_names(doctest_namespace: dict[str, object]) -> None:
    """The imports wait until coverage is measured: this plugin is loaded before that."""
    from semantics.aggregate import CountRows

    rows = {name: (name,) for name in "abc"}
    doctest_namespace.update(rows, example=example, CountRows=CountRows)
