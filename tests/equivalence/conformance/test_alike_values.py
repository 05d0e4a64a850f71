"""Cases tell values from others that code may take for them: texts, decimals, times, keys, counts."""

from collections.abc import Callable
from dataclasses import replace
from unicodedata import normalize

import pytest

from equivalence.cases.choices import SeededChoices
from equivalence.cases.dimensions.covering import covering_rows
from equivalence.cases.random_plans import OPERATORS
from equivalence.cases.situations import SITUATIONS
from equivalence.conformance.attempts import attempt_in
from equivalence.conformance.covering_cases import CoveringCase
from equivalence.conformance.judge import Attempt
from semantics import IntervalStream, Plan, RawStream, SnapeqError, Stream, Type, Value, evaluate_sparse
from semantics import expression as ex
from semantics.constraint import elements_of
from semantics.expression import Expression, children
from semantics.plan import Difference, Distinct, Filter, Grouping, Join, Map
from semantics.rebuild import with_children, with_expressions

KNOWN = tuple(OPERATORS)
Wrong = Callable[[Attempt], Attempt]


def with_values(change: Callable[[Value], Value]) -> Wrong:
    """The same case with other values."""

    def changed(stream: Stream) -> Stream:
        if isinstance(stream, RawStream):
            return RawStream(stream.schema, [(tuple(map(change, row)), t) for row, t in stream.elements])
        assert isinstance(stream, IntervalStream)
        return IntervalStream(stream.schema, [(tuple(map(change, row)), valid) for row, valid in stream.elements])

    def wrong(attempt: Attempt) -> Attempt:
        return replace(attempt, case={name: changed(stream) for name, stream in attempt.case.items()})

    return wrong


def with_parts(change: Callable[[Expression], Expression]) -> Wrong:
    """The same case for a plan with other expressions."""

    def everywhere(expression: Expression) -> Expression:
        parts = [everywhere(part) for part in children(expression)]
        return change(with_children(expression, parts) if parts else expression)

    def changed(plan: Plan) -> Plan:
        return with_expressions(plan.with_inputs(*map(changed, plan.inputs)) if plan.inputs else plan, everywhere)

    return lambda attempt: replace(attempt, plan=changed(attempt.plan))


def composed(value: Value) -> Value:
    return normalize("NFC", value) if isinstance(value, str) else value


def small_at_the_end(value: Value) -> Value:
    return value[:32] + value[32:].lower() if isinstance(value, str) else value


def decimals_as_doubles(part: Expression) -> Expression:
    if isinstance(part, ex.Comparison) and part.left.type.is_decimal and part.right.type.is_decimal:
        return replace(part, left=ex.Cast(part.left, Type.FLOAT), right=ex.Cast(part.right, Type.FLOAT))
    return part


def rounded_down(part: Expression) -> Expression:
    is_round = isinstance(part, ex.Call) and part.function.name == "round" and part.arguments[0].type.is_decimal
    return ex.Cast(ex.Cast(part, Type.INT, safe=True), part.type, safe=True) if is_round else part


def tells(right: Attempt, wrong: Attempt) -> bool:
    try:
        expected, found = (evaluate_sparse(a.plan, a.case, a.horizon, limit=5_000) for a in (right, wrong))
    except SnapeqError:
        return False
    return expected.runs != found.runs


@pytest.mark.parametrize(
    ("situation", "operator", "wrong"),
    [
        ("alike texts compared", Map, with_values(composed)),
        ("alike texts compared", Map, with_values(small_at_the_end)),
        ("casts", Map, with_parts(decimals_as_doubles)),
        ("casts", Map, with_parts(rounded_down)),
    ],
    ids=["normal forms", "late letters", "large decimals", "digits"],
)
def test_a_situation_tells_alike_values_apart(situation: str, operator: type[Plan], wrong: Wrong) -> None:
    attempts = (attempt_in(SeededChoices(f"alike/{i}"), operator, SITUATIONS[situation]) for i in range(150))
    assert any(tells(attempt, wrong(attempt)) for attempt in attempts)


@pytest.mark.parametrize(
    ("operator", "wrong"),
    [
        (Distinct, with_values(composed)),
        (Grouping, with_values(composed)),
        (Join, with_values(composed)),
    ],
    ids=["rows in normal form", "groups in normal form", "keys in normal form"],
)
def test_covering_cases_tell_alike_keys_apart(operator: type[Plan], wrong: Wrong) -> None:
    rows = covering_rows(operator, sessions=False)
    attempts = (CoveringCase(operator, row, "0/0", False, KNOWN).attempt for row in rows)
    assert any(tells(attempt, wrong(attempt)) for attempt in attempts)


def test_covering_cases_leave_one_copy_of_many() -> None:
    attempts = (CoveringCase(Difference, row, "0/0", True, KNOWN).attempt for row in covering_rows(Difference))
    elements = [[elements_of(stream) for stream in attempt.case.values()] for attempt in attempts]
    copies = [[max(map(side.count, side[:20])) for side in sides] for sides in elements if all(sides)]
    assert any(min(counts) > 200 and abs(counts[0] - counts[1]) == 1 for counts in copies if len(counts) == 2)


def test_filters_ask_for_late_instants() -> None:
    attempts = (CoveringCase(Filter, row, "0/0", True, KNOWN).attempt for row in covering_rows(Filter))
    assert any(a.plan.mentions_now and a.horizon > 2**31 and isinstance(a.plan, Filter) for a in attempts)
