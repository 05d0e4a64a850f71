"""Values of one column at and around which a condition changes its mind, if the rest of the row stays."""

from functools import lru_cache

from equivalence.cases.directed.around import fitting
from equivalence.cases.directed.comparisons import compared
from equivalence.cases.directed.inverse import columns_for
from semantics import Row, SnapeqError, Value
from semantics.expression import Constant, Expression, Ref, holds
from semantics.fold import fold_expression
from semantics.substitute import substitute


@lru_cache(maxsize=8192)
def solutions(condition: Expression, row: Row, column: Ref) -> tuple[Value, ...]:
    """Those values, the simplest first, without what is not near any change.

    >>> from semantics import Type, parse
    >>> solutions(parse("$0:int = $1:int + 250"), (0, 7), Ref(0, Type.INT))
    (256, 257, 258)
    """

    def known(ref: Ref) -> Expression:
        return ref if ref.index == column.index else Constant(row[ref.index], ref.type)

    alone = fold_expression(substitute(condition, known))
    hints = [hints for operand, values in compared(alone) for _, hints in columns_for(operand, values)]
    return tuple(fitting(set().union(*hints), column.type))


def with_value(row: Row, column: int, value: Value) -> Row:
    return (*row[:column], value, *row[column + 1 :])


def passes(condition: Expression, row: Row) -> bool:
    """Is the condition TRUE? Where it has no value, it is not."""
    try:
        return holds(condition, row)
    except SnapeqError:
        return False
