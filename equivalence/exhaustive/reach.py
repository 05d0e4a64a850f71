"""What all examined cases together reached of the plans: windows of rows that were full, thresholds that were met."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from equivalence.exhaustive.dense.batch_windows import groups
from equivalence.exhaustive.dense.counts import Rows
from equivalence.exhaustive.dense.small_scope import has_aggregates
from semantics import Plan
from semantics.notation.show_expression import show_expression
from semantics.plan import CountWindow, Filter, PartitionedWindow


@dataclass
class Reach:
    """The largest number of rows that came into each window of rows, and the thresholds that let something pass."""

    most: dict[Plan, int] = field(default_factory=dict)
    passed: set[Plan] = field(default_factory=set)

    def note(self, nodes: Sequence[Plan], known: Mapping[Plan, Rows]) -> None:
        """Take one batch into account."""
        for node in nodes:
            if isinstance(node, CountWindow | PartitionedWindow) and self.most.get(node, 0) <= node.rows:
                keys = node.keys if isinstance(node, PartitionedWindow) else ()
                came = [_most(members) for members in groups(keys, known[node.input]).values()]
                self.most[node] = max([self.most.get(node, 0), *came])
            if _is_threshold(node) and node not in self.passed and any(n.any() for n in known[node].values()):
                self.passed.add(node)

    def missed(self, nodes: Sequence[Plan]) -> list[str]:
        """What no case reached."""
        return [reason for node in nodes for reason in self._missed(node)]

    def _missed(self, node: Plan) -> Iterator[str]:
        if isinstance(node, CountWindow | PartitionedWindow) and self.most.get(node, 0) <= node.rows:
            yield f"no case fills a window of {node.rows:,} rows: at most {self.most.get(node, 0):,} come into it"
        if isinstance(node, Filter) and _is_threshold(node) and node not in self.passed:
            yield f"no case meets {show_expression(node.predicate, node.scope)}"


def _is_threshold(node: Plan) -> bool:
    """Is this a condition on aggregates?"""
    return isinstance(node, Filter) and has_aggregates(node.input.walk())


def _most(rows: Rows) -> int:
    """How many occurrences there are in a case at most."""
    several = [counts.sum(axis=0, dtype=int) for counts in rows.values()]
    return int(sum(several[1:], start=several[0]).max(initial=0)) if several else 0
