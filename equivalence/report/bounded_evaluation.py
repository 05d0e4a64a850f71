"""The reference with a limit to its work: a case from a file may take arbitrarily long, on purpose or not."""

from collections.abc import Mapping
from itertools import accumulate
from typing import Final

from semantics import LogicalStream, Plan, SnapeqError, SparseStream, Stream, TooManyChanges, evaluate, evaluate_sparse
from semantics.constraint import elements_of
from semantics.evaluate import Snapshots, apply
from semantics.notation.show import show_step
from semantics.plan import Binary, Difference, Intersection, SetOperation, Source, Union

MOST_WORK: Final = 500_000
"""Roughly the rows that operators may read: a few seconds."""
_LENGTH_OF_A_SIMPLE_STEP: Final = 40
"""Characters of an operator's text. A longer text means larger expressions, and counts as more work in proportion."""


DENSE_INSTANTS: Final = 100
"""Up to this horizon snapshots are listed one by one; beyond it changes are, so that late instants cost nothing."""


class TooMuchWork(SnapeqError):
    """A case takes more work to evaluate than a case from a file may."""


def evaluate_bounded(plan: Plan, streams: Mapping[str, Stream], horizon: int, work: int = MOST_WORK) -> LogicalStream:
    """As `evaluate`, but raises TooMuchWork instead of working for hours.

    >>> from semantics import parse
    >>> stream = parse("raw(x int): (1)@0 (2)@0")
    >>> evaluate_bounded(parse("S(x int) | distinct"), {"S": stream}, 1).at(0)
    Multiset({(1,): 1, (2,): 1})
    """
    return LogicalStream(plan.schema, _BoundedEvaluation(streams, horizon, work).snapshots(plan))


def evaluate_bounded_at_any_time(
    plan: Plan, streams: Mapping[str, Stream], horizon: int, work: int = MOST_WORK
) -> SparseStream:
    """As `evaluate_bounded`, but the horizon may be as late as it likes: the work depends on changes.

    >>> from semantics import parse
    >>> stream = parse("raw(x int): (1)@0")
    >>> evaluate_bounded_at_any_time(parse("S(x int) | window(range 600)"), {"S": stream}, 10**12).at(599)
    Multiset({(1,): 1})
    """
    if horizon <= DENSE_INSTANTS:
        return SparseStream.of(evaluate_bounded(plan, streams, horizon, work), horizon)
    changes = work // _work_per_change(plan, streams)
    try:
        return evaluate_sparse(plan, streams, horizon, limit=changes)
    except TooManyChanges:
        raise TooMuchWork(f"{plan.operator}: the case is too large to be evaluated here") from None


def _work_per_change(plan: Plan, streams: Mapping[str, Stream]) -> int:
    """An upper bound for the rows, or pairs of rows, that all operators read where something changes."""
    listed = {name: elements_of(streams[name]) for name in plan.sources()}
    pairs = sum(_rows(node, {name: len(rows) for name, rows in listed.items()}) for node in plan.walk())
    return pairs * (1 + len(show_step(plan)) // _LENGTH_OF_A_SIMPLE_STEP)


def _rows(plan: Plan, sizes: Mapping[str, int]) -> int:
    """At most so many rows hold at one instant, if each element is counted as often as operators repeat it."""
    if isinstance(plan, Source):
        return 1 + sizes[plan.name]
    rows = [_rows(child, sizes) for child in plan.inputs]
    return rows[0] * rows[1] if isinstance(plan, Binary) and not isinstance(plan, SetOperation) else sum(rows)


class _BoundedEvaluation:
    def __init__(self, streams: Mapping[str, Stream], horizon: int, work: int) -> None:
        self._streams = streams
        self._horizon = horizon
        self._work = work
        self._known: dict[Plan, Snapshots] = {}

    def snapshots(self, node: Plan) -> Snapshots:
        if node not in self._known:
            self._known[node] = self._source(node) if isinstance(node, Source) else self._applied(node)
        return self._known[node]

    def _source(self, node: Source) -> Snapshots:
        stream = self._streams.get(node.name)
        elements = 0 if stream is None or isinstance(stream, LogicalStream) else len(stream.elements)
        self._spend(node, self._horizon * (1 + elements))
        return evaluate(node, self._streams, self._horizon).snapshots

    def _applied(self, node: Plan) -> Snapshots:
        inputs = tuple(self.snapshots(child) for child in node.inputs)
        self._spend(node, rows_looked_at(node, inputs) * (1 + len(show_step(node)) // _LENGTH_OF_A_SIMPLE_STEP))
        return apply(node, inputs)

    def _spend(self, node: Plan, steps: int) -> None:
        self._work -= steps
        if self._work < 0:
            raise TooMuchWork(f"{node.operator}: the case is too large to be evaluated here")


def rows_looked_at(node: Plan, inputs: tuple[Snapshots, ...]) -> int:
    """How many rows, or pairs of different rows, an operator has to read."""
    if len(inputs) == 1:
        sizes = [1 + len(snapshot) for snapshot in inputs[0]]
        return sum(sizes if node.computable else accumulate(sizes))
    kinds = [[1 + len(snapshot.support) for snapshot in snapshots] for snapshots in inputs]
    if isinstance(node, Union | Difference | Intersection):
        return sum(map(sum, kinds))
    return sum(l * r for l, r in zip(*kinds, strict=True))
