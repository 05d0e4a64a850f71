"""All that there is to say about a recording beyond right or wrong, as data."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from equivalence.deviations.explain import explain
from equivalence.deviations.explanation import Diagnosis, Explanation
from equivalence.deviations.further_rows import Rows, told_apart
from equivalence.deviations.near_counts import near
from equivalence.deviations.outcome import Outcomes, rounded
from equivalence.deviations.recorded_output import Totals
from equivalence.deviations.recorded_situation import RecordedSituation
from equivalence.deviations.situation import Situation
from equivalence.deviations.visibility import Suggestion, Visibility, suggested_input, visibility
from equivalence.deviations.whole_difference import WholeDifference, whole_difference
from equivalence.query_files.calendar import NUMBERS, Calendar
from semantics import IntervalStream, Plan, SnapeqError, Stream


@dataclass(frozen=True)
class FurtherInput:
    """Rows after which the two best explanations would no longer agree; None if none were found."""

    names: tuple[tuple[str, ...], tuple[str, ...]]
    rows: Rows | None


@dataclass(frozen=True)
class Findings:
    """What differs and why, or, if nothing does, what could not have shown."""

    plan: Plan
    scope: str
    """What was looked at."""
    complete: bool
    difference: WholeDifference | None = None
    diagnosis: Diagnosis | None = None
    totals: Totals | None = None
    """In all of the recording, if only a part was looked at."""
    only_rounding: bool = False
    """Do floats differ in digits beyond the ninth only?"""
    further: FurtherInput | None = None
    visibility: Visibility | None = None
    suggestion: Suggestion | None = None
    calendar: Calendar = NUMBERS
    """How instants are written for people."""

    @property
    def streams_behind_the_first(self) -> dict[str, Stream]:
        """The input rows that decide what differs at the first instant, as streams."""
        rows = () if self.difference is None else self.difference.behind
        return {
            name: IntervalStream(
                schema,
                sorted(
                    [(row.arrival.row, row.arrival.valid) for row in rows if row.source == name],
                    key=lambda element: element[1].start,
                ),
            )
            for name, schema in self.plan.sources().items()
        }


def wrong_findings(looked_at: RecordedSituation, tolerance: float = 0.0) -> Findings:
    """What is wrong with a recording: the whole difference, and the mistake by its name; floats may differ a little."""
    situation, got = looked_at.situation, looked_at.got
    right = Outcomes().of(situation)
    plain = _plain(looked_at)
    difference = whole_difference(situation, right, near(rounded(got), right, tolerance))
    if difference is None:
        digits = whole_difference(situation, Outcomes(exact=True).of(situation), got)
        return replace(plain, difference=digits, only_rounding=digits is not None)
    diagnosis = explain(situation, got, tolerance=tolerance)
    return replace(plain, difference=difference, diagnosis=diagnosis, further=_further(situation, diagnosis.exact))


def right_findings(looked_at: RecordedSituation, suggest: bool = False) -> Findings:
    """What a right recording could not have shown, and rows that would."""
    situation = looked_at.situation
    seen = visibility(situation)
    suggestion = suggested_input(situation, seen.open) if suggest and seen.open else None
    return replace(_plain(looked_at), visibility=seen, suggestion=suggestion)


def _plain(looked_at: RecordedSituation) -> Findings:
    situation = looked_at.situation
    return Findings(situation.plan, looked_at.scope, looked_at.complete, calendar=situation.calendar)


def _further(situation: Situation, exact: tuple[Explanation, ...]) -> FurtherInput | None:
    """For the two best explanations, if there are several and they are not about single places."""
    plain = [explanation for explanation in exact if explanation.fault is None]
    if len(plain) < 2:
        return None
    first, second = plain[:2]
    try:
        rows = told_apart(situation, first.variants, second.variants)
    except SnapeqError:
        rows = None
    return FurtherInput((first.names, second.names), rows)


def parameters_of(explanation: Explanation) -> Mapping[str, object]:
    """The parameters of all deviations of an explanation."""
    return {name: value for variant in explanation.variants for name, value in variant.parameters.items()}
