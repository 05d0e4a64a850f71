"""Expressions that differ in one small thing from a given one."""

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from functools import partial
from typing import Final, assert_never

from equivalence.cases.typed_values import as_held, beside
from equivalence.neighbours.change import Change, ChangeKind, Number, instead, lifted
from equivalence.neighbours.function_changes import other_functions, words
from semantics import Expression, Scope, Type
from semantics.decimals import LARGEST_PRECISION
from semantics.expression import (
    And,
    Arithmetic,
    ArithmeticSymbol,
    Call,
    Case,
    Cast,
    Coalesce,
    Comparison,
    ComparisonSymbol,
    Constant,
    In,
    IsDistinct,
    IsNull,
    Like,
    Negation,
    Not,
    Now,
    Or,
    Ref,
    children,
)
from semantics.fold import TRUE
from semantics.notation.show_expression import show_expression
from semantics.rebuild import with_children
from semantics.result_types import arithmetic_type
from semantics.temporal import Counted
from semantics.types import decimal
from semantics.value import INT_MAX, INT_MIN, Value, order

ExpressionChanges = Iterator[Change[Expression]]

_OTHER_COMPARISONS: Final[dict[ComparisonSymbol, tuple[ComparisonSymbol, ...]]] = {
    "<": ("<=",),
    "<=": ("<",),
    ">": (">=",),
    ">=": (">",),
    "=": ("<=", ">="),
    "<>": ("<", ">"),
}
_WILDCARDS: Final = (("%", "_"), ("_", "%"))


def predicate_changes(predicate: Expression, scope: Scope) -> ExpressionChanges:
    """Changes of a condition; a condition of one part can also be dropped as a whole."""
    yield from expression_changes(predicate, scope)
    if not isinstance(predicate, And | Constant):
        yield _without(TRUE, predicate, scope)


def expression_changes(expression: Expression, scope: Scope) -> ExpressionChanges:
    """The expression with one small thing changed in it, at any depth; its type stays."""
    yield from (change for change in _here(expression, scope) if change.made.type is expression.type)
    parts = children(expression)
    fixed = words(expression) if isinstance(expression, Call) else {}
    for i, part in enumerate(parts):
        if i in fixed:
            continue
        for change in lifted(expression_changes(part, scope), partial(_with_part, expression, i)):
            if change.made.type is expression.type:
                yield _compared(change, expression, scope)


def _with_part(expression: Expression, i: int, part: Expression) -> Expression:
    parts = children(expression)
    return with_children(expression, [*parts[:i], part, *parts[i + 1 :]])


def _compared(change: Change[Expression], before: Expression, scope: Scope) -> Change[Expression]:
    """A constant that something is compared with is shown with its comparison."""
    if change.kind is not ChangeKind.CONSTANT or not isinstance(before, Comparison | In | Like | IsDistinct):
        return change
    old = change.number
    number = old and Number(old.old, old.new, lambda value: _compared(old.to(value), before, scope))
    return Change(change.made, ChangeKind.COMPARED_CONSTANT, instead(change.made, before, scope), number)


def _here(expression: Expression, scope: Scope) -> ExpressionChanges:
    """Changes of the operator at the root."""
    match expression:
        case Constant():
            yield from _other_constants(expression)
        case Comparison(symbol=symbol):
            others: list[Expression] = [replace(expression, symbol=other) for other in _OTHER_COMPARISONS[symbol]]
            yield from _instead(others, expression, scope, ChangeKind.COMPARISON)
        case IsDistinct(left=left, right=right):
            yield from _instead([Comparison("<>", left, right)], expression, scope, ChangeKind.COMPARISON)
        case And(left=left, right=right) | Or(left=left, right=right):
            yield _without(left, right, scope)
            yield _without(right, left, scope)
        case In():
            yield from _instead(_fewer_options(expression), expression, scope, ChangeKind.CONDITION)
        case Like():
            yield from _instead(_other_wildcards(expression), expression, scope, ChangeKind.CONDITION)
        case Case():
            yield from _instead(_fewer_branches(expression), expression, scope, ChangeKind.BRANCH)
        case Coalesce():
            yield from _instead(_fewer_operands(expression), expression, scope, ChangeKind.BRANCH)
        case Arithmetic(symbol="+" | "-" as symbol, left=left, right=right):
            opposite: ArithmeticSymbol = "-" if symbol == "+" else "+"
            possible = arithmetic_type(opposite, left.type, right.type) is not None
            others = [replace(expression, symbol=opposite)] if possible else []
            yield from _instead(others, expression, scope, ChangeKind.ARITHMETIC)
        case Cast():
            yield from _instead(_other_roundings(expression), expression, scope, ChangeKind.ARITHMETIC)
        case Now():
            yield from _instead(_instants_beside(), expression, scope, ChangeKind.ARITHMETIC)
        case Call():
            yield from _instead(other_functions(expression), expression, scope, ChangeKind.FUNCTION)
        case Ref() | Arithmetic() | Negation() | Not() | IsNull():
            return
        case _:
            assert_never(expression)


