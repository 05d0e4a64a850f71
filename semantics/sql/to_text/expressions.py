"""Expressions, aggregates and names as text of the language; parsing gives the same expression again."""

import math
import re
from collections.abc import Sequence
from typing import assert_never

from semantics import aggregate as aggregates
from semantics.aggregate import Aggregate
from semantics.expression import Constant, Expression
from semantics.notation.parentheses import Language, written
from semantics.sql.constants import sql_type
from semantics.sql.grammar.words import RESERVED
from semantics.value import Value


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
        return _quoted(value)
    if isinstance(value, float) and not math.isfinite(value):
        shown = "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
        return f"CAST('{shown}' AS FLOAT)"
    return repr(value)


def expression_text(expression: Expression, columns: Sequence[str]) -> str:
    """An expression over columns with these names."""
    language = Language(
        column=lambda ref: columns[ref.index],
        constant=constant_text,
        name=name_text,
        text=_quoted,
        word=str.upper,
        now="NOW()",
        modulo="%",
        is_not=True,
    )
    return written(expression, language)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def aggregate_text(aggregate: Aggregate, columns: Sequence[str]) -> str:
    """An aggregate over columns with these names."""
    if isinstance(aggregate, aggregates.CountRows):
        return "COUNT(*)"
    argument = expression_text(aggregate.argument, columns)
    match aggregate:
        case aggregates.CountDistinct():
            return f"COUNT(DISTINCT {argument})"
        case aggregates.Largest(rank=rank):
            return f"TOP({argument}, {rank})"
        case aggregates.UserDefined(function=function):
            return f"{name_text(function.name)}({argument})"
        case aggregates.VarPop():
            return f"VAR_POP({argument})"
        case aggregates.StddevPop():
            return f"STDDEV_POP({argument})"
        case (
            aggregates.Count()
            | aggregates.Sum()
            | aggregates.Avg()
            | aggregates.Min()
            | aggregates.Max()
            | aggregates.Median()
        ):
            return f"{type(aggregate).__name__.upper()}({argument})"
        case _:
            assert_never(aggregate)
