"""Plans as one graph: sharing, snapshot-reducible subplans, DOT."""

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from equivalence.cases.strategies import plans
from semantics import Plan, RawStream, col, count, evaluate, left, max_, right, source
from semantics.graph import dot, graph, reducible_subplans
from semantics.plan import Source

BIDS = source("Bid", item=int, price=float)
HOUR = BIDS.window(60)


def test_equal_subplans_are_one_node() -> None:
    highest = HOUR.semijoin(HOUR.aggregate(top=max_("price")), col("price") == col("top"))
    plans = graph(highest, BIDS.window(60).distinct())
    assert [node.operator for node in plans] == ["Source", "TimeWindow", "Aggregation", "Semijoin", "Distinct"]
    assert [data["root"] for _, data in plans.nodes(data=True)] == [False, False, False, True, True]


def test_one_input_may_arrive_at_two_ports() -> None:
    plans = graph(HOUR.union(HOUR))
    ports = sorted(data["port"] for _, node, data in plans.edges(data=True) if node.operator == "Union")
    assert ports == [0, 1]


def test_windows_part_reducible_subplans() -> None:
    counts = HOUR.group_by("item").aggregate(n=count())
    best = counts.antijoin(counts, left("n") < right("n"))
    later = best.select("item").window(5).distinct().istream().select("item")
    parts = reducible_subplans(graph(later))
    assert [sorted(node.operator for node in part) for part in parts] == [
        ["Antijoin", "Grouping", "Map"],
        ["Distinct"],
        ["Map"],
    ]


@given(st.lists(plans(awkward=True), min_size=1, max_size=3))
def test_every_operator_is_in_its_place(drawn: list[Plan]) -> None:
    whole = graph(*drawn)
    assert nx.is_directed_acyclic_graph(whole)
    order = {node: i for i, node in enumerate(whole)}
    assert all(order[child] < order[node] for child, node in whole.edges())
    inside = [node for part in reducible_subplans(whole) for node in part]
    assert len(inside) == len(set(inside))
    assert set(inside) == {node for node in whole if node.reducible and not isinstance(node, Source)}
    for node in whole:
        ports = {data["port"]: child for child, _, data in whole.in_edges(node, data=True)}
        assert tuple(ports[i] for i in range(len(ports))) == node.inputs


def test_dot_is_the_same_every_time() -> None:
    query = HOUR.filter(col("price") > 1).semijoin(HOUR, left("item") == right("item"))
    assert dot(graph(query)).splitlines() == [
        "digraph plan {",
        "  rankdir=BT;",
        "  node [shape=box, fontname=monospace];",
        "  subgraph cluster_0 {",
        '    label="snapshot-reducible";',
        "    style=filled; color=lightgrey;",
        '    n2 [label="filter(price > 1)"];',
        '    n3 [label="semijoin(left.item = right.item)", penwidth=2];',
        "  }",
        '  n0 [label="Bid(item int, price float)"];',
        '  n1 [label="window(range 60)"];',
        "  n0 -> n1;",
        "  n1 -> n2;",
        "  n1 -> n3;",
        "  n2 -> n3;",
        "}",
    ]


def test_dot_quotes_what_it_must() -> None:
    assert r"label=\"" not in dot(graph(source("S", x=int)))
    odd = source('a"b\\c', x=int)
    assert r'n0 [label="\"a\\\"b\\\\c\"(x int)", penwidth=2];' in dot(graph(odd))


def test_deeply_shared_plans_stay_cheap() -> None:
    query = HOUR
    for _ in range(60):
        query = query.union(query)
    assert len(graph(query)) == 62
    assert len(evaluate(query.difference(query), {"Bid": RawStream(BIDS.schema)}, 2).at(0)) == 0
