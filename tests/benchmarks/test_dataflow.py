"""The experiments with baskets and factories: what they compute from what they measure."""

import pytest

from benchmarks.dataflow import actuator, batches, chain, kernel, linear_road, strategies
from benchmarks.dataflow.nets import in_batches, run, stream, wired
from benchmarks.dataflow.shape import falls, rises
from equivalence.command.workloads.linear_road import Traffic
from examples.linear_road.queries import plans
from physical.columns.stream import PhysicalStream, joined
from physical.engines.dataflow.query_net import Setting
from physical.engines.dataflow.sharing import STRATEGIES, Strategy
from physical.engines.interval.run_plan import run as run_plan
from physical.runtime.run_whole import clipped


@pytest.mark.parametrize(
    ("values", "up"), [([1, 2, 4], True), ([1, 0.95, 2], True), ([1, 3, 2], False), ([4, 2, 1], False), ([1, 1], False)]
)
def test_a_trend_may_be_noisy(values: list[float], up: bool) -> None:
    assert rises(values) is up
    assert falls(values[::-1]) is up


def test_a_tuple_waits_for_its_batch_and_for_the_batch_before() -> None:
    assert batches.simulated(2, 2, [1.0]) == pytest.approx(1 + 0.5 / batches.TUPLES_PER_SECOND)
    assert batches.simulated(2, 1, [1.0, 1.0]) == pytest.approx(1.5, rel=1e-3)


def test_the_actuator_adds_up_latencies_over_blocks() -> None:
    blocks = [(1_000_000_000, b"created,a\n100,1\n50"), (2_000_000_000, b"0000000,2\n")]
    assert actuator.summary(blocks) == {"tuples": 2, "latency": pytest.approx(1.25), "elapsed": pytest.approx(2.0)}


def test_a_chain_gives_everything_to_the_actuator() -> None:
    found = chain.through(200, queries=2)
    assert found["tuples"] == 200
    assert 0 < found["latency"] <= found["elapsed"]
    assert [claim.holds for claim in chain.claims({0: found, 1: found})][:2] == [False, False]


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda strategy: strategy.name)
def test_disjoint_ranges_give_every_tuple_to_one_query(strategy: Strategy) -> None:
    flow = wired(strategies.disjoint(5), Setting(strategy, "query", 10))
    results: list[PhysicalStream] = []
    for emitter in flow._emitters:
        emitter.subscribers.append(results.append)
    run(flow, in_batches(stream(95), 10))
    assert sorted(joined(results).columns[0].values.tolist()) == list(range(95))


def test_claims_say_whether_they_hold() -> None:
    assert [claim.holds for claim in kernel.claims({1000: 8e6})] == [True]
    assert [claim.holds for claim in kernel.claims({1000: 6e6})] == [False]
    assert [claim.holds for claim in batches.claims({4: {1: 10.0, 1000: 0.01, 100_000: 1.0}})] == [True, True, True]
    assert [claim.holds for claim in batches.claims({4: {1: 0.1, 1000: 0.01, 100_000: 0.005}})] == [False, False, False]
    times = {s.name: dict.fromkeys(strategies.QUERIES, x) for s, x in zip(STRATEGIES, (3.0, 1.0, 2.0), strict=True)}
    assert [c.holds for c in strategies.claims({"x": times})] == [True, True] * len(strategies.QUERIES) + [False]


def test_linear_road_on_a_net_gives_what_the_plans_give() -> None:
    traffic = Traffic(cars=60, minutes=4, segments=6, few=3, seed=4)
    net, horizon = linear_road.TimedNet(), 60 * traffic.minutes
    results = {name: [PhysicalStream.empty(plan.schema)] for name, plan in plans().items()}
    for name, emitter in net.emitters.items():
        emitter.subscribers.append(results[name].append)
    found = linear_road.drive(net, traffic)
    for name, plan in plans().items():
        assert clipped(joined(results[name]), horizon).equivalent(run_plan(plan, traffic.streams, horizon)), name
    assert sum(found.reports) == len(traffic.streams["Position"])
    assert found.results["Toll"] > 0
    assert len(list(found.minutes())) == traffic.minutes
    assert set(net.owner.values()) == set(net.emitters)
