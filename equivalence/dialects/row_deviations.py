"""Deviations of rows and texts: which ties are cut, where NULLs stand, what an empty input gives, how LIKE reads."""

from dataclasses import replace
from typing import Final

from equivalence.deviations.catalogue.expressions import rewriting
from equivalence.deviations.catalogue.plan_change import on, plan_deviation, rewritten, some
from equivalence.deviations.deviation import Deviation, Parameter, once
from equivalence.deviations.judged_counts import clipped
from equivalence.deviations.odd_operators import loosened, odd
from equivalence.deviations.situation import Input, Situation
from semantics import FOREVER, Column, Plan, ScalarFunction, Schema, Type
from semantics.expression import Call, Expression, Like, Ref
from semantics.plan import Aggregation, CountWindow, Limit, Map, Source, TimeWindow

_ARRIVAL: Final = Column("_arrival", Type.INT)


def _numbered(given: Input, sign: int) -> Input:
    """Rows with their place in the order of arrival before them: the order of rows is then that of arrival."""
    rows = [replace(a, row=(sign * i, *a.row)) for i, a in enumerate(given.arrivals)]
    return Input(Schema((_ARRIVAL, *given.schema.columns)), tuple(rows))


def _by_arrival(situation: Situation, sign: Parameter) -> Situation:
    """Row windows right above sources cut ties by arrival: the largest place stays."""
    assert isinstance(sign, int)
    windows = [
        node for node in situation.plan.walk() if isinstance(node, CountWindow) and isinstance(node.input, Source)
    ]
    names = {name for window in windows for name in window.sources()}

    def change(node: Plan) -> Plan:
        if not isinstance(node, CountWindow) or not isinstance(node.input, Source):
            return node
        source = node.input
        wider = Source(source.name, Schema((_ARRIVAL, *source.schema.columns)))
        refs = tuple(Ref(i, type_) for i, type_ in enumerate(source.schema.types, 1))
        return Map(replace(node, input=wider), refs, source.schema.names)

    inputs = {name: _numbered(given, sign) if name in names else given for name, given in situation.inputs.items()}
    return replace(situation, plan=rewritten(situation.plan, change), inputs=inputs)


def _ties_by_arrival(name: str, sentence: str) -> Deviation:
    return Deviation(name, sentence, "ties", "plan", "at the window", once, _by_arrival, (CountWindow,), "prefix")


LATEST_STAYS: Final = _ties_by_arrival("ties cut by arrival", "of rows of one instant those that came last stay")
EARLIEST_STAYS: Final = _ties_by_arrival("ties cut the other way", "of rows of one instant those that came first stay")


def _nulls(name: str, sentence: str, last: bool) -> Deviation:
    def change(node: Limit) -> Plan:
        return replace(node, order=tuple(replace(key, nulls_last=last) for key in node.order))

    return plan_deviation(name, sentence, "order", (Limit,), on(Limit)(change))


NULLS_FIRST: Final = _nulls("NULLs always first", "NULLs come first, also in a descending order", last=False)
NULLS_LAST: Final = _nulls("NULLs always last", "NULLs come last, also in an ascending order", last=True)


def _from_first_row(situation: Situation) -> Situation:
    first = min(situation.times, default=0)
    return situation.with_output(lambda _, counts: clipped(counts, first, FOREVER))


LATE_TOTALS: Final = Deviation(
    "no row before the first", "an empty input has a row (COUNT 0), but not before the first row came", "gap",
    "output", "at the sink", some(Aggregation, lambda node: node.on_empty), lambda s, _: _from_first_row(s),
    (Aggregation,), "whole",
)  # fmt: skip


def _phase_of_first(situation: Situation) -> Situation:
    first = min(situation.times, default=0)

    def change(node: Plan) -> Plan:
        window = loosened(node)
        sliding = window is not None and window.slide > 1
        return odd(replace(window, phase=first % window.slide)) if window is not None and sliding else node

    return replace(situation, plan=rewritten(situation.plan, change))


FROM_FIRST_ROW: Final = Deviation(
    "windows start with the first row", "windows are aligned with the first row of the stream", "alignment", "plan",
    "at the window", once, lambda s, _: _phase_of_first(s), (TimeWindow,), "whole",
)  # fmt: skip


def _is_like(e: Expression) -> bool:
    return isinstance(e, Like)


def _lower(e: Expression) -> Expression:
    return Call(ScalarFunction("deviating", (Type.STR,), Type.STR, str.lower), (e,))


def _any_case(e: Like) -> Expression:
    return replace(e, operand=_lower(e.operand), pattern=_lower(e.pattern))


def _escaped(e: Like) -> Expression:
    return replace(e, escape="\\") if e.escape is None else e


LIKE_ANY_CASE: Final = rewriting(
    "LIKE ignores case", "LIKE takes upper and lower case for the same", "LIKE case", _is_like, _any_case
)
LIKE_ESCAPES: Final = rewriting(
    "LIKE has an escape",
    "in LIKE a backslash takes the meaning from the sign behind it",
    "LIKE escape",
    _is_like,
    _escaped,
)
