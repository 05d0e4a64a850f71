"""Findings as the parts of a verdict's JSON document."""

from dataclasses import asdict
from typing import Any

from equivalence.deviations.cells import Cell
from equivalence.deviations.explanation import Explanation
from equivalence.deviations.findings import Findings, parameters_of
from equivalence.deviations.findings_text import ROUNDING
from equivalence.deviations.further_rows import Rows
from equivalence.deviations.situation import Arrival
from equivalence.deviations.whole_difference import WholeDifference
from semantics import FOREVER
from semantics.notation.json_values import json_element, json_value
from semantics.time import End


def deviations_json(findings: Findings) -> list[dict[str, Any]]:
    """What `deviations` is in the document: the best explanation first; an empty list if nothing has a name."""
    if findings.only_rounding:
        explained = 0 if findings.difference is None else findings.difference.rows
        return [{"name": "float sums by order", "sentence": ROUNDING, "parameters": {}, "explains": explained}]
    diagnosis = findings.diagnosis
    if diagnosis is None:
        return []
    near = [diagnosis.nearest] if diagnosis.nearest is not None else []
    return [_explanation(explanation) for explanation in (*diagnosis.exact, *near)]


def _explanation(explanation: Explanation) -> dict[str, Any]:
    return {
        "name": " + ".join(explanation.names),
        "sentence": explanation.sentence,
        "parameters": dict(parameters_of(explanation)),
        "explains": explanation.explained,
        "of": explanation.of,
        "also": [" + ".join(names) for names in explanation.also],
        "other_parameters": explanation.other_parameters,
    }


def evidence_json(findings: Findings) -> dict[str, Any]:
    """What findings add to `evidence`."""
    said: dict[str, Any] = {"looked_at": findings.scope}
    if findings.totals is not None:
        said["difference_in_all"] = asdict(findings.totals)
    if findings.difference is not None:
        said["difference"] = _difference(findings.difference)
    if findings.diagnosis is not None and findings.diagnosis.untried:
        said["untried_deviations"] = list(findings.diagnosis.untried)
    if findings.further is not None:
        names = [" + ".join(names) for names in findings.further.names]
        said["further_input"] = {"tells_apart": names, "streams": _streams(findings.further.rows)}
    if findings.visibility is not None:
        seen = findings.visibility
        said["could_not_show"] = {"of": seen.of, "open": [deviation.name for deviation in seen.open]}
    if findings.suggestion is not None:
        found = findings.suggestion
        said["suggested_input"] = {
            "streams": _streams(found.rows),
            "shows": list(found.shows),
            "open": list(found.still_open),
        }
    return said


def _difference(found: WholeDifference) -> dict[str, Any]:
    return {
        "instants": _end(found.instants),
        "panes": found.panes,
        "keys": found.keys,
        "missing": found.missing,
        "extra": found.extra,
        "wrong_multiplicity": found.miscounted,
        "first": [_cell(cell) for cell in found.first],
        "responsible": [
            {"source": row.source, "row": row.number + 1, "element": _element(row.arrival)} for row in found.responsible
        ],
        "responsible_left_out": found.left_out,
    }


def _cell(cell: Cell) -> dict[str, Any]:
    return {
        "row": [json_value(value) for value in cell.row],
        "start": cell.start,
        "end": _end(cell.valid.end),
        "right": cell.wanted,
        "recorded": cell.got,
    }


def _end(end: End) -> int | None:
    return None if end == FOREVER else int(end)


def _element(arrival: Arrival) -> object:
    return json_element(arrival.row, arrival.valid)


def _streams(rows: Rows | None) -> dict[str, list[object]] | None:
    return None if rows is None else {name: [_element(a) for a in arrivals] for name, arrivals in rows.items()}
