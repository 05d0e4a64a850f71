"""Built-in functions as people type them in Python: `fn.upper(col("name"))`."""

from collections.abc import Callable
from typing import cast

from semantics.builder.column_expression import ColumnExpression, as_column_expression
from semantics.expression import Expression
from semantics.functions.table import BY_NAME, call_of
from semantics.scope import Scope
from semantics.value import NULL, Value

Argument = ColumnExpression | Value


class BuiltInFunctions:
    """Every function of the table is an attribute; a name that Python reserves has `_` behind it: `fn.if_(…)`.

    >>> from semantics import col, show, source
    >>> show(source("S", name=str).select(n=fn.length(fn.trim(col("name")))).plan)
    'S(name str) | map(length(trim(name)) as n)'
    """

    def __getattr__(self, name: str) -> Callable[..., ColumnExpression]:
        known = name.removesuffix("_").lower()
        if known not in BY_NAME:
            raise AttributeError(f"fn: there is no built-in function {name}")

        def called(*arguments: Argument) -> ColumnExpression:
            return ColumnExpression(lambda scope: _made(known, arguments, scope))

        return called

    def __dir__(self) -> list[str]:
        return sorted(BY_NAME)


def _made(name: str, arguments: tuple[Argument, ...], scope: Scope) -> Expression:
    given = [None if value is NULL else as_column_expression(value).resolve(scope) for value in arguments]
    return cast(Expression, call_of(name, given))


fn = BuiltInFunctions()
"""Built-in functions by their names: `fn.upper(col("x"))`."""
