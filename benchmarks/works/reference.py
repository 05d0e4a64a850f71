"""Every operator against the reference at 10⁴ elements.

The reference computes every snapshot, so times are coarse: starts uniform over 0 … 999, interval streams valid for 2
instants, raw streams, below windows, for one. The partitioned window looks through its whole history for every key at
every instant: it gets 100 instants and 10 keys. Each is measured at the size that its row says, once, and nothing is
extrapolated. The cost of the reference grows with the number of instants (for canonical forms: of different rows) and
ours does not, so these ratios hold for these horizons only: with 30 instants and 5 keys the partitioned window has 83,
with 100 different rows the canonical form 150.
"""

from collections.abc import Callable

from benchmarks.harness.data import cut_in_two, uniform
from benchmarks.harness.table import Inputs, Table
from benchmarks.harness.work import CanonicalForm, Equivalence, Run, Task, Work
from benchmarks.peers.reference import Reference
from semantics import Query, avg, col, count, left, max_, min_, right, source, sum_

SIZE = 10**4
A = source("A", k=int, x=int)
B = source("B", l=int, y=int)
C = source("C", k=int, x=int)
KEY, OTHER_KEY = A.select("k"), C.select("k")
SAME = col("k") == col("l")
INTERVAL = {
    "filter": A.filter(col("x") < 50),
    "map": A.select("k", y=col("x") * 2 + 1),
    "union": A.union(C),
    "difference": KEY.difference(OTHER_KEY),
    "intersection": KEY.intersection(OTHER_KEY),
    "distinct": KEY.distinct(),
    "product": A.product(B),
    "equijoin": A.join(B, SAME),
    "theta join": A.join(B, SAME, col("x") < col("y")),
    "semijoin": A.semijoin(C, left("k") == right("k")),
    "antijoin": A.antijoin(C, left("k") == right("k")),
    "left join": A.left_join(B, SAME),
    "full join": A.full_join(B, SAME),
    "aggregation": A.aggregate(total=sum_("x"), n=count()),
    "total aggregation": A.aggregate(on_empty=True, total=sum_("x"), n=count()),
    "grouping": A.group_by("k").aggregate(total=sum_("x"), n=count(), low=min_("x"), high=max_("x"), mean=avg("x")),
}
RAW = {
    "time window": A.window(10),
    "time window with slide": A.window(10, slide=5),
    "count window": A.rows(100),
    "landmark window": A.landmark(0, reset=100),
    "istream": A.window(10).istream(),
    "dstream": A.window(10).dstream(),
}


def works() -> list[Work]:
    """One for every operator, and for both ways to look at a stream."""
    return [
        *(operator(name, query, length=2) for name, query in INTERVAL.items()),
        *(operator(name, query, length=1) for name, query in RAW.items()),
        operator("partitioned window", A.rows(2, by=("k",)), length=1, span=100, domain=10),
        canonical_form(),
        equivalence(),
    ]


def operator(name: str, query: Query, length: int, span: int = 1000, domain: int = 100) -> Work:
    """A query over streams with as many different keys and values as the domain has."""

    def inputs(size: int) -> Inputs:
        given = {name: schema.names for name, schema in query.plan.sources().items()}
        return {
            name: uniform(size, seed, length=length, span=span, **dict.fromkeys(columns, domain))
            for seed, (name, columns) in enumerate(given.items())
        }

    return _work(name, Run(query), inputs, span + length)


def canonical_form() -> Work:
    """The canonical form of a stream with 1,000 different rows, as at larger sizes."""
    return _work("canonical", CanonicalForm(source("A", k=int)), lambda size: {"A": _keys(size)}, None)


def equivalence() -> Work:
    """The equivalence of a stream and the same with half its elements cut in two."""
    task = Equivalence(source("A", k=int), source("B", k=int))
    return _work("equivalence", task, lambda size: {"A": _keys(size), "B": cut_in_two(_keys(size), 1)}, None)


def _keys(size: int) -> Table:
    return uniform(size, 0, length=2, span=1000, k=1000)


def _work(name: str, task: Task, inputs: Callable[[int], Inputs], horizon: int | None) -> Work:
    peers = (Reference(task, horizon or 0),)
    return Work(f"reference/{name}", task, inputs, peers, goal=500, sizes=(SIZE,), largest=SIZE, horizon=horizon)
