"""Constants computed, and what can never matter left out: the same meaning wherever nothing overflows."""

from dataclasses import replace
from typing import assert_never

from semantics import plan as op
from semantics.aggregate import Aggregate, Count, CountRows
from semantics.errors import SnapeqError
from semantics.expression import And, Call, Case, Coalesce, Constant, Expression, Now, Or, Ref, children, evaluate
from semantics.functions.definition import BuiltIn
from semantics.plan import Plan
from semantics.rebuild import with_children, with_expressions
from semantics.value import NULL, Type

TRUE, FALSE = Constant(True, Type.BOOL), Constant(False, Type.BOOL)


def fold_expression(expression: Expression) -> Expression:
    """An expression of the same type with constant parts computed, and branches that are never taken left out.

    >>> from semantics import parse
    >>> from semantics.notation.show_expression import show_expression
    >>> show_expression(fold_expression(parse("$0:int > 2 * 3 and coalesce(1, $0:int) = 1")))
    '$0:int > 6'
    """
    whole = with_children(expression, [fold_expression(child) for child in children(expression)])
    simpler = _simplified(whole)
    return simpler if simpler.type is whole.type else whole


def fold_plan(plan: Plan) -> Plan:
    """The plan with its expressions folded, and without filters, branches and DISTINCTs that change nothing.

    >>> from semantics import parse_plan, show
    >>> show(fold_plan(parse_plan("union(A(x int) | filter(1 = 1), A(x int) | filter(1 = 2)) | distinct | distinct")))
    'A(x int) | distinct'
    """
    node = with_expressions(plan.with_inputs(*map(fold_plan, plan.inputs)), fold_expression)
    match node:
        case op.Filter(predicate=Constant(value=True)):
            return node.input
        case op.Distinct(input=op.Distinct()):
            return node.input
        case op.Aggregation(aggregates=aggregates) | op.Grouping(aggregates=aggregates):
            return replace(node, aggregates=tuple(map(_counting, aggregates)))
        case op.Union(left=left, right=right) if is_empty(right):
            return left
        case op.Union(left=left, right=right) if is_empty(left) and left.schema == right.schema:
            return right
        case _:
            return node


def is_empty(plan: Plan) -> bool:
    """Does the plan, when folded, hold nothing for a reason that can be read off: a filter that is never TRUE?"""
    match plan:
        case op.Source():
            return False
        case op.Filter(predicate=Constant(value=value)) if value is not True:
            return True
        case op.Aggregation(on_empty=True):
            return False
        case op.Union() | op.FullJoin():
            return is_empty(plan.left) and is_empty(plan.right)
        case op.Difference() | op.LeftJoin() | op.Antijoin():
            return is_empty(plan.left)
        case op.RightJoin():
            return is_empty(plan.right)
        case op.Intersection() | op.Product() | op.Join() | op.Semijoin():
            return is_empty(plan.left) or is_empty(plan.right)
        case (
            op.Filter()
            | op.Map()
            | op.Unnest()
            | op.Distinct()
            | op.Aggregation()
            | op.Grouping()
            | op.Limit()
            | op.TimeWindow()
            | op.CountWindow()
            | op.PartitionedWindow()
            | op.LandmarkWindow()
            | op.SessionWindow()
            | op.Over()
            | op.Istream()
            | op.Dstream()
            | op.Rstream()
        ):
            return is_empty(plan.input)
        case _:
            assert_never(plan)


def _counting(aggregate: Aggregate) -> Aggregate:
    """COUNT(1) counts rows."""
    match aggregate:
        case Count(argument=Constant(value=value)) if value is not NULL:
            return CountRows()
        case _:
            return aggregate


def _simplified(expression: Expression) -> Expression:
    if isinstance(expression, Ref | Constant | Now) or _is_users(expression):
        return expression
    if all(isinstance(child, Constant) for child in children(expression)):
        return _computed(expression)
    match expression:
        case And(left=left, right=right):
            return _connected(expression, left, right, neutral=TRUE, absorbing=FALSE)
        case Or(left=left, right=right):
            return _connected(expression, left, right, neutral=FALSE, absorbing=TRUE)
        case Case():
            return _case(expression)
        case Coalesce():
            return _coalesce(expression)
        case _:
            return expression


def _is_users(expression: Expression) -> bool:
    return isinstance(expression, Call) and not isinstance(expression.function, BuiltIn)


def _computed(expression: Expression) -> Expression:
    """Its value; what overflows is left as it is, since it has none."""
    try:
        return Constant(evaluate(expression, ()), expression.type)
    except SnapeqError:
        return expression


def _connected(
    whole: Expression, left: Expression, right: Expression, *, neutral: Constant, absorbing: Constant
) -> Expression:
    if absorbing in (left, right):
        return absorbing
    return right if left == neutral else left if right == neutral else whole


def _case(case: Case) -> Expression:
    """Without the branches that are never taken, and with the first one that always is as the default."""
    branches: list[tuple[Expression, Expression]] = []
    default = case.default
    for condition, result in case.branches:
        if condition == TRUE:
            default = result
            break
        if not isinstance(condition, Constant):
            branches.append((condition, result))
    return Case(tuple(branches), default) if branches else default


def _coalesce(coalesce: Coalesce) -> Expression:
    """Without NULLs, and without what stands after a constant; an operand is none, so something stays."""
    operands: list[Expression] = []
    for operand in coalesce.operands:
        if not (isinstance(operand, Constant) and operand.value is NULL):
            operands.append(operand)
        if isinstance(operand, Constant) and operand.value is not NULL:
            break
    return operands[0] if len(operands) == 1 else Coalesce(tuple(operands))
