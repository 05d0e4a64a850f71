"""Plans that ask for now: any plan, with the instant in the place of some numbers, and compared in its conditions."""

from collections.abc import Callable
from typing import Final

from equivalence.cases.choices import Choices
from equivalence.cases.random_expressions import COMPARISONS
from equivalence.cases.random_plans import PlanGenerator
from semantics import Expression, Plan, Scope, Type
from semantics import plan as op
from semantics.expression import And, Arithmetic, Comparison, Constant, Now, Or, Ref, children
from semantics.rebuild import with_children, with_expressions

DISTANCES: Final = (1, 2, 3, 5)
ASKING: Final[tuple[type[Plan], ...]] = (
    *(op.Filter, op.Filter, op.Filter, op.Map, op.Map, op.Aggregation, op.Grouping),
    *(op.Join, op.LeftJoin, op.RightJoin, op.FullJoin, op.Semijoin, op.Antijoin),
)
"""Operators with expressions, those that rewrites move most often more than once."""
LOOKING_BACK: Final[tuple[type[Plan], ...]] = (
    *(op.TimeWindow, op.TimeWindow, op.LandmarkWindow, op.CountWindow, op.PartitionedWindow),
    *(op.Istream, op.Dstream),
)
Change = Callable[[Expression], Expression]


def asking_for_now(choices: Choices, plan: Plan) -> Plan:
    """The same operators over the same sources; those that have expressions mostly ask for now.

    >>> from equivalence.cases.choices import SeededChoices
    >>> from semantics import parse_plan, show
    >>> show(asking_for_now(SeededChoices(1), parse_plan("S(x int) | window(range 3) | filter(x > 1)")))
    'S(x int) | window(range 3) | filter(now > 1)'
    """
    return _Asking(choices).of(plan)


class AboveWindows(PlanGenerator):
    """Operators with expressions, mostly directly above a window or Istream or Dstream."""

    def asking(self) -> Plan:
        """An operator that can ask for now."""
        return self.rooted(self.choices.of(ASKING), 2)

    def plan(self, depth: int) -> Plan:
        if depth and self.choices.chance(2, 3):
            return self.rooted(self.choices.of(LOOKING_BACK), 1)
        return super().plan(depth)


class OverSources(PlanGenerator):
    """Operators straight above a source, so that rows last as the streams say.

    Half of the conditions are true but for now; the others change again and again, so that rows have to be split.
    """

    def plan(self, depth: int) -> Plan:  # noqa: ARG002  # what is below does not matter here
        return self.source()

    def predicate(self, scope: Scope) -> Expression:  # noqa: ARG002  # now makes the condition
        if self.choices.chance(1, 2):
            return Constant(True, Type.BOOL)
        return _again_and_again(self.choices)


def _again_and_again(choices: Choices) -> Comparison:
    """A condition on now alone that changes at endlessly many instants."""
    rest = Arithmetic("MOD", Now(), Constant(choices.between(2, 4), Type.INT))
    return Comparison(choices.of(COMPARISONS), rest, Constant(choices.below(2), Type.INT))


class Panes(PlanGenerator):
    """Filters that keep one instant of every few, over rows that last because of a window or by themselves."""

    def plan(self, depth: int) -> Plan:  # noqa: ARG002  # what is below does not matter here
        return self.source() if self.choices.chance(1, 2) else self.rooted(op.TimeWindow, 0)

    def predicate(self, scope: Scope) -> Expression:
        later = Arithmetic("+", Now(), Constant(self.choices.below(3), Type.INT))
        rest = Arithmetic("MOD", later, Constant(self.choices.between(2, 4), Type.INT))
        pane = Comparison("=", rest, Constant(self.choices.below(2), Type.INT))
        return And(pane, super().predicate(scope)) if self.choices.chance(1, 8) else pane


class _Asking:
    """Changes each subplan once, so that one that is shared stays shared."""

    def __init__(self, choices: Choices) -> None:
        self.choices = choices
        self.made: dict[Plan, Plan] = {}

    def of(self, plan: Plan) -> Plan:
        if plan not in self.made:
            self.made[plan] = self._asked(plan.with_inputs(*map(self.of, plan.inputs)))
        return self.made[plan]

    def _asked(self, node: Plan) -> Plan:
        if not node.own_expressions or isinstance(node, op.Over) or self.choices.below(4) == 3:
            return node
        if isinstance(node, op.Filter | op.Joined | op.Filtering):
            scope = node.scope
            return with_expressions(node, lambda predicate: self._condition(predicate, scope))
        assert isinstance(node, op.Unary)
        return with_expressions(node, self._with_now)

    def _condition(self, predicate: Expression, scope: Scope) -> Expression:
        """Now in the place of numbers; or a comparison with it beside the condition, or instead."""
        changes: list[Change] = [
            self._with_now,
            lambda condition: And(condition, self._border(scope)),
            lambda condition: Or(self._border(scope), condition),
            lambda _: self._border(scope),
            lambda _: And(self._border(scope), self._border(scope)),
            lambda _: _again_and_again(self.choices),
        ]
        return self.choices.of(changes)(predicate)

    def _with_now(self, expression: Expression) -> Expression:
        """Now in the place of some numbers and columns."""
        if isinstance(expression, Ref | Constant | Now):
            return Now() if expression.type is Type.INT and self.choices.below(2) == 0 else expression
        return with_children(expression, [self._with_now(child) for child in children(expression)])

    def _border(self, scope: Scope) -> Comparison:
        """Now compared with a column or a number, either side a little earlier or later."""
        columns: list[Expression] = [Ref(i, type_) for i, type_ in enumerate(scope.types) if type_ is Type.INT]
        number = Constant(self.choices.of((*DISTANCES, 0, 8)), Type.INT)
        other = self._moved(self.choices.of([*columns, number]))
        sides = (self._moved(Now()), other)
        return Comparison(self.choices.of(COMPARISONS), *(sides if self.choices.chance(3, 4) else sides[::-1]))

    def _moved(self, expression: Expression) -> Expression:
        if self.choices.below(2) == 0:
            return expression
        distance = Constant(self.choices.of(DISTANCES), Type.INT)
        return Arithmetic("+" if self.choices.chance(1, 2) else "-", expression, distance)
