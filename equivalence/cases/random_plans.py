"""Plans over all operators, nested, with shared subplans; and one way to make each operator the root.

Every plan is valid: it reads sources of the catalogue, its expressions have the right types, inputs of set operations
have the same types, and inputs of products and joins have no common column names.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from equivalence.cases.choices import Choices
from equivalence.cases.random_aggregates import choose_aggregate
from equivalence.cases.random_expressions import ExpressionGenerator
from equivalence.cases.random_over import choose_over
from equivalence.cases.random_rows import TYPES, choose_value
from semantics import FOREVER, Expression, Plan, Schema, Scope
from semantics import plan as op
from semantics.expression import Comparison, ComparisonSymbol, Constant, Ref
from semantics.ordering import Ranking, SortKey
from semantics.over import OverFunction
from semantics.value import Type

Catalogue = Mapping[str, Schema]
CATALOGUE: Final[Catalogue] = {
    "A": Schema.of(x=int, s=str),
    "B": Schema.of(x=int, f=float),
    "C": Schema.of(b=bool, f=float, s=str),
    "D": Schema.of(x=int, s=str),
    "E": Schema.of(x=int, f=float),
    "F": Schema.of(b=bool, f=float, s=str),
}
"""Every schema twice, so that unions, differences and intersections of different streams meet."""
MOST_COLUMNS_OF_AN_INPUT: Final = 4
_RANKINGS: Final[tuple[Ranking, ...]] = ("rows", "rows", "rank", "dense")
_NULLS: Final = (None, None, True, False)
_LINKS: Final[tuple[ComparisonSymbol, ...]] = ("=", "=", "<=", "<>")


class PlanGenerator:
    """Generates plans over a catalogue; a plan of a particular shape is made by a subclass (see `plan_shapes`)."""

    expressions: type[ExpressionGenerator] = ExpressionGenerator
    """What makes expressions."""

    def __init__(
        self, choices: Choices, catalogue: Catalogue, awkward: bool, kinds: Sequence[type[Plan]] | None = None
    ) -> None:
        self.choices = choices
        self.catalogue = catalogue
        self.awkward = awkward
        self.kinds = KINDS if kinds is None else kinds
        self._next: type[Plan] | None = None

    def nested(self, outer: type[Plan], inner: type[Plan]) -> Plan:
        """One operator directly above another, as rewrite rules need it."""
        self._next = inner
        return self.rooted(outer, 2)

    def plan(self, depth: int) -> Plan:
        """An operator over smaller plans, or a source; half of the sources have a window, so that elements meet."""
        if self._next is not None:
            inner, self._next = self._next, None
            return self.rooted(inner, 1)
        if depth == 0 or self.choices.below(5) == 0:
            source = self.source()
            windowed = self.choices.chance(1, 2) and op.TimeWindow in self.kinds
            return op.TimeWindow(source, self.choices.between(2, 5)) if windowed else source
        return self.rooted(self.choices.of(self.kinds), depth)

    def rooted(self, operator: type[Plan], depth: int) -> Plan:
        return OPERATORS[operator](self, depth)

    def number(self, least: int, most: int) -> int:
        """How many rows, places or columns."""
        return self.choices.between(least, most)

    def span(self, least: int, most: int) -> int:
        """How many instants."""
        return self.choices.between(least, most)

    def source(self) -> Plan:
        name = self.choices.of(sorted(self.catalogue))
        return op.Source(name, self.catalogue[name])

    def predicate(self, scope: Scope) -> Expression:
        """A comparison of two columns (one of each input if there are two) half of the time, else any predicate.

        Random predicates over two inputs are nearly always false or do not connect them.
        """
        half = len(scope.left) if scope.right else 0
        pairs = [
            (Ref(i, t), Ref(j, u))
            for i, t in enumerate(scope.types)
            for j, u in enumerate(scope.types)
            if i < j and t is u and (i < half <= j or not half)
        ]
        linked = self.choices.chance(1, 2)
        if pairs and linked:
            return Comparison(self.choices.of(_LINKS), *self.choices.of(pairs))
        return self.expressions(self.choices, scope, self.awkward).of(Type.BOOL, depth=2)

    def map(self, depth: int) -> Plan:
        child = self.plan(depth - 1)
        expressions = self.expressions(self.choices, Scope(child.schema), self.awkward)
        made = [expressions.of(type_, depth=1) for type_ in self.types()]
        return op.Map(child, tuple(made), tuple("pqr"[: len(made)]))

    def aggregation(self, depth: int) -> Plan:
        child = self.plan(depth - 1)
        return op.Aggregation(child, *self.aggregates(child, 1), on_empty=self.choices.chance(1, 2))

    def grouping(self, depth: int) -> Plan:
        child = self.plan(depth - 1)
        return op.Grouping(child, self.keys(child), *self.aggregates(child, 0))

    def limit(self, depth: int) -> Plan:
        child = self.plan(depth - 1)
        count = self.number(1, 4) if self.choices.chance(5, 6) else None
        offset = self.number(1, 2) if self.choices.chance(1, 4) else 0
        keys = self.keys(child) if self.choices.chance(1, 2) else ()
        return op.Limit(child, count, self.order(child), keys, offset, self.choices.of(_RANKINGS))

    def order(self, child: Plan) -> tuple[SortKey, ...]:
        columns = self.keys(child) if self.choices.chance(7, 8) else ()
        return tuple(SortKey(c, self.choices.chance(1, 2), self.choices.of(_NULLS)) for c in columns)

    def aggregates(self, child: Plan, at_least: int) -> tuple[tuple[Any, ...], tuple[str, ...]]:
        number, scope = self.choices.between(at_least, 2), Scope(child.schema)
        drawn = tuple(choose_aggregate(self.choices, scope, self.awkward) for _ in range(number))
        free = (f"a{i}" for i in range(99) if f"a{i}" not in child.schema.names)
        return drawn, tuple(next(free) for _ in drawn)

    def keys(self, child: Plan) -> tuple[int, ...]:
        keys = [self.choices.below(len(child.schema)) for _ in range(self.choices.between(1, 2))]
        return tuple(dict.fromkeys(keys))

    def pair(self, depth: int) -> tuple[Plan, Plan]:
        """Two inputs; one in six times both are the same plan, which an engine may share."""
        left = self.plan(depth - 1)
        return left, (left if self.choices.chance(1, 6) else self.plan(depth - 1))

    def alike(self, depth: int) -> tuple[Plan, Plan]:
        """Two inputs with the same types, column by column."""
        left, right = self.pair(depth)
        like = [op.Source(name, schema) for name, schema in self.catalogue.items() if schema.types == left.schema.types]
        others = [source for source in like if source != left]
        if others and self.choices.chance(1, 2):
            return left, self.choices.of(others)
        if left.schema.types == right.schema.types:
            return left, right
        columns = [self._column(right.schema, type_) for type_ in left.schema.types]
        return left, op.Map(right, tuple(columns), left.schema.names)

    def _column(self, schema: Schema, type_: Type) -> Expression:
        refs = [Ref(i, t) for i, t in enumerate(schema.types) if t is type_]
        return self.choices.of(refs) if refs else Constant(choose_value(self.choices, type_, self.awkward), type_)

    def types(self) -> list[Type]:
        there = dict.fromkeys(type_ for schema in self.catalogue.values() for type_ in schema.types)
        new = [type_ for type_ in there if type_ not in TYPES]
        return [self.choices.of((*new, *TYPES)) for _ in range(self.choices.between(1, 3))]

    def apart(self, depth: int) -> tuple[Plan, Plan]:
        """Two inputs of limited width without a common name."""
        left, right = (self._narrow(side) for side in self.pair(depth))
        free = [f"{name}{i}" for i in range(9) for name in right.schema.names if f"{name}{i}" not in left.schema.names]
        if set(left.schema.names) & set(right.schema.names):
            right = op.Map(right, _refs(right.schema), tuple(free[: len(right.schema)]))
        return left, right

    def _narrow(self, plan: Plan) -> Plan:
        if len(plan.schema) <= MOST_COLUMNS_OF_AN_INPUT:
            return plan
        return op.Map(plan, _refs(plan.schema)[:MOST_COLUMNS_OF_AN_INPUT], plan.schema.names[:MOST_COLUMNS_OF_AN_INPUT])

    def joined(self, kind: Callable[[Plan, Plan, Expression], Plan]) -> Callable[[int], Plan]:
        def make(depth: int) -> Plan:
            left, right = self.apart(depth)
            return kind(left, right, self.predicate(Scope(left.schema, right.schema)))

        return make

    def time_window(self, depth: int) -> Plan:
        size = FOREVER if self.choices.chance(1, 3) else self.span(1, 5)
        return op.TimeWindow(self.plan(depth - 1), size, self.slide())

    def slide(self) -> int:
        return self.span(1, 5) if self.choices.chance(1, 2) else 1

    def slide_in_rows(self) -> int:
        return self.number(1, 5) if self.choices.chance(1, 2) else 1

    def rows(self) -> tuple[int, int, bool]:
        ties = self.choices.chance(1, 2)
        return self.number(1, 4), 1 if ties else self.slide_in_rows(), ties

    def partitioned(self, depth: int) -> Plan:
        child = self.plan(depth - 1)
        return op.PartitionedWindow(child, self.keys(child), *self.rows())

    def session(self, depth: int) -> Plan:
        child = self.plan(depth - 1)
        keys = self.keys(child) if self.choices.chance(2, 3) else ()
        first, second = self._free(child, 2)
        return op.SessionWindow(child, self.span(1, 4), keys, self.choices.chance(1, 2), (first, second))

    def over(self, depth: int) -> Plan:
        child = self.plan(depth - 1)
        functions = tuple(self.over_function(Scope(child.schema)) for _ in range(self.choices.between(1, 2)))
        keys = self.keys(child) if self.choices.chance(1, 2) else ()
        order = self.order(child) if self.choices.chance(1, 2) else ()
        return op.Over(child, functions, tuple(self._free(child, len(functions))), keys, order)

    def over_function(self, scope: Scope) -> OverFunction:
        return choose_over(self.choices, scope)

    def _free(self, child: Plan, count: int) -> list[str]:
        """Names that the child does not have."""
        free = [f"a{i}" for i in range(len(child.schema) + count) if f"a{i}" not in child.schema.names]
        return free[:count]

    def landmark(self, depth: int) -> Plan:
        reset = self.span(1, 4) if self.choices.chance(1, 2) else None
        return op.LandmarkWindow(self.plan(depth - 1), self.span(0, 4), reset)


def _refs(schema: Schema) -> tuple[Expression, ...]:
    return tuple(Ref(i, t) for i, t in enumerate(schema.types))


def _filter(plans: PlanGenerator, depth: int) -> Plan:
    child = plans.plan(depth - 1)
    return op.Filter(child, plans.predicate(Scope(child.schema)))


def _filtering(kind: Callable[[Plan, Plan, Expression], Plan]) -> Callable[[PlanGenerator, int], Plan]:
    def make(plans: PlanGenerator, depth: int) -> Plan:
        left, right = plans.pair(depth)
        return kind(left, right, plans.predicate(Scope(left.schema, right.schema)))

    return make


OPERATORS: Final[dict[type[Plan], Callable[[PlanGenerator, int], Plan]]] = {
    op.Filter: _filter,
    op.Map: lambda plans, depth: plans.map(depth),
    op.Distinct: lambda plans, depth: op.Distinct(plans.plan(depth - 1)),
    op.Aggregation: PlanGenerator.aggregation,
    op.Grouping: PlanGenerator.grouping,
    op.Limit: PlanGenerator.limit,
    op.Union: lambda plans, depth: op.Union(*plans.alike(depth)),
    op.Difference: lambda plans, depth: op.Difference(*plans.alike(depth)),
    op.Intersection: lambda plans, depth: op.Intersection(*plans.alike(depth)),
    op.Product: lambda plans, depth: op.Product(*plans.apart(depth)),
    op.Join: lambda plans, depth: plans.joined(op.Join)(depth),
    op.LeftJoin: lambda plans, depth: plans.joined(op.LeftJoin)(depth),
    op.RightJoin: lambda plans, depth: plans.joined(op.RightJoin)(depth),
    op.FullJoin: lambda plans, depth: plans.joined(op.FullJoin)(depth),
    op.Semijoin: _filtering(op.Semijoin),
    op.Antijoin: _filtering(op.Antijoin),
    op.TimeWindow: PlanGenerator.time_window,
    op.CountWindow: lambda plans, depth: op.CountWindow(plans.plan(depth - 1), *plans.rows()),
    op.PartitionedWindow: PlanGenerator.partitioned,
    op.LandmarkWindow: PlanGenerator.landmark,
    op.SessionWindow: PlanGenerator.session,
    op.Over: lambda plans, depth: plans.over(depth),
    op.Istream: lambda plans, depth: op.Istream(plans.plan(depth - 1)),
    op.Dstream: lambda plans, depth: op.Dstream(plans.plan(depth - 1)),
    op.Rstream: lambda plans, depth: op.Rstream(plans.plan(depth - 1)),
}


KINDS: Final[Sequence[type[Plan]]] = tuple(o for o in OPERATORS if o not in (op.SessionWindow, op.Over))
"""What stands below other operators. Some engines and checkers refuse sessions and OVER, and could say nothing of any
plan that has one somewhere: plans have these on top, where somebody asks for them."""


def choose_plan(choices: Choices, catalogue: Catalogue = CATALOGUE, *, depth: int = 3, awkward: bool = True) -> Plan:
    """A plan over the sources of a catalogue, nested at most this deep."""
    return PlanGenerator(choices, catalogue, awkward).plan(depth)


def choose_nested_plan(choices: Choices, catalogue: Catalogue = CATALOGUE, *, awkward: bool = True) -> Plan:
    """Two operators, one directly above the other, any of them equally likely."""
    return PlanGenerator(choices, catalogue, awkward).nested(choices.of(KINDS), choices.of(KINDS))
