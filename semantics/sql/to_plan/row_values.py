"""Row values, `(a, b)`: compared part by part, so that unknown parts mean what they mean in SQL."""

from functools import reduce

from sqlglot import exp

from semantics.expression import And, Comparison, ComparisonSymbol, Expression, Or
from semantics.how_many import how_many
from semantics.sql.errors import wrong


def parts_of_row(node: exp.Expr) -> list[exp.Expr]:
    """The parts of a row value; anything else is its only part."""
    while isinstance(node, exp.Paren):
        node = node.this
    return list(node.expressions) if isinstance(node, exp.Tuple) else [node]


def is_row(node: exp.Expr) -> bool:
    return len(parts_of_row(node)) > 1


def rows_compared(
    symbol: ComparisonSymbol, left: list[Expression], right: list[Expression], at: exp.Expr
) -> Expression:
    """Two rows are equal if all parts are, and differ if one part does.

    >>> from semantics.expression import Ref
    >>> from semantics.value import Type
    >>> x, y = Ref(0, Type.INT), Ref(1, Type.INT)
    >>> type(rows_compared("<>", [x, y], [y, x], exp.Null())).__name__
    'Or'
    """
    compared: list[Expression] = [Comparison(symbol, a, b) for a, b in zip(left, right, strict=True)]
    if len(compared) > 1 and symbol not in ("=", "<>"):
        raise wrong(at, f"rows have no order for {symbol}", "= or <>, or a comparison of single values")
    return reduce(And if symbol == "=" else Or, compared)


def paired(left: exp.Expr, right: exp.Expr) -> list[tuple[exp.Expr, exp.Expr]]:
    """The parts of two rows side by side."""
    mine, theirs = parts_of_row(left), parts_of_row(right)
    if len(mine) != len(theirs):
        wanted = how_many(len(mine), "value")
        raise wrong(right, f"{how_many(len(theirs), 'value')} compared with {wanted}", f"a row of {wanted}")
    return list(zip(mine, theirs, strict=True))
