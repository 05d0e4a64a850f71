"""What the page of the playground asks Python, in the browser: JSON in, JSON out.

Only the standard library and sqlglot are needed for all of it.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import starmap
from typing import TYPE_CHECKING, Any, Final

from equivalence.query_files.query_over_files import QueryOverFiles, read_query
from equivalence.report.plan_drawing import logical_nodes
from equivalence.verdicts.json.elements import read_stream
from semantics import FOREVER, Plan, Schema, SnapeqError, Stream, show
from semantics.constraint import elements_of
from semantics.notation.json_values import exact_element, exact_time, exact_value, json_columns
from semantics.notation.show import show_step
from semantics.plan import LandmarkWindow, SessionWindow, Source, TimeWindow
from semantics.sparse.evaluate import SparseEvaluation
from semantics.types import Type

if TYPE_CHECKING:
    from equivalence.verdicts.verdict import Verdict

Json = Mapping[str, Any]
INTEGER: Final = re.compile(r"-?[0-9]{1,19}")
EXAMPLES: Final = 300
"""Cases that a comparison tries."""
MOST_CHANGES: Final = 20_000
"""More than these nobody could look at, and they would take seconds."""


def answer(request: str) -> str:
    """The answer to a request; what is wrong with it is an answer, too.

    >>> answer('{"do": "read", "query": {"text": "SELECT", "dialect": "snapeq"}}')[:44]
    '{"error": {"message": "line 1, column 7: the'
    """
    asked = json.loads(request)
    try:
        return json.dumps(_ANSWERS[asked["do"]](asked))
    except SnapeqError as error:
        return json.dumps({"error": {"message": str(error).removeprefix("query: ")}})
    except RecursionError:
        return json.dumps({"error": {"message": "this is nested too deep"}})


def read(asked: Json) -> Json:
    """What a query reads and gives, and what it means in this language."""
    query = _query(asked["query"])
    return {
        "streams": [_stream(query, source) for source in query.sources],
        "columns": json_columns(query.plan.schema),
        "plan": show(query.plan),
        "reading": None if query.reading is None else query.reading.text,
    }


def run(asked: Json) -> Json:
    """The plan of a query, and what every operator of it holds over time."""
    query = _query(asked["query"])
    streams = _streams(query, asked["events"])
    horizon = _horizon(query.plan, streams)
    evaluation = SparseEvaluation(streams, horizon, limit=MOST_CHANGES)
    nodes = logical_nodes(query.plan)
    return {
        **read(asked),
        "horizon": horizon,
        "operators": [
            {
                "label": show_step(node),
                "reducible": node.reducible and not isinstance(node, Source),
                "inputs": [nodes.index(child) for child in node.inputs],
                "runs": list(starmap(_run, evaluation.of(node).runs)),
            }
            for node in nodes
        ],
    }


def compare(asked: Json) -> Json:
    """Do two queries mean the same? By samples, with neighbours; the counterexample comes as events.

    What it imports takes longer to load than a result to compute, so it is loaded when somebody compares.
    """
    from equivalence.comparison.check_plans import check_plans
    from equivalence.query_files.assumptions import assumptions
    from equivalence.query_files.comparable_queries import check_same_declarations, matched_by_name
    from equivalence.report.text import explained, headline

    left, right = (_query(query) for query in asked["queries"])
    check_same_declarations(left, right)
    matched = matched_by_name(left.plan, right.plan)
    verdict = check_plans(left.plan, matched, constraints=assumptions(left, right), examples=EXAMPLES)
    return {"kind": verdict.kind, "headline": headline(verdict), "text": explained(verdict), "case": _case(verdict)}


_ANSWERS: Final[Mapping[str, Callable[[Json], Json]]] = {"read": read, "run": run, "compare": compare}


def _query(given: Json) -> QueryOverFiles:
    return read_query(given["text"], dialect=given["dialect"])


def _stream(query: QueryOverFiles, source: Source) -> Json:
    """A source: its columns, whether its times are dates, and how many milliseconds an instant has."""
    declared = query.declaration(source.name)
    dated = declared is not None and declared.ordered in declared.timestamps
    unit = None if query.catalogue is None else query.catalogue.unit
    return {
        "name": source.name,
        "columns": json_columns(source.schema),
        "dated": dated,
        "milliseconds": 1 if unit is None else unit.value,
    }


def _streams(query: QueryOverFiles, events: Json) -> dict[str, Stream]:
    """The streams of a query; one without events is empty."""
    return {s.name: _elements(s.name, s.schema, events.get(s.name, [])) for s in query.sources}


def _elements(name: str, schema: Schema, events: Sequence[Sequence[Any]]) -> Stream:
    """Rows at instants, if each holds for one instant, else rows over intervals."""
    ordered = sorted(events, key=lambda event: int(event[-2]))
    raw = all(event[-1] is not None and int(event[-1]) == int(event[-2]) + 1 for event in events)
    return read_stream([_exact(event, schema) for event in ordered], name, schema, raw)


def _exact(event: Sequence[Any], schema: Schema) -> list[Any]:
    """Integers that JavaScript cannot hold come as texts."""
    *values, start, end = event
    return [*map(_integer, values, schema.types), start, end]


def _integer(value: Any, type_: Type) -> Any:
    written = type_ is Type.INT and isinstance(value, str) and INTEGER.fullmatch(value)
    return int(value) if written else value


def _horizon(plan: Plan, streams: Mapping[str, Stream]) -> int:
    """Until when to look: past the last event by all windows, and a little further."""
    times = [int(t) for s in streams.values() for _, i in elements_of(s) for t in (i.start, i.end) if t != FOREVER]
    last = max(times, default=0)
    span = last - min(times, default=0)
    return last + sum(map(_reach, plan.walk())) + max(span // 8, 2)


def _reach(node: Plan) -> int:
    """How long a window may hold a row that has just come."""
    match node:
        case TimeWindow(size=size, slide=slide):
            return (0 if size == FOREVER else int(size)) + slide
        case SessionWindow(gap=gap):
            return gap
        case LandmarkWindow(reset=reset):
            return reset or 0
        case _:
            return 0


def _run(row: Sequence[Any], interval: Any, copies: int) -> list[object]:
    return [list(map(exact_value, row)), exact_time(interval.start), exact_time(interval.end), copies]


def _case(verdict: "Verdict") -> Json | None:
    """The streams of a counterexample as events, and the wrong instant."""
    from equivalence.verdicts.counterexample import Counterexample

    found = verdict.counterexample
    if not isinstance(found, Counterexample):
        return None
    return {
        "events": {name: [exact_element(*e) for e in elements_of(stream)] for name, stream in found.streams.items()},
        "instant": exact_time(found.instant),
    }
