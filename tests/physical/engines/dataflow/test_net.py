"""The net: its graph, when transitions fire, what is written and removed, and that it is never stuck."""

from collections.abc import Sequence

import networkx as nx
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from equivalence.cases.strategies import plans
from physical.columns.stream import PhysicalStream
from physical.engines.dataflow.basket import Basket, Mark
from physical.engines.dataflow.deadlock import analyse
from physical.engines.dataflow.factory import BasketReader, Factory
from physical.engines.dataflow.fragment import Split
from physical.engines.dataflow.net import Net
from physical.engines.dataflow.query_net import QueryNet, Setting
from physical.engines.dataflow.sharing import PARTIAL, SEPARATE, SHARED, STRATEGIES, SharedBasket, Strategy
from physical.engines.dataflow.transition import Arc, Copy, Lock, Receptor, Transition, Unlock
from physical.planning.planner import physical_plan
from semantics import Plan, RawStream, SchemaError, col, count, source
from semantics.builder.query import Query

S = source("S", x=int)
R = source("R", x=int)
LOW, MIDDLE, HIGH = S.filter(col("x") < 3), S.filter((col("x") >= 3) & (col("x") < 6)), S.filter(col("x") >= 6)
JOIN = S.window(2).prefix("s_").join(R.window(2).prefix("r_"), col("s_x") == col("r_x"))
SPLITS: Sequence[Split] = ("query", "reader", "operator")


def wired(setting: Setting, *queries: Query) -> QueryNet:
    graph = QueryNet(setting)
    for query in queries:
        graph.add(physical_plan(query.plan, frozenset("SR")))
    assert graph.sources
    return graph


def named(graph: QueryNet, name: str) -> Transition:
    return next(transition for transition in graph.net.transitions if transition.name == name)


def batch(*values: int, at: int = 0) -> PhysicalStream:
    return PhysicalStream.of(RawStream(S.schema, [((value,), at) for value in values]))


def basket(graph: QueryNet, name: str = "S") -> Basket:
    return graph.net.baskets[name]


def test_the_net_is_a_bipartite_graph_of_places_and_transitions() -> None:
    graph = wired(Setting(SHARED), LOW, JOIN).net.graph
    assert isinstance(graph, nx.DiGraph)
    assert nx.is_weakly_connected(graph)
    assert all(isinstance(a, Transition) != isinstance(b, Transition) for a, b in graph.edges)
    kinds = {data["kind"] for _, data in graph.nodes(data=True)}
    assert kinds == {"basket", "mark", "receptor", "lock", "unlock", "factory", "emitter"}


@pytest.mark.parametrize("minimum", [1, 2, 5])
def test_a_factory_fires_with_its_minimum_and_not_before(minimum: int) -> None:
    graph = wired(Setting(batch=minimum), LOW)
    for i in range(1, minimum + 1):
        basket(graph).append(batch(1), 0)
        assert bool(graph.scheduler.ready()) is (i == minimum)
    graph.scheduler.run()
    assert basket(graph).counts.expired == minimum


def test_a_factory_fires_with_less_if_it_is_urgent() -> None:
    graph = wired(Setting(batch=5), LOW)
    basket(graph).append(batch(1), 0, urgent=True)
    assert graph.scheduler.ready() == [named(graph, "Filter.1")]


def test_a_factory_of_several_baskets_fires_when_any_one_has_enough() -> None:
    graph = wired(Setting(split="query", batch=2), JOIN)
    basket(graph).append(batch(1), 0)
    basket(graph, "R").append(batch(1), 0)
    assert not graph.scheduler.ready()
    basket(graph, "R").append(batch(2), 0)
    assert graph.scheduler.ready() == [named(graph, "Join.1")]
    graph.scheduler.run()
    assert not len(basket(graph))
    assert not len(basket(graph, "R"))
    assert not named(graph, "Join.1").ready()


def test_separate_baskets_are_copies_in_memory_of_their_own() -> None:
    graph = wired(Setting(SEPARATE), LOW, HIGH)
    basket(graph).append(batch(1, 7), 0)
    copy = named(graph, "copy S")
    assert isinstance(copy, Copy)
    copy.fire()
    first, second = (c.look().batch for c, _ in copy.copies)
    assert first.columns[0].to_values() == second.columns[0].to_values() == [1, 7]
    assert first.columns[0].values.base is not second.columns[0].values
    first.columns[0].values[0] = 5
    assert second.columns[0].to_values() == [1, 7]
    assert not len(basket(graph))


