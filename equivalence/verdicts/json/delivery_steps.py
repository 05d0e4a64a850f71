"""How streams reached an engine, in a JSON document."""

from collections.abc import Mapping
from typing import Final

from equivalence.cases.delivery import WHOLE, Delivery, Stay
from equivalence.cases.schedules import Heartbeat, Push, Schedule, Step
from equivalence.verdicts.json.elements import MOST_ELEMENTS, read_elements
from equivalence.verdicts.json.reading import (
    DocumentError,
    read_choice,
    read_items,
    read_list,
    read_members,
    read_number,
    read_object,
    read_text,
)
from semantics import Schema

LONGEST_NAME: Final = 1_000
LARGEST_SLACK: Final = 10_000


def read_delivery(value: object, where: str, schemas: Mapping[str, Schema]) -> Delivery:
    """A schedule with its slack, columns, or whole streams."""
    if "schedule" not in read_members(value, where):
        return Delivery(columns=True) if _in_columns(value, where) else WHOLE
    parts = read_object(value, where, ("schedule", "slack"), ("added", "others", "unfinished"))
    slack = read_number(parts["slack"], f"{where}.slack", LARGEST_SLACK)
    schedule = _schedule(parts["schedule"], f"{where}.schedule", schemas)
    added = read_number(parts.get("added", 0), f"{where}.added", len(schedule))
    others = _others(parts.get("others", []), f"{where}.others", len(schedule))
    return Delivery(False, schedule, slack, added, others, _is_said(parts, "unfinished", where))


def _others(value: object, where: str, steps: int) -> tuple[Stay, ...]:
    """When other queries come and go: two numbers of steps, of which the second may be null."""

    def stay(item: object, place: str) -> Stay:
        parts = read_items(item, place, 2)
        if len(parts) != 2:
            raise DocumentError(f"{place}: expected when a query comes and when it goes, got {parts!r}")
        start = read_number(parts[0], place, steps)
        end = None if parts[1] is None else read_number(parts[1], place, steps)
        if end is not None and end < start:
            raise DocumentError(f"{place}: expected a query to go after it came, got {parts!r}")
        return start, end

    return tuple(read_list(value, where, stay, MOST_ELEMENTS))


def _in_columns(value: object, where: str) -> bool:
    return _is_said(read_object(value, where, (), ("columns",)), "columns", where)


def _is_said(parts: Mapping[str, object], name: str, where: str) -> bool:
    said = parts.get(name, False)
    if not isinstance(said, bool):
        raise DocumentError(f"{where}.{name}: expected true or false, got {said!r}")
    return said


def _schedule(value: object, where: str, schemas: Mapping[str, Schema]) -> Schedule:
    def step(item: object, place: str) -> Step:
        return _push(item, place, schemas) if "push" in read_members(item, place) else _heartbeat(item, place, schemas)

    return tuple(read_list(value, where, step, MOST_ELEMENTS))


def _push(item: object, place: str, schemas: Mapping[str, Schema]) -> Push:
    parts = read_object(item, place, ("push", "source"))
    source = _source(parts["source"], place, schemas)
    elements = read_elements(parts["push"], f"{place}.push", schemas[source])
    if not elements:
        raise DocumentError(f"{place}.push: expected at least one element, got none")
    return Push(source, tuple(elements))


def _heartbeat(item: object, place: str, schemas: Mapping[str, Schema]) -> Heartbeat:
    parts = read_object(item, place, ("heartbeat",), ("source",))
    source = _source(parts["source"], place, schemas) if "source" in parts else None
    return Heartbeat(read_number(parts["heartbeat"], f"{place}.heartbeat", 2**62), source)


def _source(value: object, place: str, schemas: Mapping[str, Schema]) -> str:
    return read_choice(read_text(value, f"{place}.source", LONGEST_NAME), f"{place}.source", schemas)
