"""The plugin that gives the examples in docstrings the names of `doctest_namespace`."""

from pathlib import Path
from typing import Final

import pytest

from tests.doctest_namespace import namespace

ELSEWHERE: Final = ("beam", "bytewax", "pathway")


@pytest.fixture(autouse=True)
def doctest_names(doctest_namespace: dict[str, object]) -> None:
    doctest_namespace.update(namespace())


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Programs for engines in environments of their own cannot be imported here."""
    return True if collection_path.stem in ELSEWHERE and collection_path.parent.name == "workers" else None
