"""The rows of a result, in whichever kind they come, as elements: rows with their start and end."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, Final, Literal, assert_never

from equivalence.conformance.subject.by_command.capabilities import ResultKind
from equivalence.conformance.subject.by_command.panes import Pane, panes_of
from equivalence.conformance.subject.by_command.wire_rows import wire_parts, wire_row, wire_span, wire_time, wire_whole
from equivalence.conformance.subject.results import Element
from equivalence.verdicts.fault_kind import Fault, FaultKind
from semantics import FOREVER, Plan, Row, Schema
from semantics.value import brief

Change = tuple[bool, Row, int]
"""Does the row come or go, and when?"""
ElementKind = Literal["intervals", "events", "retract", "upsert", "debezium", "snapshots", "snapshot"]
"""The kinds of result that say by themselves when their rows are valid."""
OPERATIONS: Final = {"+": True, "-": False}


def panes_in(rows: Sequence[object], schema: Schema) -> list[Pane]:
    """The panes that the rows of an answer mean."""
    return [_pane(item, schema, f"row {i}") for i, item in enumerate(rows)]


def result_elements(kind: ResultKind, rows: Sequence[object], plan: Plan, answer: dict[str, Any]) -> list[Element]:
    """The elements of a plan's result, whatever the kind of its rows."""
    if kind != "panes" and kind != "updates":
        return elements_in(kind, rows, plan.schema, answer)
    panes, found = panes_of(plan), panes_in(rows, plan.schema)
    assert panes is not None
    final = found if kind == "panes" else last_versions(found, _key(answer.get("key"), plan.schema))
    return [panes.shown(pane) for pane in final]


def last_versions(panes: Sequence[Pane], key: Callable[[Row], Row]) -> list[Pane]:
    """Of the rows with the same key and window, the one that came last."""
    return list({(key(row), start, end): (row, start, end) for row, start, end in panes}.values())


def elements_in(kind: ElementKind, rows: Sequence[object], schema: Schema, answer: dict[str, Any]) -> list[Element]:
    """The elements that the rows of an answer mean; what they cannot mean is a Fault."""
    match kind:
        case "intervals":
            return [_interval(item, schema, f"row {i}") for i, item in enumerate(rows)]
        case "events":
            return [_event(item, schema, f"row {i}") for i, item in enumerate(rows)]
        case "retract":
            return _folded([_change(item, schema, f"row {i}") for i, item in enumerate(rows)])
        case "upsert":
            changes = [_change(item, schema, f"row {i}") for i, item in enumerate(rows)]
            return _folded(_retracted(changes, _key(answer.get("key"), schema)))
        case "debezium":
            return _folded(change for i, item in enumerate(rows) for change in _envelope(item, schema, f"row {i}"))
        case "snapshot":
            at = wire_time(answer.get("at"), "at")
            whole = _snapshot([at, list(rows)], schema, "snapshot")
            return [(row, at, at + 1) for row in whole[1]]
        case "snapshots":
            return _held([_snapshot(item, schema, f"snapshot {i}") for i, item in enumerate(rows)])
        case _:
            assert_never(kind)


def _interval(item: object, schema: Schema, where: str) -> Element:
    *values, start, end = wire_parts(item, len(schema) + 2, f"values of ({schema}), a start and an end", where)
    return wire_row(values, schema, where), *wire_span(start, end, where)


def _pane(item: object, schema: Schema, where: str) -> Pane:
    form = f"values of ({schema}), the start and the end of a window"
    *values, start, end = wire_parts(item, len(schema) + 2, form, where)
    begin, stop = wire_whole(start, f"{where}: start"), wire_time(end, f"{where}: end")
    return wire_row(values, schema, where), begin, stop


def _event(item: object, schema: Schema, where: str) -> Element:
    *values, time = wire_parts(item, len(schema) + 1, f"values of ({schema}) and an instant", where)
    instant = wire_time(time, where)
    return wire_row(values, schema, where), instant, instant + 1


