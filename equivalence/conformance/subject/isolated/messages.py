"""What goes between the checker and the process of an engine: one JSON document a line, all of it checked when read.

Request: {"plans": […], "streams": {…}, "raw": […], "horizon": 12, "way": {…}}, or {"supports": plan}. Answer:
{"elements": [[value…, start, end], …]} with ends no later than the horizon, {"fault": name, "message": …},
{"supported": true} or {"unsupported": true}.
"""

import json
from dataclasses import dataclass
from typing import Any, Final

from equivalence.cases.delivery import Delivery
from equivalence.cases.random_cases import Case
from equivalence.conformance.subject.results import MOST_ELEMENTS, Element
from equivalence.verdicts.counterexample import json_inputs
from equivalence.verdicts.fault_kind import Fault, FaultKind
from equivalence.verdicts.json.delivery_steps import read_delivery
from equivalence.verdicts.json.document import LATEST_HORIZON, LONGEST_MESSAGE, raw_names, read_plan, read_streams
from equivalence.verdicts.json.elements import read_row
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
from semantics import Plan, Schema, Unsupported, show
from semantics.notation.json_values import json_value
from semantics.value import brief

BYTES_OF_AN_ANSWER: Final = 2**26
"""A longer answer is taken for a fault of the engine."""
MOST_DIFFERENCES: Final = 1000
SAID: Final = ("sessions", "limited", "knows_functions", "knows_types")
"""What an engine says of itself by yes or no, in the order of `Introduction`."""


@dataclass(frozen=True)
class Introduction:
    """What an engine says of itself before it is asked anything."""

    name: str
    tolerance: float | None
    sessions: bool
    limited: bool
    knows_functions: bool
    knows_types: bool
    latest: int | None = None
    differences: tuple[str, ...] = ()


def line(document: object) -> bytes:
    """A document as one line."""
    return json.dumps(document, separators=(",", ":")).encode() + b"\n"


def request(plan: Plan, case: Case, horizon: int, delivery: Delivery) -> dict[str, object]:
    """What to run: the plan, and of the streams those that it reads, unless a schedule pushes all their elements."""
    read = {name: case[name] for name in plan.sources()} if delivery.schedule is None else {}
    way = delivery.only(plan.sources()).to_json()
    return {**json_inputs(read, plan), "raw": raw_names(read), "horizon": horizon, "way": way}


def question_of_support(plan: Plan) -> dict[str, object]:
    return {"supports": show(plan)}


def read_request(text: bytes) -> Plan | tuple[Plan, Case, int, Delivery]:
    """What to run, or whether; the checker wrote it, so that only its form is read here."""
    parts: dict[str, Any] = json.loads(text)
    if "supports" in parts:
        return read_plan(parts["supports"], "supports")
    plan = read_plan(parts["plans"][0], "plan")
    schemas = plan.sources()
    delivery = read_delivery(parts["way"], "way", schemas)
    pushed = delivery.schedule is not None
    streams = delivery.pushed(schemas) if pushed else read_streams(parts["streams"], schemas, parts["raw"])
    return plan, streams, parts["horizon"], delivery


def answer(found: list[Element]) -> dict[str, object]:
    return {"elements": [[*map(json_value, row), start, end] for row, start, end in found]}


def fault_answer(fault: Fault) -> dict[str, object]:
    return {"fault": str(fault.name), "message": fault.message[:LONGEST_MESSAGE]}


SUPPORTED: Final[dict[str, object]] = {"supported": True}
UNSUPPORTED: Final[dict[str, object]] = {"unsupported": True}


def read_answer(document: object, schema: Schema, horizon: int) -> list[Element]:
    """The elements of an answer; raises the Fault that it holds, or Unsupported."""
    check_answer(document)
    listed = read_object(document, "answer", ("elements",))["elements"]
    return read_list(listed, "elements", lambda item, where: _element(item, where, schema, horizon), MOST_ELEMENTS)


def check_answer(document: object) -> None:
    """Raises the Fault that an answer holds, or Unsupported."""
    parts = read_members(document, "answer")
    if "unsupported" in parts:
        raise Unsupported("the engine does not support this plan")
    if "fault" in parts:
        raise _fault(document)


def _element(item: object, where: str, schema: Schema, horizon: int) -> Element:
    values = read_items(item, where, len(schema) + 2)
    if len(values) != len(schema) + 2:
        raise DocumentError(f"{where}: expected a row ({schema}), a start and an end, got {brief(values)}")
    start, end = (read_number(value, f"{where}: time", horizon) for value in values[-2:])
    if end <= start:
        raise DocumentError(f"{where}: expected an end after the start {start}, got {end}")
    return read_row(values[:-2], where, schema), start, end


def _fault(document: object) -> Fault:
    parts = read_object(document, "answer", ("fault", "message"))
    name = FaultKind(read_choice(parts["fault"], "fault", [name.value for name in FaultKind]))
    return Fault(name, read_text(parts["message"], "message", LONGEST_MESSAGE))


def read_introduction(document: object) -> Introduction:
    parts = read_object(document, "introduction", ("name", "tolerance", *SAID, "latest", "differences"))
    tolerance = parts["tolerance"]
    if tolerance is not None and not isinstance(tolerance, float | int):
        raise DocumentError(f"tolerance: expected a number, got {tolerance!r}")
    name = read_text(parts["name"], "name", LONGEST_MESSAGE)
    sessions, limited, functions, types = (bool(parts[member]) for member in SAID)
    latest = None if parts["latest"] is None else read_number(parts["latest"], "latest", LATEST_HORIZON)
    differences = tuple(str(one) for one in read_items(parts["differences"], "differences", MOST_DIFFERENCES))
    return Introduction(name, tolerance, sessions, limited, functions, types, latest, differences)
