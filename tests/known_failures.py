"""The plugin that expects the failures listed in `known_failures.txt`, by their exact names."""

from pathlib import Path

import pytest

LISTED = Path(__file__).with_name("known_failures.txt").read_text(encoding="utf-8").splitlines()
REASONS = dict(line.split(" => ", 1) for line in LISTED if line and not line.startswith("#"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.nodeid in REASONS:
            item.add_marker(pytest.mark.xfail(reason=REASONS[item.nodeid], strict=False))
