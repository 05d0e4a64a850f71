"""A process that is killed at any point loses nothing that it acknowledged, and leaves no half of a change."""

import signal
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from physical.storage.create import create
from physical.storage.parameters import Parameters, UpdatePattern
from semantics.value import Row
from tests.paths import ROOT
from tests.physical.storage.worker import SCHEMA, change, opened


def killed(database: str, path: Path, pattern: str, group: int, seed: int, lines: int) -> int:
    """Let a process work until it dies at some line; how many changes it had acknowledged."""
    arguments = [database, str(path), pattern, str(group), str(seed), str(lines)]
    command = [sys.executable, "-m", "tests.physical.storage.worker", *arguments]
    process = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert process.returncode == -signal.SIGKILL, process.stderr
    return int((process.stdout.splitlines() or ["0"])[-1])


def after(pattern: str, seed: int, changes: int) -> dict[int, Row]:
    """What should be in the store after this many changes, from a store in memory that is not killed."""
    update = UpdatePattern(pattern)
    key = ("key",) if update is UpdatePattern.IN_PLACE else ()
    store, random, items = (
        create(Parameters(schema=SCHEMA, update=update, key=key)),
        Random(str(seed)),
        dict[int, Row](),
    )
    for number in range(changes):
        change(store, items, random, number)
    return items


@pytest.mark.parametrize("pattern", [pattern.value for pattern in UpdatePattern])
@pytest.mark.parametrize(("database", "group", "kills"), [("sqlite", 1, 2), ("sqlite", 5, 2), ("duckdb", 3, 1)])
def test_a_killed_process_loses_nothing_acknowledged(
    database: str, group: int, kills: int, pattern: str, tmp_path: Path
) -> None:
    if database == "duckdb":
        pytest.importorskip("duckdb")
    random = Random(f"{database}{pattern}{group}")
    for seed in range(kills):
        path = tmp_path / f"{seed}.db"
        acknowledged = killed(database, path, pattern, group, seed, random.randrange(1, 3000))
        store = opened(database, path, pattern, group)
        assert store.acknowledged >= acknowledged
        assert dict(store.contents.layout.items()) == after(pattern, seed, store.acknowledged)
        store.close()
