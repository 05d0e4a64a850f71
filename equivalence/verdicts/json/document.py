"""Counterexamples as JSON that `snapeq replay` reads back: the document of a verdict, and what else a replay needs.

{"verdict": "refuted", "evidence": {…}, "counterexample": {"streams": {"S": [[row…, start, end], …]}, "plans": […],
 "instant": 3, "left": [[row…], …], "right": [[row…], …]}, "raw": ["S"], "engine": "interval", "equivalence": "…"}

The columns of a stream follow from the plans that read it. Reading a document runs nothing and loads nothing.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final, get_args

from equivalence.cases.functions import KNOWN_FUNCTIONS
from equivalence.lists.equivalences import Equivalence
from equivalence.verdicts.counterexample import Counterexample
from equivalence.verdicts.engine_fault import EngineFault
from equivalence.verdicts.fault_kind import FaultKind
from equivalence.verdicts.json.delivery_steps import read_delivery
from equivalence.verdicts.json.elements import MOST_ELEMENTS, read_snapshot, read_stream
from equivalence.verdicts.json.reading import (
    DocumentError,
    read_choice,
    read_list,
    read_members,
    read_number,
    read_object,
    read_text,
)
from equivalence.verdicts.verdict import Verdict, VerdictKind
from semantics import Plan, RawStream, Schema, SnapeqError, Stream, parse_plan
from semantics.value import brief

LATEST_INSTANT: Final = 2**64
"""The latest wrong instant at which two plans may differ: later than any window that begins before 2⁶² ends."""
LATEST_HORIZON: Final = 2**63 - 1
"""The latest wrong instant of an engine, whose times have 64 bits."""
LONGEST_PLAN: Final = 20_000
"""Characters."""
LONGEST_MESSAGE: Final = 20_000
_PARTS: Final = ("streams", "plans", "instant", "left", "right")
_FAULT_PARTS: Final = (*_PARTS, "fault", "message", "horizon")
_MORE: Final = ("blamed", "way")


@dataclass(frozen=True)
class SavedCase:
    """A counterexample with how its sides are to be compared: by two plans, or by one plan and an engine."""

    found: Counterexample | EngineFault
    engine: str | None = None
    equivalence: Equivalence = "snapshot-multiset"


def to_json(
    verdict: Verdict, *, engine: str | None = None, equivalence: Equivalence = "snapshot-multiset"
) -> dict[str, object]:
    """The document to save."""
    found = verdict.counterexample
    raw = raw_names(found.streams) if isinstance(found, Counterexample | EngineFault) else []
    more = {"raw": raw, "engine": engine, "equivalence": None if equivalence == "snapshot-multiset" else equivalence}
    return {**verdict.to_json(), **{key: value for key, value in more.items() if value}}


def raw_names(streams: Mapping[str, Stream]) -> list[str]:
    """Those of the streams that are raw ones, which their elements alone do not tell."""
    return sorted(name for name, stream in streams.items() if isinstance(stream, RawStream))


def from_json(document: object) -> Counterexample | EngineFault:
    """The counterexample of a saved document, or of the document of a counterexample alone."""
    return read_case(document).found


def read_case(document: object) -> SavedCase:
    """The case in a document; anything else is an error that says where."""
    try:
        if "plans" in read_members(document, "case"):
            return SavedCase(_counterexample(document, ()))
        return _saved(document)
    except RecursionError:
        raise DocumentError("case: a plan is nested too deeply") from None


def _saved(document: object) -> SavedCase:
    parts = read_object(document, "case", ("verdict", "evidence", "counterexample"), ("raw", "engine", "equivalence"))
    read_choice(parts["verdict"], "verdict", get_args(VerdictKind))
    read_members(parts["evidence"], "evidence")
    if parts["counterexample"] is None:
        raise DocumentError(f"case: expected a counterexample, got a verdict without one: {parts['verdict']}")
    raw = read_list(
        parts.get("raw", []), "raw", lambda value, where: read_text(value, where, LONGEST_PLAN), MOST_ELEMENTS
    )
    engine = read_text(parts["engine"], "engine", 200) if "engine" in parts else None
    equivalence: Any = read_choice(parts.get("equivalence", "snapshot-multiset"), "equivalence", get_args(Equivalence))
    return SavedCase(_counterexample(parts["counterexample"], raw), engine, equivalence)


def _counterexample(document: object, raw: Collection[str]) -> Counterexample | EngineFault:
    if "fault" in read_members(document, "counterexample"):
        return _engine_fault(document, raw)
    parts = read_object(document, "counterexample", _PARTS, _MORE)
    plans = _plans(parts["plans"], 2)
    schemas = _schemas(plans)
    return Counterexample(
        tuple(plans),
        read_streams(parts["streams"], schemas, raw),
        read_number(parts["instant"], "instant", LATEST_INSTANT if len(plans) == 2 else LATEST_HORIZON),
        read_snapshot(parts["left"], "left", plans[0].schema),
        read_snapshot(parts["right"], "right", plans[-1].schema),
        _blamed(parts),
        read_delivery(parts["way"], "way", schemas) if "way" in parts else None,
    )


def _engine_fault(document: object, raw: Collection[str]) -> EngineFault:
    parts = read_object(document, "counterexample", _FAULT_PARTS, _MORE)
    plans = _plans(parts["plans"], 1)
    schemas = _schemas(plans)
    return EngineFault(
        plans[0],
        read_streams(parts["streams"], schemas, raw),
        read_number(parts["horizon"], "horizon", LATEST_HORIZON),
        read_choice(parts["fault"], "fault", [name.value for name in FaultKind]),
        read_text(parts["message"], "message", LONGEST_MESSAGE),
        _blamed(parts),
        read_delivery(parts.get("way", {}), "way", schemas),
    )


def _plans(value: object, at_most: int) -> list[Plan]:
    plans = read_list(value, "plans", read_plan, at_most)
    if not plans:
        raise DocumentError(f"plans: expected one{' or two' if at_most == 2 else ''}, got none")
    return plans


def _blamed(parts: Mapping[str, Any]) -> Plan | None:
    return read_plan(parts["blamed"], "blamed") if "blamed" in parts else None


def read_plan(value: object, where: str) -> Plan:
    """A plan in our notation, which may call the functions that generators use."""
    try:
        return parse_plan(read_text(value, where, LONGEST_PLAN), KNOWN_FUNCTIONS)
    except DocumentError:
        raise
    except SnapeqError as error:
        raise DocumentError(f"{where}: {error}") from None


def _schemas(plans: list[Plan]) -> dict[str, Schema]:
    schemas: dict[str, Schema] = {}
    for plan in plans:
        for name, schema in plan.sources().items():
            if schemas.setdefault(name, schema) != schema:
                raise DocumentError(f"plans: source {name!r} has columns {schemas[name]} and {schema}")
    return schemas


def read_streams(value: object, schemas: Mapping[str, Schema], raw: Collection[str]) -> dict[str, Stream]:
    """A stream for each of these sources."""
    listed = read_object(value, "streams", sorted(schemas))
    strange = [name for name in raw if name not in listed]
    if strange:
        raise DocumentError(f"raw: expected names of streams, got {brief(strange[0])}")
    return {name: read_stream(listed[name], f"streams.{name}", schemas[name], name in raw) for name in sorted(listed)}
