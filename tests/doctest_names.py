"""Names that the examples in docstrings may use: rows a, b, c and `example`, an expression over ints x and y."""

import pytest

from semantics import Expression, Schema, Scope, parse_expression
from semantics.aggregate import CountRows


def example(text: str) -> Expression:
    return parse_expression(text, Scope(Schema.of(x=int, y=int)))


@pytest.fixture(autouse=True)
def doctest_names(doctest_namespace: dict[str, object]) -> None:
    rows = {name: (name,) for name in "abc"}
    doctest_namespace.update(rows, example=example, CountRows=CountRows)
