"""Short ways to write CASE and COALESCE."""

from collections.abc import Sequence
from typing import Final

from semantics.expression import Case, Coalesce, Comparison, Constant, Expression, IsDistinct, IsNull, Not
from semantics.functions.definition import Given, Shorthand
from semantics.value import NULL, Type


def alike(arguments: Sequence[Given]) -> list[Expression]:
    """All of them; NULL alone takes its type from the first of the others, and is an INT if there are none."""
    hint = next((argument.type for argument in arguments if argument is not None), Type.INT)
    return [Constant(NULL, hint) if argument is None else argument for argument in arguments]


def _truth(argument: Given) -> Expression:
    return Constant(NULL, Type.BOOL) if argument is None else argument


def null_if(arguments: Sequence[Given]) -> Expression | None:
    if len(arguments) != 2:
        return None
    value, other = alike(arguments)
    return Case(((Comparison("=", value, other), Constant(NULL, value.type)),), value)


def if_(arguments: Sequence[Given]) -> Expression | None:
    if len(arguments) not in (2, 3):
        return None
    then, otherwise = alike([arguments[1], arguments[2] if len(arguments) == 3 else None])
    return Case(((_truth(arguments[0]), then),), otherwise)


def if_null(arguments: Sequence[Given]) -> Expression | None:
    return Coalesce(tuple(alike(arguments))) if len(arguments) == 2 else None


def nvl2(arguments: Sequence[Given]) -> Expression | None:
    if len(arguments) != 3:
        return None
    value = alike(arguments[:1])[0]
    there, missing = alike(arguments[1:])
    return Case(((IsNull(value), missing),), there)


def decode(arguments: Sequence[Given]) -> Expression | None:
    """A value, then pairs of what it may be and what it is then, then perhaps what it is otherwise."""
    if len(arguments) < 3:
        return None
    value, *options = alike([arguments[0], *arguments[1:-1:2]])
    results = alike([*arguments[2::2], *([arguments[-1]] if len(arguments) % 2 == 0 else [None])])
    tests = [Not(IsDistinct(value, option)) for option in options]
    return Case(tuple(zip(tests, results, strict=False)), results[-1])


CHOICES: Final = (
    Shorthand(("nullif",), null_if, "(any type, any type) → the first", "NULL if both are equal, else the first: `CASE WHEN a = b THEN NULL ELSE a END`.", (("NULLIF(1, 1)", "null"), ("NULLIF(1, 2)", "1"))),
    Shorthand(("ifnull", "nvl"), if_null, "(any type, any type) → the same", "The second if the first is NULL: `COALESCE(a, b)`.", (("IFNULL(NULL, 2)", "2"),)),
    Shorthand(("nvl2",), nvl2, "(any type, T, T) → T", "The second if the first is not NULL, else the third.", (("NVL2('a', 1, 2)", "1"),)),
    Shorthand(("if", "iif"), if_, "(BOOL, T [, T]) → T", "The second if the first is TRUE, else the third, or NULL.", (("IF(1 < 2, 'a', 'b')", "'a'"), ("IIF(NULL, 'a', 'b')", "'b'"))),
    Shorthand(("decode",), decode, "(T, T, R, … [, R]) → R", "What stands behind the first option that the value is not distinct from, else the last argument, or NULL.", (("DECODE(2, 1, 'one', 2, 'two')", "'two'"), ("DECODE(NULL, NULL, 'none', 'some')", "'none'"))),
)  # fmt: skip
