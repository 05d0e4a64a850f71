"""Wrong windows and stream/relation operators: off by one, early, late, ties, slides, landmarks, the beginning."""

from dataclasses import replace
from typing import Final

from equivalence.mutants.mutant import Mutant
from equivalence.mutants.reference.wrong_reference import WrongOperator, now, wrong_operator
from semantics import FOREVER, Multiset, Plan, algebra
from semantics import plan as op
from semantics.algebra import EMPTY, History, distinct
from semantics.evaluate import key_of


def _collapsed(node: Plan, history: History) -> Multiset:
    return distinct(now(node, tuple(history)))


def _late(node: Plan, history: History) -> Multiset:
    """What was right an instant ago."""
    return now(node, tuple(history[:-1]))


def _starts_only(node: Plan, history: History) -> Multiset:
    """An element counts when it starts, not at every instant at which it is valid."""
    starts = [now(op.Istream(node.inputs[0]), tuple(history[: t + 1])) for t in range(len(history))]
    return now(node, tuple(starts))


def _without_nulls(node: Plan, history: History) -> Multiset:
    return now(node, tuple(rows.filter(lambda row: None not in row) for rows in history))


def _without_the_beginning(node: Plan, history: History) -> Multiset:
    return now(node, (EMPTY, *history[1:]))


def _slide_from_the_end(node: op.TimeWindow, history: History) -> Multiset:
    """The slide decides when to renew, but the window always ends now."""
    return algebra.time_window(node.size, 1, history) if len(history) % node.slide == 0 else _boundary(node, history)


