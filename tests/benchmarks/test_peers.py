"""Every peer's query gives the answer of the reference, on small streams full of ties and overlaps."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.harness.agree import compare
from benchmarks.harness.table import Answer, Inputs, Table
from benchmarks.harness.work import Peer, Task, Work
from benchmarks.peers.reference import Reference
from benchmarks.works.canonical import canonical
from benchmarks.works.difference import difference
from benchmarks.works.distinct import distinct
from benchmarks.works.equijoin import equijoin
from benchmarks.works.equivalence import equivalence
from benchmarks.works.grouped import grouped
from benchmarks.works.intersection import intersection
from benchmarks.works.scalar import scalar

WORKS = [
    equijoin(keys=2, length=4, values=2),
    equijoin(keys=100, length=30),
    grouped(groups=2, length=4, values=2),
    grouped(groups=100, length=30),
    distinct(rows=3, length=4),
    difference(rows=2, length=4),
    intersection(rows=2, length=4),
    canonical(rows=2, length=3),
    equivalence(rows=2, length=4),
    scalar(length=5),
]
DUELS = [pytest.param(w, p, id=f"{i} {w.name} {p.name}") for i, w in enumerate(WORKS) for p in w.peers]

ANY_INTERVALS = [(w, p) for w in WORKS for p in w.peers if not p.special]


def answer(peer: Peer, inputs: Inputs) -> Answer:
    contestant = peer.prepare(inputs)
    return contestant.read(contestant.run())


def defined(task: Task, inputs: Inputs) -> Answer:
    horizon = max(int(table.end.max()) for table in inputs.values())
    return answer(Reference(task, horizon), inputs)


@pytest.mark.parametrize("size", [1, 2, 5, 20, 60, 200])
@pytest.mark.parametrize(("work", "peer"), DUELS)
def test_peer_gives_the_answer_of_the_reference(work: Work, peer: Peer, size: int) -> None:
    inputs = work.inputs(size)
    assert compare(defined(work.task, inputs), answer(peer, inputs)) is None


@pytest.mark.parametrize("size", [1, 5, 60, 200])
@pytest.mark.parametrize(("work", "peer"), ANY_INTERVALS)
def test_peer_that_relies_on_nothing_takes_any_intervals(work: Work, peer: Peer, size: int) -> None:
    random = np.random.default_rng(size)
    inputs = {
        name: replace(table, end=table.start + random.integers(1, 40, len(table)))
        for name, table in work.inputs(size).items()
    }
    assert compare(defined(work.task, inputs), answer(peer, inputs)) is None


@pytest.mark.parametrize("peer", equivalence().peers, ids=lambda peer: peer.name)
def test_peer_sees_streams_that_are_not_equivalent(peer: Peer) -> None:
    work = equivalence(rows=2, length=4)
    inputs = work.inputs(30)
    longer = inputs["B"].end + (np.arange(len(inputs["B"])) == 7)
    changed = {"A": inputs["A"], "B": replace(inputs["B"], end=longer)}
    assert defined(work.task, changed) is False
    assert answer(peer, changed) is False


@pytest.mark.parametrize(("work", "peer"), DUELS)
def test_peer_shows_its_query(work: Work, peer: Peer) -> None:
    assert "A" in peer.show()
    assert work.called(work.name)
    assert work.called(work.name.split("/")[0])


def test_the_reference_answers_in_snapshots() -> None:
    work = distinct(rows=1, length=3)
    table = defined(work.task, work.inputs(2))
    assert isinstance(table, Table)
    assert (table.end - table.start == 1).all()
