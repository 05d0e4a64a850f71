"""Expressions over lists: bad input has a name, counterexamples are data, and snapshots are those of the streams."""

import pytest

from equivalence import check_rule
from equivalence.cases.choices import SeededChoices
from equivalence.cases.random_lists import choose_list
from equivalence.lists.equivalences import rows_at
from equivalence.lists.list_expression import evaluate_listing
from equivalence.lists.list_operators import ElementList, sort
from equivalence.lists.list_query import ListQuery, listed
from equivalence.rules.statement import Free, Sides, rule
from equivalence.verdicts.list_counterexample import ListCounterexample
from semantics import IntervalStream, Multiset, Query, SchemaError, col, evaluate, source

A, B, C = source("A", x=int), source("B", y=int), source("C", x=int)
NARROW = source("N", s=str)
SCHEMAS = {"A": A.schema, "B": B.schema, "C": C.schema}
HORIZON = 40
TWINS: dict[str, tuple[ListQuery, Query]] = {
    "filter": (listed(A).filter(col("x") > 0), A.filter(col("x") > 0)),
    "map": (listed(A).select(y=col("x").is_null()), A.select(y=col("x").is_null())),
    "append": (listed(A).append(listed(C)), A.union(C)),
    "product": (listed(A).product(listed(B)), A.product(B)),
    "sort": (listed(A).sort("x", "_end"), A),
    "rdup_t": (listed(A).rdup_t(), A.distinct()),
    "coalesce": (listed(A).coalesce(3), A),
    "split": (listed(A).split(2), A),
}


@rule("rdup(A) is A", source="test", equivalence="snapshot-list", valid=False)
def no_duplicates(free: Free) -> Sides:
    a = listed(free.stream("A"))
    return a.rdup(), a


@rule("a list is a query", source="test", valid=False)
def mixed(free: Free) -> Sides:
    a = free.stream("A")
    return listed(a), a  # type: ignore[return-value]  # the mistake


@pytest.mark.parametrize("name", TWINS)
def test_operators_on_lists_mean_the_operators_of_the_algebra(name: str) -> None:
    on_lists, query = TWINS[name]
    for seed in range(50):
        case = {each: choose_list(SeededChoices(f"{each}{seed}"), schema) for each, schema in SCHEMAS.items()}
        streams = {each: IntervalStream(SCHEMAS[each], by_start(elements)) for each, elements in case.items()}
        result = evaluate_listing(on_lists.listing, case)
        snapshots = evaluate(query.plan, streams, HORIZON).snapshots
        assert [Multiset(rows_at(result, t)) for t in range(HORIZON)] == list(snapshots)


def by_start(elements: ElementList) -> ElementList:
    return sort(lambda element: element[1].start, elements)


def test_bad_input_has_a_name() -> None:
    with pytest.raises(SchemaError, match="Append: both lists must have the same types"):
        listed(A).append(listed(NARROW))
    with pytest.raises(SchemaError, match="only a source can be given as a list, got Distinct"):
        listed(A.distinct())
    with pytest.raises(SchemaError, match="Sort"):
        listed(A).sort("y")


def test_a_rule_is_about_queries_or_about_lists() -> None:
    with pytest.raises(SchemaError, match="one side is a query, the other is about lists"):
        check_rule(mixed)


def test_a_counterexample_is_data_first() -> None:
    found = check_rule(no_duplicates).counterexample
    assert isinstance(found, ListCounterexample)
    assert found.to_json() == {
        "streams": {"A": [[0, 0, 1], [0, 0, 1]]},
        "plans": ["A | rdup", "A"],
        "instant": 0,
        "left": [[0, 0, 1]],
        "right": [[0, 0, 1], [0, 0, 1]],
    }
