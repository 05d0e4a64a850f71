"""NULL, NaN and −0.0: when two values count as the same, and how they are ordered."""

import math
import pickle
from enum import Enum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from equivalence.cases.strategies import rows, schemas, values
from semantics import Multiset, RawStream, Row, Schema, Type, Value, col, count, evaluate, source
from semantics.expression import Constant
from semantics.types import BASIC_TYPES
from semantics.value import identical, order, row_order

S = source("S", f=float)
TWINS = RawStream(
    S.schema, [((math.nan,), 0), ((-math.nan,), 0), ((-0.0,), 0), ((0.0,), 0), ((None,), 0), ((None,), 0)]
)


def at_zero(query: object) -> Multiset:
    return evaluate(query, {"S": TWINS}, 1).at(0)  # type: ignore[arg-type]  # any query over S


@pytest.mark.parametrize("value", [math.nan, 0.0, None])
def test_twins_are_one_row(value: float | None) -> None:
    assert at_zero(S)[(value,)] == 2
    assert at_zero(S.distinct())[(value,)] == 1
    assert at_zero(S.group_by("f").aggregate(n=count()))[(value, 2)] == 1
    assert at_zero(S.difference(S.filter(col("f").is_distinct_from(value))))[(value,)] == 2
    assert at_zero(S.intersection(S.distinct()))[(value,)] == 1


def test_null_is_not_equal_to_null_in_a_predicate() -> None:
    assert at_zero(S.filter(col("f") == col("f"))) == Multiset({(math.nan,): 2, (0.0,): 2})


def test_nan_is_above_all_floats_in_a_predicate() -> None:
    assert at_zero(S.filter(col("f") > math.inf)) == Multiset({(math.nan,): 2})


@given(
    st.sampled_from(BASIC_TYPES).flatmap(
        lambda type_: st.tuples(values(type_, awkward=True), values(type_, awkward=True), values(type_, awkward=True))
    )
)
def test_the_order_is_total(triple: tuple[Value, Value, Value]) -> None:
    a, b, c = triple
    assert (order(a) < order(b)) + (order(a) == order(b)) + (order(a) > order(b)) == 1
    assert not (order(a) <= order(b) <= order(c)) or order(a) <= order(c)
    assert (order(a) == order(b)) == ((identical(a),) == (identical(b),))
    assert order(None) <= order(a)
    assert not isinstance(a, float) or order(a) <= order(math.nan)


@given(schemas().flatmap(lambda schema: st.lists(rows(schema, awkward=True), max_size=5)))
def test_multisets_do_not_depend_on_the_order_of_insertion(drawn: list[Row]) -> None:
    forth, back = Multiset(drawn), Multiset(reversed(drawn))
    assert forth == back
    assert hash(forth) == hash(back)
    assert repr(forth) == repr(back)
    assert list(forth) == sorted(forth, key=row_order)
    assert len(forth) == len(drawn)


def test_ints_and_floats_are_told_apart_by_the_schema() -> None:
    stream = RawStream(Schema.of(f=float), [((1,), 0)])
    ((value,), _) = stream.elements[0]
    assert type(value) is float


def test_copies_in_another_process_are_still_the_same() -> None:
    plan = S.filter(col("f") == math.nan).plan
    for thing in (Multiset([(math.nan,)]), TWINS, plan, evaluate(S, {"S": TWINS}, 2)):
        assert pickle.loads(pickle.dumps(thing)) == thing


@pytest.mark.parametrize("twins", [(math.nan, -math.nan), (0.0, -0.0), (None, None)])
def test_constants_of_twins_are_the_same(twins: tuple[float | None, float | None]) -> None:
    one, other = (Constant(value, Type.FLOAT) for value in twins)
    assert one == other
    assert hash(one) == hash(other)
    assert one != Constant(1.0, Type.FLOAT)


def test_an_enum_is_its_value() -> None:
    class Letter(str, Enum):  # noqa: UP042  # the kind whose str() is not its value
        A = "a"

    assert RawStream(Schema.of(s=str), [((Letter.A,), 0)]).elements == ((("a",), 0),)
