"""Which columns are a key of every snapshot of a plan's output, given what is known of the sources."""

from collections.abc import Iterator

from equivalence.optimizer.rewrites.plan_rewrite import Constraints
from semantics import Plan
from semantics import plan as op
from semantics.constraint import Key, Once
from semantics.expression import Comparison, Expression, Ref, conjuncts

Keys = set[frozenset[int]]
"""Sets of positions; in no snapshot do two rows agree in all of one set."""


def known_keys(plan: Plan, constraints: Constraints) -> Keys:
    """Some keys of the output, perhaps not all."""
    match plan:
        case op.Source():
            return _declared(plan, (Key, Once), constraints)
        case op.TimeWindow(input=op.Source() as source):
            return _declared(source, (Once,), constraints)
        case op.TimeWindow(input=op.Filter() | op.Map() as inner):
            return known_keys(inner, constraints) if _once_only(inner, constraints) else set()
        case op.Filter() | op.Rstream():
            return known_keys(plan.input, constraints)
        case op.Semijoin() | op.Antijoin():
            return known_keys(plan.left, constraints)
        case op.Distinct():
            return known_keys(plan.input, constraints) | {frozenset(range(len(plan.schema)))}
        case op.Grouping():
            return {frozenset(range(len(plan.keys)))}
        case op.Aggregation():
            return {frozenset()}
        case op.Map():
            return set(_kept(plan, known_keys(plan.input, constraints)))
        case op.Product() | op.Join():
            return set(_joined(plan, constraints))
        case _:
            return set()


def equalities(condition: Expression, width: int) -> Iterator[tuple[int, int]]:
    """The pairs of a left column and a right one, as the right input counts, that the condition makes equal."""
    for part in conjuncts(condition):
        match part:
            case Comparison(symbol="=", left=Ref(index=i, type=t), right=Ref(index=j, type=u)) if t is u:
                first, second = sorted((i, j))
                if first < width <= second:
                    yield first, second - width


def _declared(source: op.Source, kinds: tuple[type, ...], constraints: Constraints) -> Keys:
    known = [c for c in constraints if isinstance(c, kinds) and isinstance(c, Key | Once) and c.source == source.name]
    return {frozenset(source.schema.index(column, "Key") for column in constraint.columns) for constraint in known}


def _once_only(plan: Plan, constraints: Constraints) -> bool:
    """Is the plan a filter or map of a source whose declared keys all come once only?"""
    while isinstance(plan, op.Filter | op.Map):
        plan = plan.input
    return isinstance(plan, op.Source) and not any(isinstance(c, Key) and c.source == plan.name for c in constraints)


def _kept(mapping: op.Map, known: Keys) -> Iterator[frozenset[int]]:
    where = {e.index: i for i, e in reversed(list(enumerate(mapping.expressions))) if isinstance(e, Ref)}
    for key in known:
        if key <= where.keys():
            yield frozenset(where[i] for i in key)


def _joined(join: op.Product | op.Join, constraints: Constraints) -> Iterator[frozenset[int]]:
    """A key of each side together; or of one side alone, if the other is met by a key of its own."""
    width = len(join.left.schema)
    lefts, rights = known_keys(join.left, constraints), known_keys(join.right, constraints)
    pairs = list(equalities(join.condition, width)) if isinstance(join, op.Join) else []
    if any(key <= {right for _, right in pairs} for key in rights):
        yield from lefts
    if any(key <= {left for left, _ in pairs} for key in lefts):
        yield from (frozenset(i + width for i in key) for key in rights)
    yield from (left | frozenset(i + width for i in right) for left in lefts for right in rights)
