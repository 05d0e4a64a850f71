"""Kinds that a wrong recording might be instead: a log in which the last value counts looks much like one of facts."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from equivalence.recordings.claims import Claims
from equivalence.recordings.recorded_rows import RowReader
from equivalence.recordings.recording import AnomalyName, OutputKind

REFINED: Final[Mapping[OutputKind, str]] = {
    "updates": "read as updates it is right: if the engine refines its panes, say --as updates",
    "upsert": "read as an upsert log it is right: if a new row replaces the old one of its key, say --as upsert",
}
"""What is said where a recording is right as another kind than the one it was read as."""


def other_claims(claims: Claims, anomalies: Mapping[AnomalyName, int]) -> Claims | None:
    """What the recording claims if new rows replace old ones; None if nothing hints at that."""
    reader, kind = claims.reader, _replacing_kind(claims, anomalies)
    if kind is None or claims.reading.key is None:
        return None
    other = RowReader(reader.files, replace(claims.reading, kind=kind))
    judged_alike = (other.has_panes, other.has_times) == (reader.has_panes, reader.has_times)
    return Claims(other, claims.judged, claims.horizon) if judged_alike else None


def _replacing_kind(claims: Claims, anomalies: Mapping[AnomalyName, int]) -> OutputKind | None:
    match claims.reading.kind:
        case "panes" if anomalies.get("duplicate pane"):
            return "updates"
        case "retract" if claims.repeated_key:
            return "upsert"
        case "events" | "snapshot":
            return "upsert"
        case _:
            return None
