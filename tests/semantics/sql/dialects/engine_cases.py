"""Cases from engines' own suites, which lie beside the repository: read, run on the reference, compared."""

import csv
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from equivalence.recordings.late_plan import LatePlan
from equivalence.recordings.late_policy import Lateness
from semantics import FOREVER, Interval, IntervalStream, Plan, RawStream, evaluate_sparse
from semantics.casts import cast_value
from semantics.expression import evaluate
from semantics.plan import LandmarkWindow, SessionWindow, Source
from semantics.schema import Column, Schema
from semantics.sql import Declaration, parse_script
from semantics.sql.dialects.reading import Reading
from semantics.sql.dialects.registry import profile_named, read_dialect
from semantics.sql.dialects.statements import StatementReader
from semantics.sql.units import TimeUnit, instant
from semantics.stream import Stream
from semantics.time import End
from semantics.types import Type
from semantics.value import NULL, Value

NO_VALUE = "\\N"
SIGNS = {"+I": 1, "+U": 1, "-U": -1, "-D": -1}
DECLARED = {
    "calcite": "CREATE STREAM ORDERS(ROWTIME TIMESTAMP, ID INT, PRODUCT VARCHAR, UNITS INT) ORDERED BY ROWTIME;",
    "spark": "CREATE TABLE ts_data(a STRING, ts TIMESTAMP); CREATE TABLE ts_vals(v INT, ts TIMESTAMP);",
}
"""What the suites declare elsewhere."""


@dataclass(frozen=True)
class EngineCase:
    """One folder: inputs in the order of arrival, a query and the rows that the engine's suite expects."""

    folder: Path

    @property
    def dialect(self) -> str:
        return str(json.loads((self.folder / "case.json").read_text())["dialect"])

    @property
    def script(self) -> str:
        """The query with declarations: those of Flink stand in comments."""
        text = (self.folder / "query.sql").read_text()
        found = re.findall(r"^-- (?:SOURCE|SINK) (\S+) (\(.*\))$", text, re.M)
        tables = "".join(f"CREATE TABLE {name} {columns};\n" for name, columns in found)
        return DECLARED.get(self.dialect, "") + tables + text

    def input(self, name: str) -> list[dict[str, str]]:
        return _rows(self.folder / "inputs" / f"{name}.csv")

    @property
    def expected(self) -> list[dict[str, str]]:
        return _rows(self.folder / "expected.csv")


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def cases_in(root: Path) -> list[EngineCase]:
    return [EngineCase(path.parent) for path in sorted(root.glob("*/*/case.json"))]


def right(case: EngineCase, surplus: int = 0) -> bool:
    """Does the reference give just the rows that are expected, without so many columns at their beginning?"""
    reading = read_dialect(case.script, case.dialect)
    script = parse_script(reading.text)
    streams = {name: _stream(case, found) for name, found in script.catalogue.relations.items()}
    plan: Plan = script.plan
    if reading.kind == "panes" and case.dialect == "flink" and reading.watermarks:
        plan, late = _with_late_rows(case, plan, reading, script.catalogue.relations)
        streams |= late
    for name, schema in plan.sources().items():
        streams.setdefault(name, RawStream(schema))
    result = evaluate_sparse(plan, streams)
    return _answer(result.runs, reading) == _wanted(case, plan.schema, reading, surplus)


def _answer(runs: Iterable[tuple[tuple[Value, ...], Interval, int]], reading: Reading) -> Counter[object]:
    """All rows that come for an instant, or those that are there in the end."""
    if reading.kind in ("panes", "events"):
        return Counter({_shown(row): n for row, n in _summed(runs).items()})
    return Counter({_shown(row): n for row, n in _summed(r for r in runs if r[1].end == FOREVER).items()})


def _summed(runs: Iterable[tuple[tuple[Value, ...], Interval, int]]) -> Counter[tuple[Value, ...]]:
    found: Counter[tuple[Value, ...]] = Counter()
    for row, interval, n in runs:
        found[row] += n if interval.end == FOREVER else n * (int(interval.end) - interval.start)
    return found


def _shown(row: tuple[Value, ...]) -> tuple[object, ...]:
    return tuple(round(value, 9) if isinstance(value, float) else value for value in row)


def _wanted(case: EngineCase, schema: Schema, reading: Reading, surplus: int) -> Counter[object]:
    """The expected rows, as a log of changes says them; by position, for names of results differ."""
    rows = [(row.get("_op", "+I"), [v for k, v in row.items() if k != "_op"][surplus:]) for row in case.expected]
    if any(len(row) != len(schema) for _, row in rows):
        return Counter(tuple(row) for _, row in rows)
    values = [(op, _shown(tuple(_value(v, t) for v, t in zip(row, schema.types, strict=True)))) for op, row in rows]
    found: Counter[object] = Counter()
    if reading.keys and not any(op == "-U" for op, _ in values):
        places = [schema.names.index(next(n for n in schema.names if n.lower() == k.lower())) for k in reading.keys]
        last: dict[object, tuple[str, object]] = {}
        for op, row in values:
            last[tuple(row[i] for i in places)] = (op, row)
        return Counter(row for op, row in last.values() if op != "-D")
    for op, row in values:
        found[row] += SIGNS[op]
    return +found


