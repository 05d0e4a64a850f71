"""How much a session may hold: no more than what can still matter to elements to come.

An element matters to an operator as long as a future element can overlap it, so that what an operator holds of an input
after a heartbeat t is valid at t or later. Istream and Dstream look back one instant; count windows hold what they
show, and what they will show at the next slide. Who takes rows back has to remember what is shown, and does so until
the instant is over at which it goes. What session windows and OVER hold is not judged.
"""

from equivalence.cases.random_cases import Case
from semantics import ArithmeticOverflow, Plan, evaluate
from semantics.evaluate import Snapshots, apply
from semantics.expression import mentions_now
from semantics.plan import CountWindow, Dstream, Istream, Over, PartitionedWindow, SessionWindow, Source, TimeWindow


class Allowance:
    """What all operators of a plan together may hold once all elements of a case have come."""

    def __init__(self, plan: Plan, case: Case, horizon: int, retracts: bool = False) -> None:
        self._case = case
        self._retracts = retracts
        self._end = horizon + 1 + _longest_slide(plan)
        self._inputs: list[list[int]] = []
        self._always = 0
        self.known = not any(isinstance(node, SessionWindow | Over) for node in plan.walk())
        try:
            self._visit(plan)
        except ArithmeticOverflow:
            self.known = False

    def at(self, t: int) -> int | None:
        """The most elements that may be held after a heartbeat t; None if that is not known."""
        return self._always + sum(sum(sizes[t:]) for sizes in self._inputs) if self.known else None

    def _visit(self, node: Plan) -> Snapshots:
        if isinstance(node, Source):
            return self._shown(evaluate(node, self._case, self._end).snapshots)
        inputs = tuple(self._visit(child) for child in node.inputs)
        for snapshots in inputs:
            sizes = [len(snapshot) for snapshot in snapshots]
            self._inputs.append([0, *sizes] if isinstance(node, Istream | Dstream) else sizes)
            if any(map(mentions_now, node.own_expressions)):
                # Rows that last are split into instants there, of which one lies beyond the last that is looked at.
                self._inputs[-1] = [*sizes, *sizes[-1:]]
        output = apply(node, inputs)
        if isinstance(node, CountWindow | PartitionedWindow):
            self._always += _groups(node, inputs[0]) * (node.rows + node.slide)
            self._inputs.append([len(snapshot) for snapshot in output])
        return self._shown(output)

    def _shown(self, snapshots: Snapshots) -> Snapshots:
        """Who retracts holds what is shown where it is made, and where it is used both that and its end."""
        if self._retracts:
            sizes = [0, *map(len, snapshots)]
            self._inputs += [sizes, sizes, sizes]
        return snapshots


def _groups(node: CountWindow | PartitionedWindow, snapshots: Snapshots) -> int:
    if isinstance(node, CountWindow):
        return 1
    rows = {row for snapshot in snapshots for row in snapshot.support}
    return len({tuple(row[key] for key in node.keys) for row in rows})


def _longest_slide(plan: Plan) -> int:
    """How much later than its input an output can start."""
    below = max((_longest_slide(child) for child in plan.inputs), default=0)
    return below + (plan.slide if isinstance(plan, TimeWindow) else 0)
