"""The queries of this folder, as whole plans and as boxes between stores."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import numpy as np

from examples.linear_road.network import Network, boxes_of
from physical.columns.stream import PhysicalStream
from semantics import Plan
from semantics.sql import Catalogue, parse_script, read_script

FOLDER = Path(__file__).parent
ORDER = (
    "stopped",
    "accident",
    "segment_speed",
    "segment_cars",
    "segment_toll",
    "crossing",
    "toll",
    "accident_alert",
    "balance",
    "expenditure",
)
"""Each file sees the streams of those before it."""
TABLES = ("Tariff", "History")


def text(name: str) -> str:
    return (FOLDER / f"{name}.sql").read_text(encoding="utf-8")


def catalogue() -> Catalogue:
    return read_script(text("schema"))


@cache
def plans() -> dict[str, Plan]:
    """Every query over the streams from outside alone, by the name of its stream."""
    known, found = catalogue(), {}
    for name in ORDER:
        script = parse_script(text(name), known)
        (stream,) = set(script.catalogue.relations) - set(known.relations)
        known, found[stream] = script.catalogue, script.plan
    return found


def boxes() -> dict[str, Plan]:
    """Every query over the streams that it names."""
    return boxes_of([text(name) for name in ORDER], catalogue())


def drive(network: Network, streams: Mapping[str, PhysicalStream], minutes: int) -> None:
    """Let time pass minute by minute."""
    for table in TABLES:
        network.push(table, streams[table])
    for t in range(60, 60 * minutes + 61, 60):
        for name in streams.keys() - set(TABLES):
            since, until = np.searchsorted(streams[name].start, [t - 60, t])
            network.push(name, streams[name].take(np.s_[since:until]))
        network.advance(t)
    network.advance()