def _change(item: object, schema: Schema, where: str) -> Change:
    form = f'"+" or "-", values of ({schema}) and an instant'
    sign, *values, time = wire_parts(item, len(schema) + 2, form, where)
    if not isinstance(sign, str) or sign not in OPERATIONS:
        raise Fault(FaultKind.WRONG_SCHEMA, f'{where} must begin with "+" or "-", got {brief(sign)}')
    return OPERATIONS[sign], wire_row(values, schema, where), wire_time(time, where)


def _envelope(item: object, schema: Schema, where: str) -> Iterator[Change]:
    """A row before the change goes, the row after it comes."""
    if not isinstance(item, dict) or not {"before", "after", "ts_ms"} <= set(item):
        raise Fault(FaultKind.WRONG_SCHEMA, f"{where} must have before, after and ts_ms, got {brief(item)}")
    time = wire_time(item["ts_ms"], f"{where}: ts_ms")
    for side, comes in (("before", False), ("after", True)):
        if item[side] is not None:
            yield comes, _named_row(item[side], schema, f"{where}: {side}"), time


def _named_row(item: object, schema: Schema, where: str) -> Row:
    if not isinstance(item, dict) or sorted(item) != sorted(schema.names):
        raise Fault(FaultKind.WRONG_SCHEMA, f"{where} must have the columns {schema}, got {brief(item)}")
    return wire_row([item[name] for name in schema.names], schema, where)


def _key(positions: object, schema: Schema) -> Callable[[Row], Row]:
    """The part of a row that an upsert replaces by."""
    if not isinstance(positions, list) or not all(type(p) is int and 0 <= p < len(schema) for p in positions):
        expected = "a result whose rows replace others needs a key, a list of positions of columns"
        raise Fault(FaultKind.BREAKS_PROTOCOL, f"{expected} below {len(schema)}; got {brief(positions)}")
    return lambda row: tuple(row[p] for p in positions)


def _retracted(changes: Iterable[Change], key: Callable[[Row], Row]) -> Iterator[Change]:
    """Upserts as a log of rows that come and go: a new row takes the place of that with the same key."""
    shown: dict[Row, Row] = {}
    for comes, row, time in changes:
        earlier = shown.pop(key(row), None)
        if earlier is not None:
            yield False, earlier, time
        elif not comes:
            raise Fault(FaultKind.BREAKS_PROTOCOL, f"the key {key(row)} is deleted at {time}, but is not there")
        if comes:
            shown[key(row)] = row
            yield True, row, time


def _folded(changes: Iterable[Change]) -> list[Element]:
    """What the changes so far add up to; each row that goes takes away the copy that came last."""
    listed = list(changes)
    _check_order([time for _, _, time in listed], "change")
    present: dict[Row, list[int]] = {}
    found: list[Element] = []
    for comes, row, time in listed:
        if comes:
            present.setdefault(row, []).append(time)
        elif not present.get(row):
            raise Fault(FaultKind.BREAKS_PROTOCOL, f"{row} is taken back at {time}, but is not there")
        elif (start := present[row].pop()) < time:
            found.append((row, start, time))
    return found + [(row, start, FOREVER) for row, starts in present.items() for start in starts]


def _snapshot(item: object, schema: Schema, where: str) -> tuple[int, list[Row]]:
    time, rows = wire_parts(item, 2, "an instant and a list of rows", where)
    if not isinstance(rows, list):
        raise Fault(FaultKind.WRONG_SCHEMA, f"{where} must be an instant and a list of rows, got {brief(item)}")
    form = f"values of ({schema})"
    return wire_time(time, where), [wire_row(wire_parts(row, len(schema), form, where), schema, where) for row in rows]


def _held(snapshots: list[tuple[int, list[Row]]]) -> list[Element]:
    """Each snapshot holds until the next one, and the last one for ever."""
    times = [time for time, _ in snapshots]
    _check_order(times, "snapshot")
    ends = [*times[1:], FOREVER] if times else []
    return [(row, t, end) for (t, rows), end in zip(snapshots, ends, strict=True) for row in rows if t < end]


def _check_order(times: list[int], what: str) -> None:
    for i, (before, after) in enumerate(pairwise(times), 1):
        if after < before:
            raise Fault(FaultKind.UNSORTED_OUTPUT, f"{what} {i} is at {after}, the one before it at {before}")
