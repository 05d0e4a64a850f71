"""State of interval operators in stores: the same results, the state really there, and let go of in time."""

from pathlib import Path

import numpy as np
import pytest

from equivalence import conform
from physical import run
from physical.columns.column import ColumnVector
from physical.columns.stream import PhysicalStream, joined
from physical.engine import ENGINES
from physical.engines.stored.engine import StoredEngine
from physical.engines.stored.operator_state import StateStores
from physical.planning.planner import physical_plan
from physical.runtime.operator_graph import OperatorGraph
from physical.runtime.run_whole import run_whole
from semantics import Schema, Type, parse_plan

PLANS = {
    "fifo": "join(A(x int) | window(range 9), B(x int) | window(range 4) | map(x as y); x = y)",
    "random": "join(A(x int) | distinct, B(x int) | map(x as y) | distinct; x < y)",
    "slices": "difference(A(x int), B(x int)) | group(x; count(*) as n)",
    "partners": "leftjoin(A(x int) | window(range 5), B(x int) | map(x as y); x <= y)",
}

SCHEMA = Schema.of(x=int)


def stream(size: int, seed: int, longest: int) -> PhysicalStream:
    random = np.random.default_rng(seed)
    start = np.sort(random.integers(0, size // 2, size))
    return PhysicalStream(
        SCHEMA,
        (ColumnVector(Type.INT, random.integers(0, 9, size)),),
        start,
        start + random.integers(1, longest + 1, size),
    )


SOURCES = {"A": stream(150, 1, 1), "B": stream(150, 2, 1)}
LONG = {"A": stream(80, 3, 20), "B": stream(80, 4, 20)}


@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
@pytest.mark.parametrize("database", [None, "sqlite"])
def test_a_plan_gives_the_same_with_its_state_in_stores(plan: str, database: str | None, tmp_path: Path) -> None:
    for number, sources in enumerate((SOURCES, LONG)):
        folder = tmp_path / str(number)
        folder.mkdir()
        stores = StateStores(None if database is None else folder)
        found = run_whole(stores.algebra, parse_plan(plan), sources, 200)
        assert found.equivalent(run(parse_plan(plan), sources, 200))
        assert stores.stores
        assert len(list(folder.glob("*.db"))) == (0 if database is None else len(stores.stores))
        stores.close()


def test_state_is_in_the_stores_while_data_flows_and_gone_when_it_has_ended() -> None:
    stores, sizes = StateStores(), []
    graph = OperatorGraph(stores.algebra)
    graph.add(physical_plan(parse_plan(PLANS["random"])))
    for t in (20, 40, 100):
        for name, found in graph.sources.items():
            since = 0 if t == 20 else t - 20
            part = LONG[name].take((LONG[name].start >= since) & (LONG[name].start < t))
            for node in found:
                if len(part):
                    node.push(part, 0)
                node.heartbeat(t, 0, force=True)
        sizes.append([len(kept.store) for kept in stores.stores])
    assert all(max(size) > 0 for size in sizes[:2])
    assert sizes[2] == [0] * len(stores.stores)


@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
def test_batches_do_not_matter(plan: str) -> None:
    session = StoredEngine().session(dict.fromkeys(LONG, SCHEMA))
    session.add("query", parse_plan(plan))
    found = [PhysicalStream.empty(parse_plan(plan).schema)]
    session.subscribe("query", found.append)
    for t in range(0, 60, 7):
        for name, whole in LONG.items():
            session.push(name, whole.take((whole.start >= t) & (whole.start < t + 7)))
        session.heartbeat(t + 7)
    session.close()
    assert joined(found).equivalent(run(parse_plan(plan), LONG))


def test_the_stored_engine_conforms() -> None:
    assert conform(ENGINES["stored"], cases=260, time_limit=120).holds
