"""The plugin that gives the examples in docstrings the names of `doctest_namespace`."""

import pytest

from tests.doctest_namespace import namespace


@pytest.fixture(autouse=True)
def doctest_names(doctest_namespace: dict[str, object]) -> None:
    doctest_namespace.update(namespace())
