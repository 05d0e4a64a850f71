"""Expressions, aggregates and names as text of the language; parsing gives the same expression again."""

import math
import re
from collections.abc import Sequence
from typing import assert_never

from semantics.aggregate import (
    Aggregate,
    Avg,
    Count,
    CountDistinct,
    CountRows,
    Largest,
    Max,
    Median,
    Min,
    StddevPop,
    Sum,
    UserDefined,
    VarPop,
)
from semantics.expression import (
    And,
    Arithmetic,
    Call,
    Case,
    Coalesce,
    Comparison,
    Constant,
    Expression,
    In,
    IsDistinct,
    IsNull,
    Like,
    Negation,
    Not,
    Or,
    Ref,
)
from semantics.sql.constants import sql_type
from semantics.sql.grammar.words import RESERVED
from semantics.value import Value

OR, AND, NOT, COMPARED, SUMMED, MULTIPLIED, SIGNED, ALONE = range(8)
"""How tightly the operators bind, the loosest first."""


def name_text(name: str) -> str:
    """A name, in quotes if it would be read as something else.

    >>> name_text("price"), name_text("select"), name_text("my x")
    ('price', '"select"', '"my x"')
    """
    plain = re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) and name.upper() not in RESERVED
    return name if plain else '"' + name.replace('"', '""') + '"'


def constant_text(constant: Constant) -> str:
    """A constant that keeps its type: NULL and the floats without digits need CAST."""
    value: Value = constant.value
    if value is None:
        return f"CAST(NULL AS {sql_type(constant.type)})"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    if isinstance(value, float) and not math.isfinite(value):
        shown = "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
        return f"CAST('{shown}' AS FLOAT)"
    return repr(value)


def expression_text(expression: Expression, columns: Sequence[str], context: int = OR) -> str:
    """An expression over columns with these names, in parentheses if it binds weaker than its context asks for."""
    strength, text = _written(expression, columns)
    return f"({text})" if strength < context else text


def _written(expression: Expression, columns: Sequence[str]) -> tuple[int, str]:
    def at(context: int, operand: Expression) -> str:
        return expression_text(operand, columns, context)

    def several(operands: Sequence[Expression]) -> str:
        return ", ".join(at(OR, operand) for operand in operands)

    match expression:
        case Ref(index=index):
            return ALONE, columns[index]
        case Constant():
            shown = constant_text(expression)
            return (SIGNED if shown.startswith("-") else ALONE), shown
        case Arithmetic(symbol="+" | "-" as symbol, left=left, right=right):
            return SUMMED, f"{at(SUMMED, left)} {symbol} {at(MULTIPLIED, right)}"
        case Arithmetic(symbol=symbol, left=left, right=right):
            sign = "%" if symbol == "MOD" else symbol
            return MULTIPLIED, f"{at(MULTIPLIED, left)} {sign} {at(SIGNED, right)}"
        case Negation(operand=operand):
            return SIGNED, f"-({at(OR, operand)})"
        case Comparison(symbol=symbol, left=left, right=right):
            return COMPARED, f"{at(SUMMED, left)} {symbol} {at(SUMMED, right)}"
        case And(left=left, right=right):
            return AND, f"{at(AND, left)} AND {at(NOT, right)}"
        case Or(left=left, right=right):
            return OR, f"{at(OR, left)} OR {at(AND, right)}"
        case Not(operand=IsNull(operand=operand)):
            return COMPARED, f"{at(SUMMED, operand)} IS NOT NULL"
        case Not(operand=IsDistinct(left=left, right=right)):
            return COMPARED, f"{at(SUMMED, left)} IS NOT DISTINCT FROM {at(SUMMED, right)}"
        case Not(operand=operand):
            return NOT, f"NOT {at(NOT, operand)}"
        case IsNull(operand=operand):
            return COMPARED, f"{at(SUMMED, operand)} IS NULL"
        case IsDistinct(left=left, right=right):
            return COMPARED, f"{at(SUMMED, left)} IS DISTINCT FROM {at(SUMMED, right)}"
        case In(operand=operand, options=options):
            return COMPARED, f"{at(SUMMED, operand)} IN ({several(options)})"
        case Like(operand=operand, pattern=pattern, escape=escape):
            tail = "" if escape is None else " ESCAPE '" + escape.replace("'", "''") + "'"
            return COMPARED, f"{at(SUMMED, operand)} LIKE {at(SUMMED, pattern)}{tail}"
        case Case(branches=branches, default=default):
            whens = " ".join(f"WHEN {at(OR, condition)} THEN {at(OR, result)}" for condition, result in branches)
            return ALONE, f"CASE {whens} ELSE {at(OR, default)} END"
        case Coalesce(operands=operands):
            return ALONE, f"COALESCE({several(operands)})"
        case Call(function=function, arguments=arguments):
            return ALONE, f"{name_text(function.name)}({several(arguments)})"
        case _:
            assert_never(expression)


def aggregate_text(aggregate: Aggregate, columns: Sequence[str]) -> str:
    """An aggregate over columns with these names."""
    if isinstance(aggregate, CountRows):
        return "COUNT(*)"
    argument = expression_text(aggregate.argument, columns)
    match aggregate:
        case CountDistinct():
            return f"COUNT(DISTINCT {argument})"
        case Largest(rank=rank):
            return f"TOP({argument}, {rank})"
        case UserDefined(function=function):
            return f"{name_text(function.name)}({argument})"
        case VarPop():
            return f"VAR_POP({argument})"
        case StddevPop():
            return f"STDDEV_POP({argument})"
        case Count() | Sum() | Avg() | Min() | Max() | Median():
            return f"{type(aggregate).__name__.upper()}({argument})"
        case _:
            assert_never(aggregate)
