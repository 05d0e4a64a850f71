"""Baskets: constraints as silent filters, locks, control of the flow, removal at once, and who may remove what."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from physical.columns.stream import PhysicalStream
from physical.engines.dataflow.basket import Basket, Mark, Watch
from physical.engines.dataflow.disjoint_predicates import disjoint
from semantics import RawStream, StreamError, Type, Value, col, source
from semantics.expression import And, Comparison, Constant, Expression, Ref, evaluate
from semantics.plan import Filter

S = source("S", x=int)


def batch(*values: int | None, at: int = 0) -> PhysicalStream:
    return PhysicalStream.of(RawStream(S.schema, [((value,), at) for value in values]))


def values(basket: Basket) -> list[Value]:
    return basket.look().batch.columns[0].to_values()


def below(limit: int) -> Expression:
    plan = S.filter(col("x") < limit).plan
    assert isinstance(plan, Filter)
    return plan.predicate


def test_a_constraint_filters_silently_and_counts() -> None:
    basket = Basket("S", S.schema, (below(5), below(3)))
    basket.append(batch(1, 4, 7, None, 2))
    assert values(basket) == [1, None, 2]
    assert (basket.counts.arrived, basket.counts.dropped, basket.counts.expired) == (5, 2, 0)


def test_what_was_seen_is_gone_at_once() -> None:
    basket = Basket("S", S.schema)
    basket.append(batch(1, 2, 3))
    basket.append(batch(4, at=1))
    basket.remove(basket.look().batch.columns[0].values % 2 == 1)
    assert values(basket) == [2, 4]
    assert len(basket) == 2
    assert basket.counts.expired == 2
    basket.clear()
    assert len(basket) == 0
    assert basket.counts.expired == 4
    basket.audit()


def test_an_audit_notices_a_lost_element() -> None:
    basket = Basket("S", S.schema)
    basket.append(batch(1, 2, 3))
    basket.counts.arrived += 1
    with pytest.raises(StreamError, match="S: what came must be dropped, seen or waiting; got Counts"):
        basket.audit()


@pytest.mark.parametrize(("minimum", "enough"), [(1, True), (3, True), (4, False)])
def test_there_is_enough_when_so_many_wait(minimum: int, enough: bool) -> None:
    basket = Basket("S", S.schema)
    basket.append(batch(1, 2, 3))
    assert basket.has(minimum) is enough


def test_an_urgent_promise_is_enough_until_it_is_taken() -> None:
    basket = Basket("S", S.schema)
    basket.append(batch(1), promised=5, urgent=True)
    assert basket.has(100)
    assert basket.look().promised == 5
    basket.clear()
    assert not basket.has(1)


def test_a_basket_that_is_disabled_takes_nothing() -> None:
    basket = Basket("S", S.schema)
    basket.enable(False)
    with pytest.raises(StreamError, match="S: a basket must be enabled to be appended to, it is disabled"):
        basket.append(batch(1))
    basket.enable()
    basket.append(batch(1))
    assert values(basket) == [1]


def test_a_basket_that_is_locked_takes_nothing() -> None:
    basket = Basket("S", S.schema)
    basket.free.take()
    with pytest.raises(StreamError, match="S: a basket must be free to be appended to, it is locked by its readers"):
        basket.append(batch(1))


def test_a_watch_is_told_when_there_is_enough() -> None:
    basket, news = Basket("S", S.schema), Mark("news")
    basket.watches.append(Watch(2, news))
    basket.append(batch(1))
    assert not news.there
    basket.append(batch(2))
    assert news.there


def test_a_mark_holds_one_token() -> None:
    mark = Mark("L")
    with pytest.raises(StreamError, match="L: a token must be there to be taken, got none"):
        mark.take()
    mark.put()
    with pytest.raises(StreamError, match="L: a token must be taken before the next one is put, got two"):
        mark.put()


X, Y = Ref(0, Type.INT), Ref(1, Type.INT)
COMPARISONS = st.builds(
    lambda symbol, column, value, turned: (
        Comparison(symbol, Constant(value, Type.INT), column)
        if turned
        else Comparison(symbol, column, Constant(value, Type.INT))
    ),
    st.sampled_from(("<", "<=", ">", ">=", "=", "<>")),
    st.sampled_from((X, Y)),
    st.integers(0, 3),
    st.booleans(),
)
PREDICATES = st.recursive(COMPARISONS, lambda inner: st.builds(And, inner, inner), max_leaves=3)
ROWS = [(x, y) for x in (None, *range(-1, 5)) for y in (None, *range(-1, 5))]


@given(PREDICATES, PREDICATES)
def test_predicates_that_are_called_disjoint_never_hold_together(left: Expression, right: Expression) -> None:
    both = any(evaluate(left, row) is True and evaluate(right, row) is True for row in ROWS)
    assert not (disjoint(left, right) and both)


@pytest.mark.parametrize(
    ("left", "right", "apart"),
    [
        (Comparison("<", X, Constant(3, Type.INT)), Comparison(">=", X, Constant(3, Type.INT)), True),
        (Comparison("<=", X, Constant(3, Type.INT)), Comparison(">=", X, Constant(3, Type.INT)), False),
        (Comparison("=", X, Constant(3, Type.INT)), Comparison("=", X, Constant(4, Type.INT)), True),
        (Comparison(">", Constant(3, Type.INT), X), Comparison(">", X, Constant(5, Type.INT)), True),
        (Comparison("<", X, Constant(3, Type.INT)), Comparison(">=", Y, Constant(3, Type.INT)), False),
        (Comparison("<", X, Constant(None, Type.INT)), Comparison(">", X, Constant(3, Type.INT)), False),
        (None, Comparison(">", X, Constant(3, Type.INT)), False),
    ],
)
def test_which_predicates_are_disjoint(left: Expression | None, right: Expression | None, apart: bool) -> None:
    assert disjoint(left, right) is apart
