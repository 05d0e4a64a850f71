"""Plans of the shapes that rewrites look for, which random plans hardly ever have.

Rewrites ask for a subplan that occurs twice, a join on all columns of a key, a projection of columns as they are, or a
grouping by what was joined. Each of these is made often here.
"""

from collections.abc import Callable
from typing import Final

from equivalence.cases.choices import Choices
from equivalence.cases.random_plans import CATALOGUE, KINDS, Catalogue, PlanGenerator
from semantics import Expression, Plan, Scope
from semantics import plan as op
from semantics.expression import And, Comparison, IsNull, Not, Or, Ref

DEPTH: Final = 3
_JOINED: Final[tuple[tuple[Callable[[Plan, Plan, Expression], Plan], bool], ...]] = (
    *((op.Join, True), (op.Join, True), (op.LeftJoin, True), (op.LeftJoin, True), (op.FullJoin, True)),
    *((op.Semijoin, False), (op.Antijoin, False)),
)
"""Ways to join, and whether the names of both inputs must differ."""
_SET_OPERATIONS: Final[tuple[Callable[[Plan, Plan], Plan], ...]] = (op.Difference, op.Union, op.Intersection)
_ABOVE_A_JOIN: Final = (op.Map, op.Grouping, op.Filter, op.Distinct, op.Aggregation, op.TimeWindow)


def choose_rewritable_plan(choices: Choices, catalogue: Catalogue = CATALOGUE) -> Plan:
    """A plan that some rewrite may apply to."""
    return RewritablePlans(choices, catalogue, awkward=True).rewritable()