def _instants_beside() -> list[Expression]:
    """The instant before, and the one after."""
    return [Arithmetic(symbol, Now(), Constant(1, Type.INT)) for symbol in ("-", "+")]


def _without(rest: Expression, dropped: Expression, scope: Scope) -> Change[Expression]:
    return Change(rest, ChangeKind.CONDITION, f"without `{show_expression(dropped, scope)}`")


def _instead(others: list[Expression], old: Expression, scope: Scope, kind: ChangeKind) -> ExpressionChanges:
    return (Change(other, kind, instead(other, old, scope)) for other in others)


def _other_constants(constant: Constant) -> ExpressionChanges:
    def to(value: Value) -> Change[Expression]:
        other = Constant(value, constant.type)
        text = f"{show_expression(other)} instead of {show_expression(constant)}"
        return Change(other, ChangeKind.CONSTANT, text, Number(constant.value, value, to))

    return map(to, _near(constant.value, constant.type))


def _near(value: Value, type_: Type) -> list[Value]:
    """Values next to one: a number ± 1, a text one character longer or shorter, the other truth value."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, Counted | Decimal):
        others = [other for other in beside(value) if other != value and as_held(other, type_) is not None]
        return sorted(others, key=order)
    if isinstance(value, int):
        return [other for other in (value - 1, value + 1) if INT_MIN <= other <= INT_MAX]
    if isinstance(value, float):
        return [other for other in (value - 1, value + 1) if type_ is Type.FLOAT and other not in (value, other - 1)]
    if isinstance(value, str):
        return [value + "x", *([value[:-1]] if value else [])]
    return []


def _other_roundings(cast: Cast) -> list[Expression]:
    """Digits rounded where they are cut off, or rounded one digit earlier."""
    source, target = cast.operand.type, cast.type
    if target is Type.INT and source is not Type.INT and source.is_number:
        return [replace(cast, operand=Cast(cast.operand, decimal(LARGEST_PRECISION), cast.safe))]
    if target.sizes is not None and target.sizes[1] > 0 and source.is_number:
        earlier = decimal(target.sizes[0], target.sizes[1] - 1)
        return [replace(cast, operand=Cast(cast.operand, earlier, cast.safe))]
    return []


def _fewer_options(test: In) -> list[Expression]:
    many = range(len(test.options)) if len(test.options) > 1 else range(0)
    return [replace(test, options=_all_but(test.options, i)) for i in many]


def _fewer_branches(case: Case) -> list[Expression]:
    if len(case.branches) == 1:
        return [case.default]
    return [replace(case, branches=case.branches[:i] + case.branches[i + 1 :]) for i in range(len(case.branches))]


def _fewer_operands(coalesce: Coalesce) -> list[Expression]:
    many = range(len(coalesce.operands)) if len(coalesce.operands) > 1 else range(0)
    rests = [_all_but(coalesce.operands, i) for i in many]
    return [rest[0] if len(rest) == 1 else Coalesce(rest) for rest in rests]


def _all_but(parts: tuple[Expression, ...], i: int) -> tuple[Expression, ...]:
    return parts[:i] + parts[i + 1 :]


def _other_wildcards(like: Like) -> list[Expression]:
    """% for _ and back in a pattern that is known."""
    pattern = like.pattern
    if not isinstance(pattern, Constant) or not isinstance(pattern.value, str):
        return []
    texts = [pattern.value.replace(*wildcards) for wildcards in _WILDCARDS if wildcards[0] in pattern.value]
    return [replace(like, pattern=Constant(text, Type.STR)) for text in texts]