def _value(text: str, type_: Type) -> Value:
    return NULL if text == NO_VALUE else cast_value(text, Type.STR, type_)


def _stream(case: EngineCase, found: object) -> Stream:
    assert isinstance(found, Declaration)
    if not (case.folder / "inputs" / f"{found.name}.csv").exists():
        return RawStream(found.schema)
    if found.is_table:
        return IntervalStream(found.schema, [(row, Interval(0, FOREVER)) for row in _net(case, found)])
    return RawStream(found.schema, sorted(_timed(case, found), key=lambda element: element[1]))


def _net(case: EngineCase, found: Declaration) -> list[tuple[Value, ...]]:
    """What is left of a log of changes; without old values, new ones replace them."""
    rows = [(row.get("_op", "+I"), _row(row, found)) for row in case.input(found.name)]
    keys = _key_of(case, found)
    if keys and not any(op == "-U" for op, _ in rows):
        last = {tuple(row[i] for i in keys): (op, row) for op, row in rows}
        return [row for op, row in last.values() if op != "-D"]
    counts = Counter[tuple[Value, ...]]()
    for op, row in rows:
        counts[row] += SIGNS[op]
    return list((+counts).elements())


def _key_of(case: EngineCase, found: Declaration) -> list[int]:
    """The places of the primary key that the script declares."""
    declared = StatementReader(case.script, profile_named(case.dialect)).read().tables[found.name.lower()]
    names = [name.lower() for name in found.schema.names]
    return [names.index(key.lower()) for key in declared.keys]


def _row(row: Mapping[str, str], found: Declaration) -> tuple[Value, ...]:
    by_name = {name.lower(): value for name, value in row.items()}
    return tuple(_value(by_name[column.name.lower()], column.type) for column in found.schema.columns)


def _timed(case: EngineCase, found: Declaration) -> list[tuple[tuple[Value, ...], int]]:
    """Rows with their times, in the order of arrival; a row without a time is in no window."""
    made = []
    for row in case.input(found.name):
        values = _row(row, found)
        if found.clock is not None:
            time = evaluate(found.clock, values)
            micros = time if isinstance(time, int) else None
            at = None if micros is None else micros // 1000
        else:
            text = next(value for name, value in row.items() if name.lower() == str(found.ordered).lower())
            at = None if text == NO_VALUE else instant(text, TimeUnit.MILLISECOND)
        if at is not None:
            made.append((values, at))
    return made


@dataclass(frozen=True)
class Held:
    """A stream as one window sees it."""

    source: str
    schema: Schema
    size: End
    landmark: LandmarkWindow | None
    timed: bool

    def until(self, t: int) -> End:
        if self.landmark is None:
            return FOREVER if self.size == FOREVER else t + int(self.size)
        start, reset = self.landmark.start, int(self.landmark.reset or 0)
        return (t - start) // reset * reset + reset + start


class LateInMemory(LatePlan):
    """Where lateness matters in a plan; the streams come from memory."""

    def __init__(self, lateness: Lateness, raw: Iterable[str]) -> None:
        self.lateness, self.step, self.offset = lateness, None, 0
        self.raw = frozenset(raw)
        self.held: dict[str, Held] = {}

    def _sessions(self, plan: SessionWindow) -> Plan:
        """Sessions of all rows; which of them take late ones, the tests of the command say."""
        return plan.with_inputs(*map(self.rewritten, plan.inputs))

    def _late(
        self, source: Source, size: End, step: int, landmark: LandmarkWindow | None = None, *, timed: bool = False
    ) -> Source:
        name = f"{source.name} held {size} by {step} since {landmark} {timed}"
        columns = (*source.schema.columns, Column("time", Type.INT)) if timed else source.schema.columns
        self.held[name] = Held(source.name, Schema(columns), size, landmark, timed)
        return Source(name, Schema(columns))


def _with_late_rows(
    case: EngineCase, plan: Plan, reading: Reading, relations: Mapping[str, object]
) -> tuple[Plan, dict[str, Stream]]:
    """Flink's rule: a row is valid from the watermark before it on, if that is later than its own time."""
    late = LateInMemory(Lateness("drop-pane"), reading.watermarks)
    made = late.rewritten(plan)
    streams: dict[str, Stream] = {}
    for name, held in late.held.items():
        found = relations[held.source]
        assert isinstance(found, Declaration)
        delay = reading.watermarks[held.source][1] // 1000
        elements, latest = [], -1
        for row, t in _timed(case, found):
            by_window = held.size != 1 or held.landmark is not None
            start = max(t, latest - delay + 1) if by_window and latest >= 0 else t
            if start < held.until(t):
                elements.append(((*row, t) if held.timed else row, Interval(start, held.until(t))))
            latest = max(latest, t)
        streams[name] = IntervalStream(held.schema, sorted(elements, key=lambda element: element[1].start))
    return made, streams