def _boundary(node: op.TimeWindow, history: History) -> Multiset:
    last = node.slide * (len(history) // node.slide)
    return algebra.time_window(node.size, 1, history[:last]) if last else EMPTY


def _hops(node: op.TimeWindow, history: History) -> Multiset:
    """Nothing until the first window is complete."""
    return now(node, tuple(history)) if node.size == FOREVER or len(history) >= node.size else EMPTY


def _smaller_win(node: op.CountWindow, history: History) -> Multiset:
    """Among ties the smaller rows are taken for the later ones."""
    occurrences = [row for snapshot in history for row in reversed(list(snapshot))]
    last = node.slide * (len(occurrences) // node.slide)
    return now(node, tuple(history)) if node.ties else Multiset(occurrences[max(last - node.rows, 0) : last])


def _ties_unless(node: op.CountWindow, history: History) -> Multiset:
    return algebra.ties_window(node.rows, history) if node.slide == 1 else now(node, tuple(history))


def _ties_split(node: op.CountWindow | op.PartitionedWindow, history: History) -> Multiset:
    return now(replace(node, ties=False), tuple(history))


def _one_partition(node: op.PartitionedWindow, history: History) -> Multiset:
    return now(op.CountWindow(node.input, node.rows, node.slide, node.ties), tuple(history))


def _null_partition_lost(node: op.PartitionedWindow, history: History) -> Multiset:
    key = key_of(node.keys)
    return now(node, tuple(rows.filter(lambda row: None not in key(row)) for rows in history))


def _ago(history: History, instants: int) -> Multiset:
    return history[-1 - instants] if len(history) > instants else EMPTY


_TABLE: Final[list[tuple[str, type[Plan], WrongOperator]]] = [
    ("time window too long", op.TimeWindow, lambda node, h: now(replace(node, size=node.size + 1), h)),
    ("time window too short", op.TimeWindow, lambda node, h: now(replace(node, size=max(node.size - 1, 1)), h)),
    ("time window collapses duplicates", op.TimeWindow, _collapsed),
    ("time window ignores its slide", op.TimeWindow, lambda node, h: now(replace(node, slide=1), h)),
    ("time window slides late", op.TimeWindow, _late),
    ("time window slides at the end", op.TimeWindow, _slide_from_the_end),
    ("time window waits until it is full", op.TimeWindow, _hops),
    ("unbounded window forgets", op.TimeWindow, lambda node, h: now(replace(node, size=min(node.size, 4)), h)),
    ("time window counts starts only", op.TimeWindow, _starts_only),
    ("time window forgets instant 0", op.TimeWindow, _without_the_beginning),
    ("time window drops rows with NULL", op.TimeWindow, _without_nulls),
    ("time window tumbles", op.TimeWindow, lambda node, h: h[-1] if node.size == 1 or node.size == FOREVER else now(replace(node, slide=int(node.size)), h)),
    ("count window too long", op.CountWindow, lambda node, h: now(replace(node, rows=node.rows + 1), h)),
    ("count window too short", op.CountWindow, lambda node, h: now(replace(node, rows=max(node.rows - 1, 1)), h)),
    ("count window ignores its slide", op.CountWindow, lambda node, h: now(replace(node, slide=1), h)),
    ("count window counts instants", op.CountWindow, lambda node, h: algebra.time_window(node.rows, node.slide, h)),
    ("count window keeps ties", op.CountWindow, _ties_unless),
    ("count window splits ties", op.CountWindow, _ties_split),
    ("count window: smaller ties win", op.CountWindow, _smaller_win),
    ("count window counts distinct rows", op.CountWindow, lambda node, h: now(node, tuple(map(distinct, h)))),
    ("count window ignores NULL", op.CountWindow, _without_nulls),
    ("count window counts starts only", op.CountWindow, _starts_only),
    ("count window is late", op.CountWindow, _late),
    ("count window empties in silence", op.CountWindow, lambda node, h: now(node, tuple(h[-6:]))),
    ("partitions are one", op.PartitionedWindow, _one_partition),
    ("partition of NULL is lost", op.PartitionedWindow, _null_partition_lost),
    ("partitions too long", op.PartitionedWindow, lambda node, h: now(replace(node, rows=node.rows + 1), h)),
    ("partitions by the first key", op.PartitionedWindow, lambda node, h: now(replace(node, keys=node.keys[:1]), h)),
    ("partitions split ties", op.PartitionedWindow, _ties_split),
    ("partitions ignore their slide", op.PartitionedWindow, lambda node, h: now(replace(node, slide=1), h)),
    ("partition ends when it is silent", op.PartitionedWindow, lambda node, h: now(node, h).filter(lambda row: any(key_of(node.keys)(row) == key_of(node.keys)(other) for s in h[-4:] for other in s))),
    ("landmark never resets", op.LandmarkWindow, lambda node, h: now(replace(node, reset=None), h)),
    ("landmark one late", op.LandmarkWindow, lambda node, h: now(replace(node, start=node.start + 1), h)),
    ("landmark starts too early", op.LandmarkWindow, lambda node, h: now(replace(node, start=0), h)),
    ("landmark resets at multiples", op.LandmarkWindow, lambda node, h: now(replace(node, start=0), h) if node.reset and len(h) > node.start else now(node, h)),
    ("landmark resets one late", op.LandmarkWindow, lambda node, h: now(replace(node, reset=node.reset and node.reset + 1), h)),
    ("landmark forgets duplicates", op.LandmarkWindow, _collapsed),
    ("Istream of sets", op.Istream, lambda node, h: h[-1].filter(lambda row: row not in _ago(h, 1))),
    ("Istream silent at 0", op.Istream, lambda node, h: now(node, h) if len(h) > 1 else EMPTY),
    ("Istream collapses duplicates", op.Istream, _collapsed),
    ("Istream against two instants ago", op.Istream, lambda node, h: h[-1] - _ago(h, 2)),
    ("Istream is Rstream", op.Istream, lambda node, h: h[-1]),
    ("Dstream is Istream", op.Dstream, lambda node, h: h[-1] - _ago(h, 1)),
    ("Dstream of sets", op.Dstream, lambda node, h: _ago(h, 1).filter(lambda row: row not in h[-1])),
    ("Dstream collapses duplicates", op.Dstream, _collapsed),
    ("Dstream one late", op.Dstream, lambda node, h: _ago(h, 2) - _ago(h, 1)),
]  # fmt: skip
WINDOWS: Final[tuple[Mutant, ...]] = tuple(wrong_operator(*entry) for entry in _TABLE)
