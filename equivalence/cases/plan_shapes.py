"""Plans of particular shapes: inputs with common rows, shared inputs, many expressions, many aggregates."""

from functools import reduce
from typing import Any, Final

from equivalence.cases.aggregate_parameters import with_any_parameter
from equivalence.cases.random_aggregates import AGGREGATE_KINDS, ALL_KINDS, Kinds, choose_aggregate
from equivalence.cases.random_expressions import COMPARISONS, ExpressionGenerator
from equivalence.cases.random_plans import PlanGenerator
from equivalence.cases.random_rows import COMMON_VALUES
from semantics import Expression, Plan, Scope, Type
from semantics.aggregate import Aggregate, filtered
from semantics.expression import And, Arithmetic, Coalesce, Comparison, Constant, IsDistinct, Not, Ref
from semantics.plan import Map, Over, SessionWindow, TimeWindow, Union

MOST_COLUMNS: Final = 8
MOST_EXPRESSIONS: Final = 16
MOST_FURTHER: Final = 16
"""Aggregates, where not only those are drawn that every engine knows: there are many more of them."""
_COMMON: Final = ("sum", "count_of", "avg", "min", "max", "largest")
_MADE: Final = (Type.BOOL, Type.BOOL, Type.BOOL, Type.INT, Type.FLOAT, Type.STR)


class MeetingInputs(PlanGenerator):
    """Half of the time both inputs of an operator come from one source, so that their rows are the same."""

    def pair(self, depth: int) -> tuple[Plan, Plan]:
        left = self.plan(depth - 1)
        if self.choices.chance(1, 2):
            source, size = _first_source(left), self.choices.between(1, 4)
            return left, TimeWindow(source, size) if TimeWindow in self.kinds else source
        return left, self.plan(depth - 1)


def _first_source(plan: Plan) -> Plan:
    return _first_source(plan.inputs[0]) if plan.inputs else plan


class SharedInputs(PlanGenerator):
    """Operators take the same input on both sides; set operations also take it a third time."""

    def pair(self, depth: int) -> tuple[Plan, Plan]:
        left = self.plan(depth - 1)
        return left, left

    def alike(self, depth: int) -> tuple[Plan, Plan]:
        left, right = super().alike(depth)
        third = Union in self.kinds and self.choices.chance(1, 3)
        return (Union(left, right), left) if third else (left, right)


class OnSessions(PlanGenerator):
    """Operators above sessions and OVER, as queries have them: sums by session, the first row by its number."""

    def plan(self, depth: int) -> Plan:
        known = [kind for kind in (SessionWindow, Over) if kind in self.kinds]
        return self.rooted(self.choices.of(known), 0) if known and depth >= 0 else super().plan(max(depth, 0))


class OneAboveTheOther(MeetingInputs):
    """Every operator directly above every other one: engines and optimizers may treat such a pair as one."""

    def plan(self, depth: int) -> Plan:
        return self.rooted(self.choices.of(self.kinds), 0) if depth >= 0 else super().plan(0)


class LongExpressions(ExpressionGenerator):
    """CASE, COALESCE and IN of more parts than code that treats the first few apart would see."""

    most_branches = 5
    most_operands = 5
    most_options = 9

    def coalesce(self, type_: Type, depth: int) -> Expression:
        """Often the first operands are NULL, so that a later one is seen."""
        operands = self.some(type_, depth, at_most=self.most_operands)
        first = self.choices.below(len(operands))
        return Coalesce((*[Constant(None, type_)] * first, *operands[first:]))


class ManyExpressions(PlanGenerator):
    """Maps make many columns by nested expressions, straight from a source."""

    def map(self, depth: int) -> Plan:  # noqa: ARG002  # what is below does not matter here
        child = self.source()
        made = [self._made(Scope(child.schema)) for _ in range(self.choices.between(1, MOST_EXPRESSIONS))]
        return Map(child, tuple(made), tuple(f"c{i}" for i in range(len(made))))

    def predicate(self, scope: Scope) -> Expression:
        return LongExpressions(self.choices, scope, self.awkward).of(Type.BOOL, depth=self.choices.between(1, 2))

    def _made(self, scope: Scope) -> Expression:
        """An expression of any type, or a comparison of two columns."""
        types = list(enumerate(scope.types))
        pairs = [(Ref(i, t), Ref(j, u)) for i, t in types for j, u in types if i < j and t is u]
        if pairs and self.choices.chance(1, 4):
            pair = self.choices.of(pairs)
            return IsDistinct(*pair) if self.choices.chance(1, 4) else Comparison(self.choices.of(COMPARISONS), *pair)
        expressions = LongExpressions(self.choices, scope, self.awkward)
        return expressions.of(self.choices.of(_MADE), depth=self.choices.between(1, 2))


