"""Every plan prints as text that parses back to an equal plan; now-windows, the identity, are all that gets lost."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from equivalence.cases.random_aggregates import AGGREGATE_FUNCTIONS
from equivalence.cases.random_expressions import SCALAR_FUNCTIONS
from equivalence.cases.random_plans import CATALOGUE, OPERATORS
from equivalence.cases.strategies import plans, plans_with_root, predicates
from semantics import AggregateFunction, Plan, ScalarFunction, Schema, SchemaError, Scope, Type, call, col, source
from semantics.plan import Distinct, Filter, Source, TimeWindow
from semantics.sql import Catalogue, TimeUnit, parse_query, to_sql, without_now_windows
from tests.semantics.sql.pairs import CATALOGUE as PAIRS
from tests.semantics.sql.pairs import read_pairs
from tests.semantics.sql.random_queries import Queries
from tests.semantics.sql.test_nexmark import catalogue as nexmark
from tests.semantics.sql.test_nexmark import query
from tests.semantics.sql.test_sqlite import CATALOGUE as TABLES

KNOWN = Catalogue.of(CATALOGUE, SCALAR_FUNCTIONS.values(), AGGREGATE_FUNCTIONS.values())
ODD = {
    "select": Schema.of(**{"from": int, "a b": int}),
    'q"': Schema.of(**{'x"y': int, "Ä": str}),
    "q1": Schema.of(x=int, X=int),
    "Q1": Schema.of(by=int, range=int),
}


def read_back(plan: Plan, catalogue: Catalogue) -> Plan:
    return parse_query(to_sql(plan), catalogue)


@given(plans(awkward=True))
def test_any_plan(plan: Plan) -> None:
    assert read_back(plan, KNOWN) == without_now_windows(plan)


@pytest.mark.parametrize("operator", list(OPERATORS), ids=lambda operator: operator.__name__)
@settings(max_examples=30)
@given(data=st.data())
def test_any_plan_with_each_operator_on_top(operator: type[Plan], data: st.DataObject) -> None:
    plan = data.draw(plans_with_root(operator, awkward=True))
    assert read_back(plan, KNOWN) == without_now_windows(plan)


@given(plans(ODD, depth=2, awkward=True))
def test_names_that_need_quotes_or_differ_in_case_only(plan: Plan) -> None:
    catalogue = Catalogue.of(ODD, SCALAR_FUNCTIONS.values(), AGGREGATE_FUNCTIONS.values())
    assert read_back(plan, catalogue) == without_now_windows(plan)


@given(predicates(Scope(CATALOGUE["C"]), depth=4, awkward=True))
def test_any_predicate(predicate: object) -> None:
    plan = Filter(Source("C", CATALOGUE["C"]), predicate)  # type: ignore[arg-type]  # an expression
    assert read_back(plan, KNOWN) == plan


@pytest.mark.parametrize("seed", range(50))
def test_what_random_queries_mean(seed: int) -> None:
    plan = parse_query(Queries(Random(seed)).query().ours, TABLES)
    assert read_back(plan, TABLES) == plan


@pytest.mark.parametrize("pair", read_pairs("equivalent.sql") + read_pairs("different.sql"), ids=lambda pair: pair.name)
def test_what_the_pairs_mean(pair: object) -> None:
    for plan in pair.plans:  # type: ignore[attr-defined]
        assert read_back(plan, PAIRS) == plan


def test_functions_with_odd_names() -> None:
    scalar = ScalarFunction("case", (Type.INT,), Type.INT, lambda x: x)
    total = AggregateFunction("my sum", Type.INT, Type.INT, init=int, merge=lambda a, b: a + b, eval=int)
    catalogue = Catalogue.of(CATALOGUE, [scalar], [total])
    for text in ('SELECT "case"(x) AS y FROM A', 'SELECT "my sum"("case"(x)) AS y FROM A'):
        plan = parse_query(text, catalogue)
        assert to_sql(plan) == text
        assert read_back(plan, catalogue) == plan


def test_a_long_plan_is_written_on_several_lines() -> None:
    bids = source("Bid", item=int, price=float, bidder=str).window(600)
    best = bids.filter((col("price") > 10) & (col("bidder") != "a house with many rooms")).select("item", "price")
    assert to_sql(best.union(best).distinct()) == "\n".join(
        [
            "SELECT DISTINCT *",
            "FROM (",
            "  (",
            "    SELECT item, price",
            "    FROM Bid WINDOW(RANGE 600)",
            "    WHERE price > 10 AND bidder <> 'a house with many rooms'",
            "  )",
            "  UNION ALL",
            "  (",
            "    SELECT item, price",
            "    FROM Bid WINDOW(RANGE 600)",
            "    WHERE price > 10 AND bidder <> 'a house with many rooms'",
            "  )",
            ")",
        ]
    )


def test_the_now_window_is_not_written() -> None:
    stream = Source("A", CATALOGUE["A"])
    assert to_sql(Distinct(TimeWindow(stream, 1))) == "SELECT DISTINCT * FROM A"
    assert to_sql(TimeWindow(stream, 1, 2)) == "SELECT * FROM A WINDOW(RANGE 1 SLIDE 2)"


@settings(max_examples=30)
@given(plans(awkward=True), st.sampled_from(TimeUnit))
def test_with_a_catalogue_durations_have_units(plan: Plan, unit: TimeUnit) -> None:
    catalogue = replace(KNOWN, unit=unit)
    assert parse_query(to_sql(plan, catalogue), catalogue) == without_now_windows(plan)


def test_the_closing_price_can_be_read() -> None:
    catalogue = nexmark()
    text = to_sql(query("closing_price"), catalogue)
    assert "FROM Bid WINDOW(RANGE 2 DAYS)" in text
    assert parse_query(text, catalogue) == query("closing_price")


def test_a_catalogue_that_lacks_a_stream_or_a_function_says_so() -> None:
    bids = source("Bid", item=int)
    with pytest.raises(SchemaError, match=r"to_sql: the catalogue has no stream or table Bid\(item INT\)"):
        to_sql(bids, KNOWN)
    twice = ScalarFunction("twice", (Type.INT,), Type.INT, lambda x: 3 * x)
    with pytest.raises(SchemaError, match="to_sql: the catalogue has no function twice like that of the plan"):
        to_sql(source("A", CATALOGUE["A"]).filter(call(twice, col("x")) > 1), KNOWN)