def test_a_copy_has_the_columns_that_its_reader_uses() -> None:
    wide = source("W", x=int, y=int, name=str)
    readers = (wide.filter(col("x") > 1).select("name"), wide.group_by("y").aggregate(n=count()), wide)
    graph = QueryNet(Setting(SEPARATE, "query"))
    for query in readers:
        graph.add(physical_plan(query.plan))
    assert graph.sources
    (copy,) = (t for t in graph.net.transitions if isinstance(t, Copy))
    assert [wanted for _, wanted in copy.copies] == [{0, 2}, {1}, None]
    rows = RawStream(wide.schema, [((1, 2, "a"), 0), ((3, 4, "b"), 0)])
    graph.net.baskets["W"].append(PhysicalStream.of(rows))
    copy.fire()
    copied = [[column.to_values() for column in c.look().batch.columns] for c, _ in copy.copies]
    assert copied == [[[1, 3], [0, 0], ["a", "b"]], [[0, 0], [2, 4], ["", ""]], [[1, 3], [2, 4], ["a", "b"]]]


def test_a_shared_basket_is_locked_until_all_readers_have_seen_it() -> None:
    graph = wired(Setting(SHARED), LOW, HIGH)
    basket(graph).append(batch(1, 7), 0)
    assert graph.scheduler.ready() == [named(graph, "lock S")]
    named(graph, "lock S").fire()
    assert not basket(graph).open
    named(graph, "Filter.2").fire()
    assert not named(graph, "Filter.2").ready()
    assert not named(graph, "unlock S").ready()
    assert len(basket(graph)) == 2
    named(graph, "Filter.1").fire()
    named(graph, "unlock S").fire()
    assert basket(graph).open
    assert not len(basket(graph))


def test_a_chain_removes_what_was_wanted_and_leaves_the_rest_to_the_next() -> None:
    graph = wired(Setting(PARTIAL), LOW, MIDDLE, HIGH)
    basket(graph).append(batch(1, 4, 7, 2), 0)
    left = []
    for name in ("Filter.1", "Filter.2", "Filter.3"):
        (ready,) = [t for t in graph.scheduler.ready() if isinstance(t, Factory)]
        assert ready is named(graph, name)
        ready.fire()
        left.append(len(basket(graph)))
    assert left == [2, 1, 0]
    assert basket(graph).open


def test_a_chain_keeps_what_a_later_reader_wants() -> None:
    graph = wired(Setting(PARTIAL), LOW, S.filter(col("x") < 4), HIGH)
    basket(graph).append(batch(1, 3, 7), 0)
    left = []
    for name in ("Filter.1", "Filter.2", "Filter.3"):
        named(graph, name).fire()
        left.append(len(basket(graph)))
    assert left == [3, 1, 0]


@pytest.mark.parametrize(
    ("split", "factories"),
    [
        ("query", ["Grouping.1"]),
        ("reader", ["TimeWindow.1", "Grouping.2"]),
        ("operator", ["Filter.1", "TimeWindow.2", "Grouping.3"]),
    ],
)
def test_a_query_is_split_into_factories(split: Split, factories: list[str]) -> None:
    graph = wired(Setting(split=split), LOW.window(5).group_by("x").aggregate(n=count()))
    assert [t.name for t in graph.net.transitions if isinstance(t, Factory)] == factories


def test_queries_share_factories_of_equal_parts() -> None:
    graph = wired(Setting(split="operator"), LOW.window(5), LOW.window(5).distinct())
    factories = [t.name for t in graph.net.transitions if isinstance(t, Factory)]
    assert factories == ["Filter.1", "TimeWindow.2", "Distinct.3"]


def test_a_reader_of_several_baskets_never_holds_a_shared_one() -> None:
    graph = wired(Setting(SHARED, split="query"), JOIN, S)
    assert named(graph, "load S for Join.1").outputs[0] is basket(graph, "S for Join.1")
    assert all(arc.place is not basket(graph) for arc in named(graph, "Join.1").inputs)


def test_names_of_baskets_differ() -> None:
    net = Net()
    net.basket("S", S.schema)
    with pytest.raises(SchemaError, match="there is a basket 'S' already"):
        net.basket("S", S.schema)
    graph = QueryNet(Setting())
    graph.add(physical_plan(source("Filter.1", x=int).filter(col("x") > 1).plan))
    with pytest.raises(SchemaError, match=r"a source must not be called as a factory is, 'Filter.1' is"):
        _ = graph.sources


