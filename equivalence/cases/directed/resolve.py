"""Where the columns of a plan come from: as expressions over rows of its sources."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from semantics import Plan, SnapeqError, Type
from semantics.aggregate import Aggregate, Count, CountDistinct, CountRows
from semantics.expression import Constant, Expression, Ref, refs
from semantics.now_in_expressions import replace_now
from semantics.plan import Aggregation, Binary, Filtering, Grouping, Map, SetOperation, Source, Unary
from semantics.substitute import substitute

TRIED_FOR_NOW: Final = (0, 3)
"""Instants at which conditions are asked for now: the first elements of cases come about then."""


@dataclass(frozen=True)
class Condition:
    """An expression over one row of each of these sources, whose columns follow each other."""

    rows: tuple[Source, ...]
    """A source that occurs twice in a plan gives two rows."""
    expression: Expression

    @property
    def sources(self) -> tuple[str, ...]:
        return tuple(source.name for source in self.rows)

    def column(self, ref: Ref) -> tuple[str, int]:
        """The source and the position there of a column."""
        columns = [(source.name, i) for source in self.rows for i in range(len(source.schema))]
        return columns[ref.index]


class _Unresolved(Exception):
    """A column depends on how many rows there are, and not on what they hold."""


def input_of(plan: Plan, index: int) -> tuple[Plan, int]:
    """The input that a column of the scope of this node belongs to, and its position there.

    >>> from semantics import parse_plan
    >>> join = parse_plan("join(A(x int), B(y int); x = y)")
    >>> list(input_of(join, 1)[0].sources()), input_of(join, 1)[1]
    (['B'], 0)
    """
    width = len(plan.inputs[0].schema)
    return (plan.inputs[0], index) if index < width else (plan.inputs[1], index - width)


def over_sources(node: Plan, expression: Expression) -> Condition | None:
    """An expression over the columns below a node as one over rows of sources; None if it counts rows, or has no row.

    Of set operations the left input is taken, and an aggregate as if it were one of a single row.

    >>> from semantics import parse_plan
    >>> join = parse_plan("join(A(x int), B(y int, z int) | map(z * 2 as w); x = w)")
    >>> found = over_sources(join, join.condition)
    >>> found.sources, [ref.index for ref in refs(found.expression)]
    (('A', 'B'), [0, 2])
    """
    leaves = [leaf for child in node.inputs for leaf in _leaves(child)]
    try:
        resolved = _expression(node, expression, 0)
    except (_Unresolved, SnapeqError):
        return None
    return _compact(leaves, replace_now(resolved, Constant(TRIED_FOR_NOW[-1], Type.INT)))


def _compact(leaves: list[Source], expression: Expression) -> Condition | None:
    """Only the rows that the expression depends on."""
    used = {ref.index for ref in refs(expression)}
    rows, moved, first = list[Source](), dict[int, int](), 0
    for leaf in leaves:
        columns = range(first, first + len(leaf.schema))
        if used.intersection(columns):
            width = sum(len(row.schema) for row in rows)
            moved |= {column: width + i for i, column in enumerate(columns)}
            rows.append(leaf)
        first = columns.stop
    if not rows:
        return None
    return Condition(tuple(rows), substitute(expression, lambda ref: Ref(moved[ref.index], ref.type)))


def _leaves(plan: Plan) -> Iterator[Source]:
    if isinstance(plan, Source):
        yield plan
    for child in plan.inputs:
        yield from _leaves(child)


def _expression(node: Plan, expression: Expression, first: int) -> Expression:
    """The expression over the columns of all leaves, of which those below the node begin at this position."""

    def column(ref: Ref) -> Expression:
        child, index = input_of(node, ref.index)
        is_left = ref.index < len(node.inputs[0].schema)
        before = 0 if is_left else sum(len(leaf.schema) for leaf in _leaves(node.inputs[0]))
        return _column(child, index, first + before)

    return substitute(expression, column)


def _column(plan: Plan, index: int, first: int) -> Expression:
    match plan:
        case Source(schema=schema):
            return Ref(first + index, schema.types[index])
        case Map(expressions=expressions):
            return _expression(plan, expressions[index], first)
        case Grouping(keys=keys) if index < len(keys):
            return _column(plan.input, keys[index], first)
        case Grouping(keys=keys, aggregates=aggregates):
            return _expression(plan, _argument(aggregates[index - len(keys)]), first)
        case Aggregation(aggregates=aggregates):
            return _expression(plan, _argument(aggregates[index]), first)
        case SetOperation() | Filtering():
            return _column(plan.left, index, first)
        case Binary():
            return _expression(plan, Ref(index, plan.schema.types[index]), first)
        case Unary() if index >= len(plan.input.schema):  # computed from several rows
            raise _Unresolved
        case Unary():
            return _column(plan.input, index, first)


def _argument(aggregate: Aggregate) -> Expression:
    if aggregate.argument is None or isinstance(aggregate, CountRows | Count | CountDistinct):
        raise _Unresolved
    return aggregate.argument
