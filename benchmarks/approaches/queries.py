"""Queries of every type, over seeded raw streams with about one element per instant."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from physical.columns.column import ColumnVector
from physical.columns.stream import PhysicalStream
from semantics import Plan, Schema, Type, parse_plan

SCHEMA: Final = Schema.of(k=int, x=int)
KEYS: Final = 1000
"""Different keys."""


@dataclass(frozen=True)
class Query:
    """A query over S and R; `{w}` is the length of its windows, in instants or rows."""

    name: str
    text: str
    end_unknown: bool
    """With intervals: is it unknown how long a result is valid when it begins?"""
    time_based: bool = True

    def plan(self, window: int) -> Plan:
        return parse_plan(
            self.text.replace("{s}", "S(k int, x int)").replace("{r}", "R(k int, x int)").format(w=window)
        )


QUERIES: Final = (
    Query("window", "{s} | window(range {w})", False),
    Query("filter", "{s} | window(range {w}) | filter(x < 500)", False),
    Query("equijoin", "join({s} | window(range {w}), {r} | window(range {w}) | map(k as k2, x as x2); k = k2)", False),
    Query("distinct", "{s} | window(range {w}) | map(k as k) | distinct", False),
    Query("aggregation", "{s} | window(range {w}) | aggregate(sum(x) as total)", True),
    Query("grouping", "{s} | window(range {w}) | group(k; sum(x) as total)", True),
    Query("grouped maximum", "{s} | window(range {w}) | group(k; max(x) as most)", True),
    Query(
        "difference", "difference({s} | window(range {w}) | map(k as k), {r} | window(range {w}) | map(k as k))", True
    ),
    Query("semijoin", "semijoin({s} | window(range {w}), {r} | window(range {w}) | map(k as k2); k = k2)", True),
    Query("count window", "{s} | window(rows {w})", True, time_based=False),
    Query("partitioned window", "{s} | window(partition by k rows 2)", True, time_based=False),
)


def streams(size: int, seed: int) -> dict[str, PhysicalStream]:
    """Two raw streams of this size, with about one element per instant."""
    return {name: _raw(size, seed + i) for i, name in enumerate("SR")}


def _raw(size: int, seed: int) -> PhysicalStream:
    random = np.random.default_rng(seed)
    start = np.sort(random.integers(0, size, size))
    columns = (
        ColumnVector(Type.INT, random.integers(0, KEYS, size)),
        ColumnVector(Type.INT, random.integers(0, 1000, size)),
    )
    return PhysicalStream(SCHEMA, columns, start, start + 1)
