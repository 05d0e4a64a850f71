"""Running aggregates against the reference, while values come and go."""

from hypothesis import example, given
from hypothesis import strategies as st

from physical.aggregation.running import running
from semantics import ArithmeticOverflow, Type
from semantics.aggregate import (
    Aggregate,
    Avg,
    Count,
    CountDistinct,
    Largest,
    Max,
    Median,
    Min,
    StddevPop,
    Sum,
    VarPop,
    aggregate_values,
)
from semantics.expression import Ref
from semantics.value import Value, identical, order

INT, FLOAT = Ref(0, Type.INT), Ref(0, Type.FLOAT)
SORTS = (Sum, Avg, Min, Max, Count, CountDistinct, VarPop, StddevPop, Median)
FUNCTIONS: tuple[Aggregate, ...] = tuple(
    function for argument in (INT, FLOAT) for function in (*(sort(argument) for sort in SORTS), Largest(argument, 2))
)
FLOATS = st.one_of(st.floats(), st.sampled_from((0.1, 0.2, -0.3, 1e308, -1e308, 5e-324, float("nan"), float("inf"))))


@st.composite
def changes(draw: st.DrawFn) -> tuple[Aggregate, list[tuple[bool, Value]]]:
    """A function, and values that come and go; only a value that is there goes."""
    function = draw(st.sampled_from(FUNCTIONS))
    numbers = st.integers(-(2**63), 2**63 - 1) if function.argument == INT else FLOATS
    there: list[Value] = []
    steps: list[tuple[bool, Value]] = []
    for _ in range(draw(st.integers(0, 12))):
        goes = draw(st.booleans())
        if there and goes:
            steps.append((False, there.pop(draw(st.integers(0, len(there) - 1)))))
        else:
            there.append(identical(draw(numbers)))
            steps.append((True, there[-1]))
    return function, steps


def outcome(value: object) -> object:
    try:
        return value() if callable(value) else value
    except ArithmeticOverflow as error:
        return str(error)


@given(changes())
@example((Avg(FLOAT), [(True, -5e-324), (True, 0.0), (True, 0.0)]))
@example((Sum(FLOAT), [(True, 1e308), (True, 1e308), (True, -1e308)]))
@example((Sum(FLOAT), [(True, float("inf")), (True, float("-inf")), (False, float("inf"))]))
def test_oracle_running_aggregates(case: tuple[Aggregate, list[tuple[bool, Value]]]) -> None:
    function, steps = case
    there, found = list[Value](), running(function)
    for comes, value in steps:
        (there.append if comes else there.remove)(value)
        (found.add if comes else found.remove)(value)
        expected = outcome(lambda: identical(aggregate_values(function, sorted(there, key=order))))
        assert (outcome(lambda: found.value(len(there))),) == (expected,)
