"""Engines that run plans as graphs of operators, some of which are wrong."""

from collections.abc import Callable

from equivalence.mutants.mutant import MutatedEngine
from equivalence.mutants.mutation import Change
from physical.planning.planner import PhysicalNode
from physical.runtime.engine import GraphEngine
from physical.runtime.operator import AnyOperator
from physical.runtime.operator_graph import Algebra
from semantics import Plan


class MutatedGraphEngine(GraphEngine, MutatedEngine):
    """A graph engine with a wrong algebra, on whole streams and in sessions."""

    def __init__(
        self, name: str, algebra: Callable[[], Algebra], *, retracts: bool = False, lacks: tuple[type[Plan], ...] = ()
    ) -> None:
        super().__init__(name)
        self.make_algebra = algebra
        self.retracts = retracts
        self.lacks = lacks

    def algebra(self) -> Algebra:
        return self.make_algebra()


def mutated_algebra(right: Algebra, change: Change) -> Algebra:
    """The same physical plans, but every new operator is given to the change first."""

    def operator(node: PhysicalNode, horizon: int) -> AnyOperator:
        made = right.operator(node, horizon)
        change(made)
        return made

    return Algebra(right.plan, operator)