QUERIES = {
    "one": (LOW,),
    "two": (LOW, HIGH),
    "three": (LOW, S, HIGH),
    "join": (JOIN,),
    "join in company": (LOW, JOIN),
    "twice in one query": (LOW.union(HIGH),),
    "deep": (S.filter(col("x") > 1).window(3).distinct(), LOW),
}


@pytest.mark.parametrize("name", QUERIES)
@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda strategy: strategy.name)
def test_no_net_is_ever_stuck(strategy: Strategy, split: Split, name: str) -> None:
    inner = 1 if split == "operator" else 2  # else there are very many markings
    found = analyse(wired(Setting(strategy, split, batch=2, inner_batch=inner), *QUERIES[name]).net)
    assert found.holds, found.faults
    assert found.markings > 5


@settings(max_examples=25, deadline=None, suppress_health_check=(HealthCheck.too_slow, HealthCheck.filter_too_much))
@given(
    st.lists(plans(depth=2, awkward=True), min_size=1, max_size=2), st.sampled_from(STRATEGIES), st.sampled_from(SPLITS)
)
def test_no_net_of_any_plans_is_ever_stuck(found: list[Plan], strategy: Strategy, split: Split) -> None:
    graph = QueryNet(Setting(strategy, split, batch=2))
    for plan in found:
        graph.add(physical_plan(plan))
    assume(graph.sources and len(graph.net.transitions) < 14)  # more have too many markings for a test
    assert analyse(graph.net).holds


class UnlocksEarly(SharedBasket):
    def unlock(self, basket: Basket, has_read: list[Mark]) -> Unlock:
        return Unlock(basket, has_read[:1])


class NeverUnlocks(SharedBasket):
    def unlock(self, basket: Basket, has_read: list[Mark]) -> Unlock:
        return Unlock(basket, [*has_read, Mark("never")])


class LocksWithoutRoom(SharedBasket):
    """The lock does not take the token of the free basket, so that it locks again and again."""

    def share(self, net: Net, basket: Basket, readers: list[BasketReader], minimum: int) -> None:
        super().share(net, basket, readers, minimum)
        (lock,) = (t for t in net.transitions if isinstance(t, Lock))
        lock.inputs[1] = Arc(basket.free, takes=False)


@pytest.mark.parametrize(
    ("wrong", "fault"),
    [
        (UnlocksEarly(), "unlock S removes from S what Filter.2 has not seen after: receptor S; lock S; Filter.1"),
        (NeverUnlocks(), "stuck with S free, S, S seen by Filter.1, S seen by Filter.2 after: receptor S; lock S"),
        (LocksWithoutRoom(), "lock S puts a second token into S ready for Filter.1 after: receptor S; lock S"),
    ],
)
def test_the_analysis_finds_what_is_wrong(wrong: Strategy, fault: str) -> None:
    found = analyse(wired(Setting(wrong), LOW, HIGH).net)
    assert not found.holds
    assert any(text.startswith(fault) for text in found.faults), found.faults


def test_the_analysis_finds_two_that_wait_for_each_other() -> None:
    """Two readers that lock two baskets in turn, one in the other's order."""
    net = Net()
    a, b = net.basket("A", S.schema), net.basket("B", S.schema)
    left, right = Mark("left"), Mark("right")
    for name, first, second, held in (("ab", a, b, left), ("ba", b, a, right)):
        begin, end = Lock(first, [held], 1), Unlock(first, [held])
        begin.name, end.name = f"{name} begins", f"{name} ends"
        end.inputs.append(Arc(second.free, takes=False))
        net.transitions += [begin, end]
    net.transitions += [Receptor(a), Receptor(b)]
    found = analyse(net)
    assert any(text.startswith("stuck with") and "A free" in text and "B free" in text for text in found.faults)


def test_a_cycle_of_data_is_found() -> None:
    net = Net()
    a, b = net.basket("A", S.schema), net.basket("B", S.schema)
    net.transitions += [Copy(a, [(b, None)], 1), Copy(b, [(a, None)], 1)]
    assert not analyse(net).acyclic


def test_a_net_that_is_too_large_is_not_called_free_of_deadlocks() -> None:
    with pytest.raises(Exception, match="a net must have at most 10 markings to be searched, it has more"):
        analyse(wired(Setting(SHARED), LOW, HIGH).net, most=10)
