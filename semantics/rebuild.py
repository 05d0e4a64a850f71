"""Expressions and nodes with other parts: the same operator, rebuilt."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import assert_never

from semantics import expression as ex
from semantics import plan as op
from semantics.aggregate import Aggregate, arguments_of, with_arguments
from semantics.expression import Expression
from semantics.over import EdgeValue, FrameAggregate, NeighbourValue, OverFunction, RowPlace
from semantics.plan import Plan


def with_children(expression: Expression, parts: Sequence[Expression]) -> Expression:
    """The same operator over other subexpressions, given in the order of `children`.

    >>> from semantics import Type
    >>> with_children(ex.IsNull(ex.Ref(0, Type.INT)), [ex.Ref(1, Type.STR)])
    IsNull(operand=Ref(index=1, type=STR))
    """
    match expression:
        case ex.Ref() | ex.Constant() | ex.Now():
            return expression
        case ex.Negation() | ex.Not() | ex.IsNull() | ex.Cast():
            return replace(expression, operand=parts[0])
        case ex.Arithmetic() | ex.Comparison() | ex.And() | ex.Or() | ex.IsDistinct():
            return replace(expression, left=parts[0], right=parts[1])
        case ex.In():
            return replace(expression, operand=parts[0], options=tuple(parts[1:]))
        case ex.Like():
            return replace(expression, operand=parts[0], pattern=parts[1])
        case ex.Case():
            return replace(expression, branches=tuple(zip(parts[:-1:2], parts[1::2], strict=True)), default=parts[-1])
        case ex.Coalesce():
            return replace(expression, operands=tuple(parts))
        case ex.Call():
            return replace(expression, arguments=tuple(parts))
        case _:
            assert_never(expression)


def with_expressions(node: Plan, change: Callable[[Expression], Expression]) -> Plan:
    """The node with each of its own expressions changed; its inputs stay."""
    match node:
        case op.Filter(predicate=predicate):
            return replace(node, predicate=change(predicate))
        case op.Map(expressions=expressions):
            return replace(node, expressions=tuple(map(change, expressions)))
        case op.Unnest(array=array):
            return replace(node, array=change(array))
        case op.Aggregation(aggregates=aggregates) | op.Grouping(aggregates=aggregates):
            return replace(node, aggregates=tuple(over(aggregate, change) for aggregate in aggregates))
        case op.Join() | op.LeftJoin() | op.RightJoin() | op.FullJoin() | op.Semijoin() | op.Antijoin():
            return replace(node, condition=change(node.condition))
        case op.Over(functions=functions):
            return replace(node, functions=tuple(with_function(function, change) for function in functions))
        case (
            op.Source()
            | op.Distinct()
            | op.Limit()
            | op.Union()
            | op.Difference()
            | op.Intersection()
            | op.Product()
            | op.TimeWindow()
            | op.CountWindow()
            | op.PartitionedWindow()
            | op.LandmarkWindow()
            | op.SessionWindow()
            | op.Istream()
            | op.Dstream()
            | op.Rstream()
        ):
            return node
        case _:
            assert_never(node)


def with_function(function: OverFunction, change: Callable[[Expression], Expression]) -> OverFunction:
    """The same function over rows, of something else."""
    match function:
        case FrameAggregate(aggregate=aggregate):
            return replace(function, aggregate=over(aggregate, change))
        case EdgeValue() | NeighbourValue():
            return replace(function, argument=change(function.argument))
        case RowPlace():
            return function
        case _:
            assert_never(function)


def over(aggregate: Aggregate, change: Callable[[Expression], Expression]) -> Aggregate:
    """The same aggregate of changed arguments; COUNT(*) stays what it is."""
    return with_arguments(aggregate, [change(argument) for argument in arguments_of(aggregate)])
