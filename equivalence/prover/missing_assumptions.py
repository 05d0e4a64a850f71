"""What would have to be known of the streams for two plans to be equivalent: a key, NOT NULL, a reference.

Found by trying: each answer is proved. Trusted for nothing, because what is proved is said with what it assumes.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from equivalence.prover.attempt import Statement, attempted
from equivalence.prover.confirmation import verdict_of
from equivalence.prover.solver.solvers import Z3
from equivalence.rules.instances import Instance
from equivalence.verdicts.counterexample import Counterexample
from semantics import Plan, Unsupported
from semantics import plan as op
from semantics.constraint import Constraint, Key, NotNull, References, broken, names
from semantics.expression import Comparison, Expression, Ref, children

Column = tuple[str, str]
"""A source and one of its columns."""
Assumptions = tuple[Constraint, ...]
MOST_TRIED: Final = 24
"""Of more columns than this, those that nothing is compared with are not tried."""
MOST_SHOWN: Final = 3
"""So many assumptions that suffice alone are named."""


def missing_assumptions(
    left: Plan, right: Plan, known: Collection[Constraint] = (), counterexample: Counterexample | None = None
) -> list[Assumptions]:
    """Assumptions from which the plans are proved equivalent: some that suffice alone, else several together.

    >>> from semantics import col, source
    >>> d, e = source("D", d=int), source("E", e=int)
    >>> joined = e.left_join(d, col("e") == col("d")).select("e")
    >>> [[str(one) for one in several] for several in missing_assumptions(joined.plan, e.plan)]
    [['d is a key of D']]
    """
    search = _Search(Instance(left, right, tuple(known)), counterexample)
    if counterexample is None and search.proves(()):
        return []  # nothing is missing
    alone = [one for one in candidates((left, right), known) if search.proves((one,))]
    if alone:
        weakest = [one for one in alone if not (isinstance(one, Key) and NotNull(one.source, one.columns) in alone)]
        return [(one,) for one in weakest[:MOST_SHOWN]]
    together = tuple(candidates_of_joins((left, right), known))
    return [search.fewest(together)] if len(together) > 1 and search.proves(together) else []


class _Search:
    """Tries proofs of two plans, each from what is known and something more."""

    def __init__(self, instance: Instance, counterexample: Counterexample | None) -> None:
        self._instance, self._counterexample = instance, counterexample
        self._solver = Z3()

    def proves(self, more: Assumptions) -> bool:
        """Is there a proof? None is looked for where the counterexample keeps all assumptions."""
        if self._counterexample is not None and not any(map(self._breaks, more)):
            return False
        instance = Instance(self._instance.left, self._instance.right, (*self._instance.constraints, *more))
        try:
            proof = attempted(Statement(instance), thorough=True, solver=self._solver)
        except Unsupported:
            return False
        return verdict_of([proof]).kind == "proved"

    def _breaks(self, constraint: Constraint) -> bool:
        assert self._counterexample is not None
        streams = self._counterexample.streams
        return names(constraint) <= streams.keys() and broken(constraint, streams) is not None

    def fewest(self, enough: Assumptions) -> Assumptions:
        """None of these can be left out any more."""
        for one in enough:
            less = tuple(other for other in enough if other != one)
            if less and self.proves(less):
                return self.fewest(less)
        return enough


def candidates(plans: Sequence[Plan], known: Collection[Constraint]) -> list[Constraint]:
    """What may be assumed of single columns, the weakest first."""
    every = list(dict.fromkeys((name, c) for plan in plans for name, s in plan.sources().items() for c in s.names))
    joined = list(dict.fromkeys(column for pair in compared_columns(plans) for column in pair))
    tried = every if len(every) <= MOST_TRIED else joined
    found = [NotNull(s, (c,)) for s, c in tried], _references(plans), [Key(s, (c,)) for s, c in tried]
    return _new((one for several in found for one in several), known)


def candidates_of_joins(plans: Sequence[Plan], known: Collection[Constraint]) -> list[Constraint]:
    """What may be assumed of all columns that are compared with each other, the strongest first."""
    joined = list(dict.fromkeys(column for pair in compared_columns(plans) for column in pair))
    keys, present = [Key(s, (c,)) for s, c in joined], [NotNull(s, (c,)) for s, c in joined]
    return _new([*keys, *_references(plans), *present], known)


def _references(plans: Sequence[Plan]) -> list[References]:
    pairs = compared_columns(plans)
    both = [*pairs, *((other, one) for one, other in pairs)]
    return list(dict.fromkeys(References(s, (c,), t, (d,)) for (s, c), (t, d) in both if s != t))


def _new(several: Iterable[Constraint], known: Collection[Constraint]) -> list[Constraint]:
    present = {NotNull(c.source, c.columns) for c in known if isinstance(c, Key)}
    return [one for one in several if one not in known and one not in present]


def compared_columns(plans: Sequence[Plan]) -> list[tuple[Column, Column]]:
    """The columns of sources that are compared by `=` anywhere."""
    nodes = [node for plan in plans for node in plan.walk()]
    equations = [(node, pair) for node in nodes for x in node.own_expressions for pair in _equations(x)]
    found = [(_origin(node.inputs, one), _origin(node.inputs, other)) for node, (one, other) in equations]
    return list(dict.fromkeys((one, other) for one, other in found if one and other))


def _equations(expression: Expression) -> Iterator[tuple[int, int]]:
    match expression:
        case Comparison(symbol="=", left=Ref(index=one), right=Ref(index=other)):
            yield one, other
        case _:
            for part in children(expression):
                yield from _equations(part)


def _origin(inputs: Sequence[Plan], place: int) -> Column | None:
    """The column of a source that stands at a place among the columns of all inputs, if it is just that."""
    for plan in inputs:
        if place < len(plan.schema):
            return _origin_in(plan, place)
        place -= len(plan.schema)
    return None


def _origin_in(plan: Plan, place: int) -> Column | None:
    match plan:
        case op.Source(name=name, schema=schema):
            return name, schema.names[place]
        case op.Map(expressions=expressions):
            expression = expressions[place]
            return _origin(plan.inputs, expression.index) if isinstance(expression, Ref) else None
        case op.Grouping(keys=keys):
            return _origin(plan.inputs, keys[place]) if place < len(keys) else None
        case op.Aggregation() | op.Union() | op.Difference() | op.Intersection():
            return None
        case _:
            return _origin(plan.inputs, place)
