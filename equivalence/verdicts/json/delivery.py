"""How streams reached an engine, in a JSON document."""

from collections.abc import Mapping
from typing import Final

from equivalence.cases.delivery import WHOLE, Delivery
from equivalence.cases.schedules import Heartbeat, Push, Schedule, Step
from equivalence.verdicts.json.elements import MOST_ELEMENTS, some_elements
from equivalence.verdicts.json.reading import DocumentError, a_list, a_number, a_text, an_object, names, one_of
from semantics import Schema

LONGEST_NAME: Final = 1_000
LARGEST_SLACK: Final = 10_000


def a_delivery(value: object, where: str, schemas: Mapping[str, Schema]) -> Delivery:
    """Columns, a schedule with its slack, or nothing in particular."""
    if "schedule" not in names(value, where):
        return Delivery(columns=True) if _in_columns(value, where) else WHOLE
    parts = an_object(value, where, ("schedule", "slack"))
    slack = a_number(parts["slack"], f"{where}.slack", LARGEST_SLACK)
    return Delivery(schedule=_schedule(parts["schedule"], f"{where}.schedule", schemas), slack=slack)


def _in_columns(value: object, where: str) -> bool:
    chosen = an_object(value, where, (), ("columns",)).get("columns", False)
    if not isinstance(chosen, bool):
        raise DocumentError(f"{where}.columns: expected true or false, got {chosen!r}")
    return chosen


def _schedule(value: object, where: str, schemas: Mapping[str, Schema]) -> Schedule:
    def step(item: object, place: str) -> Step:
        return _push(item, place, schemas) if "push" in names(item, place) else _heartbeat(item, place, schemas)

    return tuple(a_list(value, where, step, MOST_ELEMENTS))


def _push(item: object, place: str, schemas: Mapping[str, Schema]) -> Push:
    parts = an_object(item, place, ("push", "source"))
    source = _source(parts["source"], place, schemas)
    elements = some_elements(parts["push"], f"{place}.push", schemas[source])
    if not elements:
        raise DocumentError(f"{place}.push: expected at least one element, got none")
    return Push(source, tuple(elements))


def _heartbeat(item: object, place: str, schemas: Mapping[str, Schema]) -> Heartbeat:
    parts = an_object(item, place, ("heartbeat",), ("source",))
    source = _source(parts["source"], place, schemas) if "source" in parts else None
    return Heartbeat(a_number(parts["heartbeat"], f"{place}.heartbeat", 2**62), source)


def _source(value: object, place: str, schemas: Mapping[str, Schema]) -> str:
    return one_of(a_text(value, f"{place}.source", LONGEST_NAME), f"{place}.source", schemas)
