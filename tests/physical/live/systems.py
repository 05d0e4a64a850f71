"""Small systems for tests."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from physical.columns.stream import PhysicalStream
from physical.live.core import Surroundings
from physical.live.declared import Declared
from physical.live.records import SentLines
from physical.live.running_query import RunningQuery
from physical.live.settings import Limits, Settings
from physical.live.state_folder import StateFolder
from physical.live.system import LiveSystem
from semantics.expression import ScalarFunction
from semantics.sql import Catalogue, read_script

CATALOGUE = """
CREATE STREAM Bid(item INT, price FLOAT, ts BIGINT) ORDERED BY ts;
CREATE STREAM Sale(item INT, buyer TEXT, ts BIGINT) ORDERED BY ts;
"""
TABLE = "CREATE TABLE Item(id INT, name TEXT);"
COUNTS = "SELECT item, COUNT(*) AS n FROM Bid WINDOW(RANGE 10) GROUP BY item"
ITEMS = "SELECT item FROM Bid"
JOINED = "SELECT B.item, buyer FROM Bid WINDOW(RANGE 10) AS B, Sale WINDOW(ROWS 2) AS S WHERE B.item = S.item"
BID_COLUMNS = ("item", "price", "ts")
RUNNING: list[LiveSystem] = []


def new_system(
    state: Path | None = None,
    settings: Settings | None = None,
    limits: Limits | None = None,
    *,
    files: Mapping[str, Path] = {},
    folder: Path | None = None,
    bad: Path | None = None,
    tables: Mapping[str, PhysicalStream] = {},
    catalogue: str = CATALOGUE,
    functions: Sequence[ScalarFunction] = (),
    **around: Any,
) -> LiveSystem:
    """A system over the catalogue; with a state folder, one that goes on from it."""
    limits = limits or Limits()
    declared = Declared(read_script(catalogue, Catalogue.of({}, functions)), limits.line_bytes)
    system = LiveSystem(
        Surroundings(declared, result_files=files, folder=folder, results=limits.results, **around),
        settings or Settings(),
        limits,
        tables=tables,
        folder=None if state is None else StateFolder(state),
        bad=bad,
    )
    RUNNING.append(system)
    return system


def kill(system: LiveSystem) -> None:
    """End a system as a crash would: nothing is saved, and only what is on disk is left."""
    RUNNING.remove(system)
    system.abandon()


def bids(*rows: tuple[object, ...], sender: str = "") -> SentLines:
    """Bids as somebody would send them."""
    text = "".join(",".join(map(str, row)) + "\n" for row in rows).encode()
    return SentLines("Bid", "test", BID_COLUMNS, text, sender, len(rows))


def sales(*rows: tuple[object, ...]) -> SentLines:
    text = "".join(",".join(map(str, row)) + "\n" for row in rows).encode()
    return SentLines("Sale", "test", ("item", "buyer", "ts"), text, "", len(rows))


def rows_of(query: RunningQuery) -> list[tuple[Any, ...]]:
    """All results that are held, each with its start and end."""
    _, batches = query.buffer.after(0)
    return [(*row, interval.start, interval.end) for b in batches for row, interval in b.to_interval().elements]
