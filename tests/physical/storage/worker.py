"""A process that changes a persistent store, says how many changes are acknowledged, and kills itself (kill −9).

    python -m tests.physical.storage.worker DATABASE FILE PATTERN GROUP SEED LINES

It dies before a line of the stores' code is executed, when so many have been: so every point can be met.
"""

import os
import signal
import sys
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any, Literal, cast

import physical.storage
from physical.storage.create import create
from physical.storage.parameters import Parameters, Persistent, Sizes, UpdatePattern
from physical.storage.store import Store
from semantics import Schema
from semantics.value import Row

SCHEMA = Schema.of(key=int, text=str)


def opened(database: str, path: Path, pattern: str, group: int) -> Store:
    """The store that is there, or a new one."""
    update = UpdatePattern(pattern)
    where = Persistent(cast(Literal["sqlite", "duckdb"], database), path, group=group)
    key = ("key",) if update is UpdatePattern.IN_PLACE else ()
    sizes = Sizes(block=4, room=3)
    return create(Parameters(schema=SCHEMA, persistence=where, update=update, key=key, sizes=sizes))


def change(store: Store, items: dict[int, Row], random: Random, number: int) -> None:
    """One change to a store and to what should be in it."""
    newest = store.contents.layout.next_id
    item = (random.randrange(8), f"{number}" * random.randrange(1, 200))
    match store.parameters.update:
        case UpdatePattern.IN_PLACE:
            items[store.update(item)] = item
        case UpdatePattern.RANDOM if number % 3 == 2:
            gone = {random.randrange(newest) for _ in range(3)}
            store.delete_items(gone)
            _forget(items, gone)
        case UpdatePattern.FIFO if number % 5 == 4:
            last = random.randrange(newest)
            store.consume_up_to("consumer", last)
            _forget(items, set(range(last + 1)))
        case _:
            items[store.buffer_item(item)] = item


def _forget(items: dict[int, Row], gone: set[int]) -> None:
    for id in gone:
        items.pop(id, None)


def die_after(lines: int) -> None:
    """Kill this process when this many lines of the stores' code have been executed."""
    folder, left = str(Path(physical.storage.__file__).parent), lines

    def count(frame: FrameType, event: str, _: object) -> Any:
        nonlocal left
        if not frame.f_code.co_filename.startswith(folder):
            return None
        left -= event == "line"
        if left <= 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return count

    sys.settrace(count)


def main(database: str, path: str, pattern: str, group: str, seed: str, lines: str) -> None:
    store, random, items = opened(database, Path(path), pattern, int(group)), Random(seed), dict[int, Row]()
    die_after(int(lines))
    number = 0
    while True:
        change(store, items, random, number)
        number += 1
        sys.stdout.write(f"{store.acknowledged}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
