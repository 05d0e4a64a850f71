"""Which expressions can fail: those that can overflow, or call a function that somebody wrote."""

from semantics.expression import Arithmetic, Call, Expression, Negation, children
from semantics.value import Type


def can_fail(expression: Expression) -> bool:
    """May it raise an error for some row?

    >>> from semantics.expression import Comparison, Ref
    >>> x, y = Ref(0, Type.INT), Ref(0, Type.FLOAT)
    >>> can_fail(Comparison("<", x, x)), can_fail(Arithmetic("+", x, x)), can_fail(Arithmetic("+", y, y))
    (False, True, False)
    """
    match expression:
        case Call():
            return True
        case Arithmetic() | Negation() if expression.type is Type.INT:
            return True
        case _:
            return any(map(can_fail, children(expression)))
