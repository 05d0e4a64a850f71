"""Expressions as text, in the words of a language: which parentheses are needed is the same in all of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import assert_never

from semantics import expression as nodes
from semantics.expression import Expression
from semantics.functions.definition import BuiltIn
from semantics.types import Type

OR, AND, NOT, COMPARED, SUMMED, MULTIPLIED, SIGNED, ALONE = range(8)
"""How tightly the operators bind, the loosest first."""


@dataclass(frozen=True)
class Language:
    """How a language writes what it does not share with others."""

    column: Callable[[nodes.Ref], str]
    constant: Callable[[nodes.Constant], str]
    name: Callable[[str], str]
    type: Callable[[Type], str]
    text: Callable[[str], str]
    """A text in quotes."""
    word: Callable[[str], str]
    """A word in upper or in lower case."""
    now: str
    modulo: str
    is_not: bool
    """Is it `x IS NOT NULL`, rather than `NOT x IS NULL`?"""


def written(expression: Expression, language: Language, context: int = OR) -> str:
    """The expression, in parentheses if it binds weaker than its context asks for."""
    strength, text = _strength_and_text(expression, language)
    return f"({text})" if strength < context else text


def _strength_and_text(expression: Expression, language: Language) -> tuple[int, str]:
    word = language.word

    def at(context: int, operand: Expression) -> str:
        return written(operand, language, context)

    def listed(operands: Sequence[Expression]) -> str:
        return ", ".join(at(OR, operand) for operand in operands)

    match expression:
        case nodes.Ref():
            return ALONE, language.column(expression)
        case nodes.Constant():
            shown = language.constant(expression)
            return (SIGNED if shown.startswith("-") else ALONE), shown
        case nodes.Now():
            return ALONE, language.now
        case nodes.Arithmetic(symbol="+" | "-" as symbol, left=left, right=right):
            return SUMMED, f"{at(SUMMED, left)} {symbol} {at(MULTIPLIED, right)}"
        case nodes.Arithmetic(symbol=symbol, left=left, right=right):
            sign = language.modulo if symbol == "MOD" else symbol
            return MULTIPLIED, f"{at(MULTIPLIED, left)} {sign} {at(SIGNED, right)}"
        case nodes.Negation(operand=operand):
            return SIGNED, f"-({at(OR, operand)})"
        case nodes.Comparison(symbol=symbol, left=left, right=right):
            return COMPARED, f"{at(SUMMED, left)} {symbol} {at(SUMMED, right)}"
        case nodes.And(left=left, right=right):
            return AND, f"{at(AND, left)} {word('and')} {at(NOT, right)}"
        case nodes.Or(left=left, right=right):
            return OR, f"{at(OR, left)} {word('or')} {at(AND, right)}"
        case nodes.Not(operand=nodes.IsNull(operand=operand)) if language.is_not:
            return COMPARED, f"{at(SUMMED, operand)} {word('is not null')}"
        case nodes.Not(operand=nodes.IsDistinct(left=left, right=right)) if language.is_not:
            return COMPARED, f"{at(SUMMED, left)} {word('is not distinct from')} {at(SUMMED, right)}"
        case nodes.Not(operand=operand):
            return NOT, f"{word('not')} {at(NOT, operand)}"
        case nodes.IsNull(operand=operand):
            return COMPARED, f"{at(SUMMED, operand)} {word('is null')}"
        case nodes.IsDistinct(left=left, right=right):
            return COMPARED, f"{at(SUMMED, left)} {word('is distinct from')} {at(SUMMED, right)}"
        case nodes.In(operand=operand, options=options):
            return COMPARED, f"{at(SUMMED, operand)} {word('in')} ({listed(options)})"
        case nodes.Like(operand=operand, pattern=pattern, escape=escape):
            tail = "" if escape is None else f" {word('escape')} {language.text(escape)}"
            return COMPARED, f"{at(SUMMED, operand)} {word('like')} {at(SUMMED, pattern)}{tail}"
        case nodes.Case(branches=branches, default=default):
            whens = [f"{word('when')} {at(OR, when)} {word('then')} {at(OR, then)}" for when, then in branches]
            return ALONE, " ".join([word("case"), *whens, word("else"), at(OR, default), word("end")])
        case nodes.Coalesce(operands=operands):
            return ALONE, f"{word('coalesce')}({listed(operands)})"
        case nodes.Cast(operand=operand, type=type_, safe=safe):
            name = "try_cast" if safe else "cast"
            return ALONE, f"{word(name)}({at(OR, operand)} {word('as')} {language.type(type_)})"
        case nodes.Call(function=function, arguments=arguments):
            name = word(function.name) if isinstance(function, BuiltIn) else language.name(function.name)
            return ALONE, f"{name}({listed(arguments)})"
        case _:
            assert_never(expression)
