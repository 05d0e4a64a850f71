"""One row of the table: snapeq and a peer on the same inputs, checked, warmed up, and timed in turns."""

from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.harness.agree import check_agreement
from benchmarks.harness.limit import limit
from benchmarks.harness.table import Answer, Inputs, Table
from benchmarks.harness.timing import Lap, race
from benchmarks.harness.work import Contestant, Peer, Work
from benchmarks.studies import engine

Row = dict[str, Any]
"""`name`, `size`, `ours_s`, `peer`, `peer_s`, `ratio`, `goal`; also the same by processor time (`…_cpu…`), `limit_s`,
`noise`, the spread of the runs, and `special`: what the peer relies on that other inputs need not have."""

Say = Callable[[str], None]


def falls_short(row: Row) -> bool:
    """Is a goal missed? None applies to a peer that relies on special inputs; a session must also keep its memory."""
    return not row["special"] and (row["ratio"] < row["goal"] or not row.get("flat", True))


def measure(work: Work, size: int, repeat: int, progress: Say) -> Iterator[Row]:
    """One row per peer that can take part, all on the same inputs."""
    peers = [peer for peer in work.peers if not peer.obstacle() and (peer.largest is None or size <= peer.largest)]
    if not peers:
        return
    progress(f"{work.name}: {size:,} elements")
    inputs = work.inputs(size)
    ours, bound = engine.prepare(work.task, inputs), limit(inputs, repeat)
    expected = answered(work, ours, ours.run())
    for peer in peers:
        progress(f"{work.name}: {size:,} elements against {peer.name}")
        mine, theirs = duel(work, size, inputs, ours, expected, peer, repeat)
        yield {
            "name": work.name,
            "size": size,
            "ours_s": mine.best,
            "peer": peer.name,
            "peer_s": theirs.best,
            "ratio": theirs.best / mine.best,
            "goal": work.goal,
            "ours_cpu_s": mine.best_cpu,
            "peer_cpu_s": theirs.best_cpu,
            "cpu_ratio": theirs.best_cpu / mine.best_cpu,
            "special": peer.special,
            "limit_s": bound,
            "noise": max(mine.spread, theirs.spread),
        }


def duel(
    work: Work, size: int, inputs: Inputs, ours: Contestant, expected: Answer, peer: Peer, repeat: int
) -> tuple[Lap, Lap]:
    """The first run warms up and must agree; a peer that is too slow for more is timed in it."""
    contestant, first = peer.prepare(inputs), Lap()
    answer = answered(work, contestant, first.time(contestant.run))
    check_agreement(f"{work.name} at {size}", {"snapeq": expected, peer.name: answer})
    del answer
    if peer.once:
        return race([ours.run], repeat)[0], first
    mine, theirs = race([ours.run, contestant.run], repeat)
    return mine, theirs


def answered(work: Work, contestant: Contestant, result: Any) -> Answer:
    """A result as an answer, up to the horizon of the work."""
    answer = contestant.read(result)
    return answer.until(work.horizon) if isinstance(answer, Table) and work.horizon is not None else answer
