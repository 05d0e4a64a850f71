"""What a join of two whole streams means once they have ended: a relational join with times as columns."""

from typing import cast

from equivalence.cases.case_column import lift_cases
from equivalence.cases.random_cases import Case
from physical.adapters.spark.feed import EventFeed
from physical.adapters.spark.stream_joins import Kind, stream_join_rows
from semantics import Multiset, Plan, RawStream, Row, Schema, Stream, Type, evaluate, parse_plan
from semantics.constraint import elements_of
from semantics.schema import Column

WITHIN = 2
CONDITION = f"x = y and u >= t and u <= t + {WITHIN}"
KINDS: dict[str, Kind] = {"inner": "inner", "left": "left", "right": "right", "full": "full", "left_semi": "left_semi"}
WORDS = {"inner": "join", "left": "leftjoin", "right": "rightjoin", "full": "fulljoin", "left_semi": "semijoin"}


def meaning(kind: Kind, type_: str = "int") -> Plan:
    """The join as a plan over rows with their times."""
    return parse_plan(f"{WORDS[kind]}(A(x {type_}, t int), B(y {type_}, u int); {CONDITION})")


def timeless(stream: Stream, time: str) -> RawStream:
    """All rows at instant 0, with their time as another column."""
    schema = Schema((*stream.schema.columns, Column(time, Type.INT)))
    return RawStream(schema, [((*row, interval.start), 0) for row, interval in elements_of(stream)])


def right(kind: Kind, case: Case, type_: str = "int") -> Multiset:
    """What the reference says of a case."""
    sources = {"A": timeless(case["A"], "t"), "B": timeless(case["B"], "u")}
    return evaluate(meaning(kind, type_), sources, 1).snapshots[0]


def together(kind: Kind, plan: Plan, cases: list[Case], feed: EventFeed) -> list[Multiset]:
    """What Spark says of each case, all in one run, told apart by a column."""
    sources = {name: s for name, s in lift_cases(plan, cases).items() if name in "AB"}
    apart: list[list[Row]] = [[] for _ in cases]
    for row in stream_join_rows(kind, sources, 2, WITHIN, feed):
        number = row[0] if row[0] is not None else row[3]
        apart[cast(int, number)].append(tuple(v for i, v in enumerate(row) if i not in (0, 3)))
    return [Multiset(rows) for rows in apart]


def sources_of(type_: str) -> Plan:
    """A plan over the two sources without their times: cases are generated for it."""
    return parse_plan(f"join(A(x {type_}), B(y {type_}); x = y)")
