"""Findings as text for people."""

from collections.abc import Iterator
from typing import Final

from equivalence.deviations.cells import Cell
from equivalence.deviations.explanation import Diagnosis, Explanation
from equivalence.deviations.findings import Findings, FurtherInput
from equivalence.deviations.further_rows import Rows
from equivalence.deviations.recorded_output import Totals
from equivalence.deviations.situation import Arrival
from equivalence.deviations.visibility import Suggestion, Visibility
from equivalence.deviations.whole_difference import ResponsibleRow, WholeDifference
from equivalence.query_files.calendar import Calendar
from semantics import FOREVER, Interval
from semantics.how_many import how_many
from semantics.notation.show_expression import show_name, show_row

MOST_EXPLANATIONS: Final = 4
MOST_NAMES: Final = 8
ROUNDING: Final = "floats differ beyond the ninth digit only: sums in another order (--tolerance 1e-9 allows that)"


def findings_text(findings: Findings) -> list[str]:
    """The whole difference, the mistake by its name, or what could not have shown."""
    lines: list[str] = []
    if findings.only_rounding:
        lines.append(f"explained by: {ROUNDING}")
    if findings.totals is not None:
        lines.append(_totals(findings.totals))
    if findings.difference is not None:
        lines += _difference(findings.difference, findings)
    if findings.diagnosis is not None:
        lines += _diagnosis(findings.diagnosis)
    if findings.further is not None:
        lines += _further(findings.further, findings.calendar)
    if findings.visibility is not None:
        lines += _visibility(findings.visibility)
    if findings.suggestion is not None:
        lines += _suggestion(findings.suggestion, findings.calendar)
    return lines


def _totals(found: Totals) -> str:
    places = [how_many(n, what) for n, what in ((found.panes, "pane"), (found.keys, "key")) if n is not None]
    where = f" in {' and '.join(places)}" if places else ""
    return (
        f"in all {_differing(found.missing + found.extra)}{where}: {found.missing:,} missing, {found.extra:,} too many"
    )


def _difference(found: WholeDifference, findings: Findings) -> Iterator[str]:
    places = [
        how_many(found.panes, "pane") if found.panes is not None else _instants(found),
        *([how_many(found.keys, "key")] if found.keys else []),
    ]
    counts = f"{found.missing:,} missing, {found.extra:,} too many, {found.miscounted:,} not as often as they should"
    where = "" if findings.complete else f" ({findings.scope})"
    yield f"{_differing(found.rows)} in {' and '.join(places)}{where}: {counts}"
    yield from (f"  {_cell(cell, found, findings.calendar)}" for cell in found.first)
    if found.rows > len(found.first):
        yield f"  … and {found.rows - len(found.first):,} more"
    if found.responsible:
        yield f"input rows that decide the first one ({len(found.responsible) + found.left_out}):"
        yield from (f"  {_responsible(row, findings.calendar)}" for row in found.responsible)
        if found.left_out:
            yield f"  … and {found.left_out:,} more"


def _differing(rows: int) -> str:
    return f"{how_many(rows, 'row')} {'differs' if rows == 1 else 'differ'}"


def _instants(found: WholeDifference) -> str:
    return "instants without end" if found.instants == FOREVER else how_many(int(found.instants), "instant")


def _cell(cell: Cell, found: WholeDifference, calendar: Calendar) -> str:
    pane, instants = calendar.show(cell.start + 1), _interval(cell.valid, calendar)
    where = f"in the pane that ends at {pane}" if found.pane_length else f"at {instants}"
    if not cell.got or not cell.wanted:
        what = "is missing" if not cell.got else "should not be there"
        times = max(cell.got, cell.wanted)
        return f"{where} {show_row(cell.row)}{f' × {times}' if times > 1 else ''} {what}"
    return f"{where} {show_row(cell.row)} is there {how_many(cell.got, 'time')} instead of {cell.wanted}"


def _interval(valid: Interval, calendar: Calendar) -> str:
    start = calendar.show(valid.start)
    return start if valid.end == valid.start + 1 else f"[{start}, {calendar.show(valid.end)})"


def _responsible(row: ResponsibleRow, calendar: Calendar) -> str:
    return f"{show_name(row.source)} row {row.number + 1}: {_arrival(row.arrival, calendar)}"


def _arrival(arrival: Arrival, calendar: Calendar) -> str:
    return f"{show_row(arrival.row)} at {_interval(arrival.valid, calendar)}"


def _diagnosis(diagnosis: Diagnosis) -> Iterator[str]:
    if not diagnosis.exact and diagnosis.nearest is None:
        yield f"explained by: no known deviation ({how_many(diagnosis.differences, 'difference')})"
    for i, explanation in enumerate(diagnosis.exact[:MOST_EXPLANATIONS]):
        yield f"{'explained by' if i == 0 else '  or by'}: {_explanation(explanation)}"
    if diagnosis.nearest is not None:
        left = diagnosis.nearest.of - diagnosis.nearest.explained
        yield f"nearest: {_explanation(diagnosis.nearest)}; {left:,} remain"
    if diagnosis.untried:
        yield f"not tried here, since too much would change: {', '.join(diagnosis.untried)}"


def _explanation(explanation: Explanation) -> str:
    also = "".join(f" (the same here: {' + '.join(names)})" for names in explanation.also[:2])
    more = explanation.other_parameters
    others = f" (or by {how_many(more, 'other value')})" if more else ""
    count = f"{explanation.explained:,} of {how_many(explanation.of, 'difference')}"
    return f"{' + '.join(explanation.names)}: {explanation.sentence}{others}; {count}{also}"


def _further(further: FurtherInput, calendar: Calendar) -> Iterator[str]:
    first, second = (" + ".join(names) for names in further.names)
    if further.rows is None:
        yield f"no further rows were found that tell {first} from {second}"
        return
    yield f"these further rows would tell {first} from {second}:"
    yield from _rows(further.rows, calendar)


def _rows(rows: Rows, calendar: Calendar) -> Iterator[str]:
    for name, arrivals in rows.items():
        yield from (f"  {show_name(name)}: {_arrival(arrival, calendar)}" for arrival in arrivals)


def _visibility(seen: Visibility) -> Iterator[str]:
    if not seen.open:
        yield f"of {how_many(seen.of, 'known deviation')} it would have shown each"
        return
    names = [deviation.name for deviation in seen.open]
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    known = how_many(seen.of, "known deviation")
    yield f"of {known} it could not have shown {len(names)}: {', '.join(names[:MOST_NAMES])}{more}"


def _suggestion(suggestion: Suggestion, calendar: Calendar) -> Iterator[str]:
    if suggestion.rows:
        yield f"with these further rows it would also show: {', '.join(suggestion.shows)}"
        yield from _rows(suggestion.rows, calendar)
    if suggestion.still_open:
        yield f"no rows were found that show: {', '.join(suggestion.still_open)}"
