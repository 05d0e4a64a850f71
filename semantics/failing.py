"""Which expressions can fail: those that can overflow, whose casts may fail, or that call a function that may."""

from semantics.casts import can_always_be_cast
from semantics.expression import Arithmetic, Call, Cast, Expression, Negation, children
from semantics.value import Type


def can_fail(expression: Expression) -> bool:
    """May it raise an error for some row?

    >>> from semantics.expression import Comparison, Ref
    >>> x, y = Ref(0, Type.INT), Ref(0, Type.FLOAT)
    >>> can_fail(Comparison("<", x, x)), can_fail(Arithmetic("+", x, x)), can_fail(Arithmetic("+", y, y))
    (False, True, False)
    """
    match expression:
        case Call(function=function) if not function.total:
            return True
        case Arithmetic() | Negation() if expression.type is not Type.FLOAT:
            return True
        case Cast(operand=operand, type=type_, safe=False) if not can_always_be_cast(operand.type, type_):
            return True
        case _:
            return any(map(can_fail, children(expression)))
