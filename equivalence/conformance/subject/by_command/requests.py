"""What an engine is asked: plans in the forms that it reads, streams in the form that it takes."""

from collections.abc import Iterable, Mapping
from typing import Final, assert_never

from equivalence.conformance.subject.by_command.capabilities import Capabilities, InputKind, PlanForm, ResultKind
from equivalence.conformance.subject.by_command.conversation import Request
from equivalence.conformance.subject.history import MOST_CHANGES
from semantics import Interval, Plan, RawStream, Row, Stream, TooManyChanges, show
from semantics.constraint import elements_of
from semantics.notation.json_plans import plan_to_json
from semantics.notation.json_values import exact_element, exact_time, exact_value, json_columns

MOST_EVENTS: Final = MOST_CHANGES
MEMBERS: Final[dict[PlanForm, str]] = {
    "tree": "plan",
    "notation": "notation",
    "sql": "sql",
    "standard_sql": "standard_sql",
}


def plan_parts(plan: Plan, capabilities: Capabilities) -> Request:
    """The plan in every form that the engine reads, and the columns of its result."""
    forms: Request = {MEMBERS[form]: _written(plan, form) for form in capabilities.plans}
    return {**forms, "columns": json_columns(plan.schema)}


def _written(plan: Plan, form: PlanForm) -> object:
    match form:
        case "tree":
            return plan_to_json(plan)
        case "notation":
            return show(plan)
        case "sql":
            from semantics.sql.to_text.plans import to_sql

            return to_sql(plan)
        case "standard_sql":
            from semantics.sql.to_text.standard import standard_sql

            return standard_sql(plan)
        case _:
            assert_never(form)


def run_request(
    plan: Plan,
    streams: Mapping[str, object],
    horizon: int | None,
    capabilities: Capabilities,
    kind: ResultKind,
    at: int | None = None,
) -> Request:
    """`run`: a plan over whole streams; `at` is the instant of a snapshot."""
    parts = {**plan_parts(plan, capabilities), **({} if at is None else {"at": exact_time(at)})}
    return {"do": "run", **parts, "streams": streams, "horizon": exact_time(horizon), "result": kind}


def described(stream: Stream) -> Request:
    """What is said of a stream besides its rows."""
    return {"columns": json_columns(stream.schema), "raw": isinstance(stream, RawStream)}


def inline(stream: Stream, inputs: InputKind, horizon: float, delay: int = 0) -> Request:
    """A stream with all its rows."""
    return {**described(stream), "rows": wire_rows(elements_of(stream), inputs, horizon, delay)}


def wire_rows(
    elements: Iterable[tuple[Row, Interval]], inputs: InputKind, horizon: float, delay: int = 0
) -> list[list[object]]:
    """Elements as rows with their times; as events, every instant of an interval is a row of its own."""
    if inputs == "intervals":
        return [exact_element(row, valid) for row, valid in elements]
    return [[*map(exact_value, row), exact_time(t + delay)] for row, t in events(list(elements), horizon)]


def events(elements: list[tuple[Row, Interval]], horizon: float) -> list[tuple[Row, int]]:
    """Every instant of every element, in the order of instants."""
    if sum(max(min(valid.end, horizon) - valid.start, 0) for _, valid in elements) > MOST_EVENTS:
        raise TooManyChanges(f"as events, the input has more than {MOST_EVENTS:,} rows")
    spread = [(row, t) for row, valid in elements for t in range(valid.start, int(min(valid.end, horizon)))]
    return sorted(spread, key=lambda event: event[1])