class ManyAggregates(PlanGenerator):
    """Several aggregates over the elements of a window, mostly over plain columns."""

    def plan(self, depth: int) -> Plan:  # noqa: ARG002  # what is below does not matter here
        source, size = self.source(), self.choices.between(1, 6)
        return TimeWindow(source, size) if TimeWindow in self.kinds else source

    def aggregates(self, child: Plan, at_least: int) -> tuple[tuple[Any, ...], tuple[str, ...]]:
        further = self.choices.chance(1, 4)
        number = self.choices.between(max(at_least, 1), MOST_FURTHER if further else MOST_COLUMNS)
        make = self._further_aggregate if further else self._an_aggregate
        return tuple(make(child) for _ in range(number)), tuple(f"a{i}" for i in range(number))

    def _further_aggregate(self, child: Plan) -> Aggregate:
        """Any aggregate, one in four of rows for which a comparison holds."""
        made = self._an_aggregate(child, ALL_KINDS)
        if not self.choices.chance(1, 4):
            return made
        index = self.choices.below(len(child.schema))
        column = Ref(index, type_ := child.schema.types[index])
        value = Constant(self.choices.of(COMMON_VALUES[type_]), type_)
        return filtered(made, Comparison(self.choices.of(COMPARISONS), column, value))

    def _an_aggregate(self, child: Plan, kinds: Kinds = AGGREGATE_KINDS) -> Aggregate:
        if self.choices.chance(1, 4):
            return choose_aggregate(self.choices, Scope(child.schema), self.awkward)
        index = self.choices.below(len(child.schema))
        type_ = child.schema.types[index]
        make = self.choices.of([make for allowed, make in kinds.values() if type_ in allowed])
        return with_any_parameter(self.choices, make(Ref(index, type_)))


class OneArgument(ManyAggregates):
    """Common aggregates of one column, over a window or not: engines may have a shorter way for them."""

    def plan(self, depth: int) -> Plan:
        return super().plan(depth) if self.choices.chance(1, 2) else self.source()

    def aggregates(self, child: Plan, at_least: int) -> tuple[tuple[Any, ...], tuple[str, ...]]:
        numeric = [i for i, type_ in enumerate(child.schema.types) if type_ in (Type.INT, Type.FLOAT)]
        argument = Ref(index := self.choices.of(numeric), child.schema.types[index])
        number = self.choices.between(max(at_least, 1), 3)
        made = [AGGREGATE_KINDS[self.choices.of(_COMMON)][1](argument) for _ in range(number)]
        varied = tuple(with_any_parameter(self.choices, aggregate) for aggregate in made)
        return varied, tuple(f"a{i}" for i in range(number))


class PlainConditions(PlanGenerator):
    """Predicates are conjunctions of comparisons of a column with another one or with a value, as most queries have."""

    def predicate(self, scope: Scope) -> Expression:
        return reduce(And, [self._comparison(scope) for _ in range(self.choices.between(1, 3))])

    def _comparison(self, scope: Scope) -> Expression:
        columns = [Ref(i, type_) for i, type_ in enumerate(scope.types)]
        column = self.choices.of(columns)
        others = [other for other in columns if other.type is column.type and other != column]
        symbol = self.choices.of(("=", "=", *COMPARISONS))
        if others and self.choices.chance(1, 2):
            return Comparison(symbol, column, self.choices.of(others))
        return Comparison(symbol, column, Constant(self.choices.of(COMMON_VALUES[column.type]), column.type))


class JoinConditions(MeetingInputs):
    """Conditions for which engines have ways of their own: equal columns, a column equal to an expression, ranges,
    and a single inequality, which holds or, as in `NOT … ALL`, fails for some partner.
    """

    def predicate(self, scope: Scope) -> Expression:
        pairs = _pairs_across(scope)
        if not pairs:
            return super().predicate(scope)
        if self.choices.below(16) == 15:
            return Constant(True, Type.BOOL)  # only then a row of NULLs has partners
        if self.choices.chance(1, 4):
            alone = Comparison(self.choices.of(("<", "<=", ">", ">=")), *self.choices.of(pairs))
            return IsDistinct(alone, Constant(True, Type.BOOL)) if self.choices.chance(1, 2) else alone
        return reduce(And, [self._compared(*self.choices.of(pairs)) for _ in range(self.choices.between(1, 3))])

    def _compared(self, left: Ref, right: Ref) -> Expression:
        if self.choices.chance(1, 8):
            return Not(IsDistinct(left, right))
        own, other = (right, left) if self.choices.chance(1, 2) else (left, right)
        if self.choices.chance(1, 3):
            return Comparison("=", own, self._computed(other))
        return Comparison(self.choices.of(("=", *COMPARISONS)), own, other)

    def _computed(self, column: Ref) -> Expression:
        match column.type:
            case Type.INT:
                return Arithmetic("+", column, Constant(self.choices.of((0, 1, -1)), Type.INT))
            case Type.FLOAT:
                return Arithmetic("*", column, Constant(1.0, Type.FLOAT))
            case Type.BOOL:
                return Not(column)
            case Type.STR:
                return Coalesce((column, Constant("", Type.STR)))
            case _:
                return Coalesce((column, Constant(None, column.type)))


def _pairs_across(scope: Scope) -> list[tuple[Ref, Ref]]:
    """A column of each side, both of one type."""
    columns, width = [Ref(i, type_) for i, type_ in enumerate(scope.types)], len(scope.left)
    return [(a, b) for a in columns[:width] for b in columns[width:] if a.type is b.type]