class RewritablePlans(PlanGenerator):
    """Random plans in which subplans come again, joins are on keys, and projections take columns as they are."""

    def __init__(self, choices: Choices, catalogue: Catalogue, awkward: bool) -> None:
        super().__init__(choices, catalogue, awkward)
        self._made: list[Plan] = []

    def rewritable(self) -> Plan:
        """Something above a join on a key, or any operator above any two others."""
        if self.choices.chance(1, 2):
            return self.above(self.choices.of(_ABOVE_A_JOIN), self.keyed_join())
        return self.rooted(self.choices.of(KINDS), DEPTH)

    def plan(self, depth: int) -> Plan:
        """A new plan, or one that was made before."""
        if self._made and self.choices.chance(1, 4):
            return self.choices.of(self._made)
        made = super().plan(depth)
        self._made.append(made)
        return made

    def keyed_join(self) -> Plan:
        """A join that wants all columns of a key of its right input to equal columns of the left one."""
        left, right = self._narrow(self.plan(1)), self._with_key()
        kind, apart = self.choices.of(_JOINED)
        right = _renamed(right, left) if apart else right
        return kind(left, right, self._on_key(left, right))

    def alike(self, depth: int) -> tuple[Plan, Plan]:
        """One input, or the other, may be made of what the first is and something else, or be part of an input."""
        left, right = super().alike(depth)
        if self.choices.chance(1, 3):
            again = self.choices.of(_SET_OPERATIONS)(left, right)
            return (again, left) if self.choices.chance(1, 3) else (left, again)
        if self.choices.chance(1, 4):
            part = self._part(self.choices.of((left, right)))
            return (part, right) if self.choices.chance(1, 4) else (left, part)
        return left, right

    def _part(self, of: Plan) -> Plan:
        """Some of its rows: what a set operation has on its right side only if that has the columns of the left one."""
        makes: list[Callable[[], Plan]] = [
            lambda: op.Filter(of, self.predicate(Scope(of.schema))),
            lambda: op.Filter(of, self.predicate(Scope(of.schema))),
            lambda: op.Distinct(of),
            lambda: op.Semijoin(of, other := self.source(), self.predicate(Scope(of.schema, other.schema))),
            lambda: op.Antijoin(of, other := self.source(), self.predicate(Scope(of.schema, other.schema))),
        ]
        return self.choices.of(makes)()

    def predicate(self, scope: Scope) -> Expression:
        """Any predicate; or of a form that rewrites take apart: IS NULL, NOT, AND, OR."""
        any_one = super().predicate
        if self.choices.chance(1, 2):
            return any_one(scope)
        index = self.choices.below(len(scope.types))
        forms: list[Callable[[], Expression]] = [
            lambda: IsNull(Ref(index, scope.types[index])),
            lambda: Not(any_one(scope)),
            lambda: And(any_one(scope), any_one(scope)),
            lambda: Or(any_one(scope), any_one(scope)),
        ]
        return self.choices.of(forms)()

    def map(self, depth: int) -> Plan:
        """Half of the time columns as they are: all, the first ones, or some."""
        if self.choices.chance(1, 2):
            return super().map(depth)
        child = self.plan(depth - 1)
        kept = self._kept(len(child.schema))
        refs, names = [Ref(i, child.schema.types[i]) for i in kept], [child.schema.names[i] for i in kept]
        return op.Map(child, tuple(refs), tuple(names))

    def _kept(self, width: int) -> list[int]:
        way = self.choices.below(3)
        if way == 0:
            return list(range(width))
        return list(range(self.choices.between(1, width))) if way == 1 else list(range(width))[::-1]

    def _with_key(self) -> Plan:
        """A plan of which a key is known: a grouping, a DISTINCT, or a source that may have one."""
        below = self.plan(1)
        makes: list[Callable[[], Plan]] = [
            lambda: op.Distinct(op.Map(below, (Ref(0, below.schema.types[0]),), ("k",))),
            lambda: op.Grouping(below, (0,), *self.aggregates(below, 0)),
            self.source,
        ]
        return self.choices.of(makes)()

    def _on_key(self, left: Plan, right: Plan) -> Expression:
        types = left.schema.types
        key = right.schema.types[0]
        partners = [i for i, type_ in enumerate(types) if type_ is key]
        if not partners:
            return self.predicate(Scope(left.schema, right.schema))
        link = Comparison("=", Ref(self.choices.of(partners), key), Ref(len(types), key))
        more = self.choices.chance(1, 4)
        return And(link, self.predicate(Scope(left.schema, right.schema))) if more else link

    def above(self, kind: type[Plan], join: Plan) -> Plan:
        """An operator over this join, that mostly asks for columns of its left input."""
        self._made.append(join)
        scope = Scope(join.schema)
        match kind:
            case op.Map:
                kept = range(self.choices.between(1, len(join.schema)))
                refs = tuple(Ref(i, join.schema.types[i]) for i in kept)
                return op.Map(join, refs, join.schema.names[: len(refs)])
            case op.Grouping:
                return op.Grouping(join, self._grouped_by(join), *self.aggregates(join, 0))
            case op.Filter:
                return op.Filter(join, self.predicate(scope))
            case op.Aggregation:
                return op.Aggregation(join, *self.aggregates(join, 1))
            case op.TimeWindow:
                return op.TimeWindow(join, self.choices.between(1, 5))
            case _:
                return op.Distinct(join)

    def _grouped_by(self, join: Plan) -> tuple[int, ...]:
        """The columns that were joined, and perhaps others."""
        match getattr(join, "condition", None):
            case Comparison(left=Ref(index=index)) | And(left=Comparison(left=Ref(index=index))):
                linked = [index] if index < len(join.schema) else []  # a semijoin shows no column of its right input
            case _:
                linked = []
        return tuple(dict.fromkeys([*linked, *(self.keys(join) if self.choices.chance(1, 2) or not linked else ())]))


def _renamed(plan: Plan, other: Plan) -> Plan:
    """The plan with names that the other does not have."""
    if not set(plan.schema.names) & set(other.schema.names):
        return plan
    refs = tuple(Ref(i, type_) for i, type_ in enumerate(plan.schema.types))
    return op.Map(plan, refs, tuple(f"{name}_{i}" for i, name in enumerate(plan.schema.names)))
