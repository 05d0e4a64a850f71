"""SQL's operations on single values, NULL included: arithmetic, comparison, Kleene's logic, LIKE."""

import math
import operator
from collections.abc import Callable
from decimal import Decimal
from typing import Any, Final

from semantics.temporal import Date, Timestamp
from semantics.value import INT_MAX, INT_MIN, NAN, NULL, Value, check_int, order

Number = int | float
Truth = bool | None


def arithmetic(symbol: str, left: Number | None, right: Number | None) -> Number | None:
    """Apply + - * / or MOD; NULL in, NULL out.

    An int that meets a float becomes a float first, and `/` makes floats of both.

    >>> arithmetic("/", 7, 2), arithmetic("MOD", -7, 2), arithmetic("/", 1, 0), arithmetic("+", 1, None)
    (3.5, -1, None, None)
    """
    if left is NULL or right is NULL:
        return NULL
    if isinstance(left, float) or isinstance(right, float) or symbol == "/":
        left, right = float(left), float(right)
    result = _ARITHMETIC[symbol](left, right)
    if isinstance(result, int) and not INT_MIN <= result <= INT_MAX:
        check_int(result, f"{left} {symbol} {right}{_meant_by(symbol, left, right)}")
    return result


def _meant_by(symbol: str, left: Number, right: Number) -> str:
    """The rows of a scalar subquery are counted; with a second one, that times the largest INT is an error.

    >>> arithmetic("*", 2, INT_MAX)
    Traceback (most recent call last):
        ...
    semantics.errors.ArithmeticOverflow: 2 * 9223372036854775807 (a scalar subquery with 2 rows, if there is one) must \
fit into 64 bits, got 18446744073709551614
    """
    counted = symbol == "*" and left > 1 and right == INT_MAX
    return f" (a scalar subquery with {left} rows, if there is one)" if counted else ""


def negate(value: Number) -> Number:
    return check_int(-value, f"-({value})") if isinstance(value, int) else -value


def _divide(left: float, right: float) -> float | None:
    return NULL if right == 0 else left / right


def _mod(left: Number, right: Number) -> Number | None:
    """The remainder that takes the sign of the dividend."""
    if right == 0:
        return NULL
    if isinstance(left, int) and isinstance(right, int):
        return abs(left) % abs(right) * (-1 if left < 0 else 1)
    return NAN if math.isinf(left) or math.isnan(left) else math.fmod(left, right)


_ARITHMETIC: Final[dict[str, Callable[[Number, Number], Number | None]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": _divide,
    "MOD": _mod,
}

COMPARISON: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "=": operator.eq,
    "<>": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def comparison(symbol: str, left: Value, right: Value) -> Truth:
    """Apply = <> < <= > >=; unknown if either side is NULL.

    NaN equals NaN and is greater than any other float, as in the total order.

    >>> comparison("=", math.nan, math.nan), comparison("<", 1, None)
    (True, None)
    """
    if left is NULL or right is NULL:
        return NULL
    left, right = promoted(left, right)
    return COMPARISON[symbol](order(left), order(right))


def distinct(left: Value, right: Value) -> bool:
    """IS DISTINCT FROM: inequality in which NULL equals NULL."""
    left, right = promoted(left, right)
    return order(left) != order(right)


def promoted(left: Value, right: Value) -> tuple[Value, Value]:
    """Both as floats if exactly one of them is, both as timestamps if one is a date."""
    if type(left) is type(right):
        return left, right
    if isinstance(left, float) and isinstance(right, int | Decimal):
        return left, float(right)
    if isinstance(left, int | Decimal) and isinstance(right, float):
        return float(left), right
    if isinstance(left, Date | Timestamp) and isinstance(right, Date | Timestamp):
        return Timestamp(left), Timestamp(right)
    return left, right


def kleene_not(value: Truth) -> Truth:
    return NULL if value is NULL else not value


def kleene_and(left: Truth, right: Truth) -> Truth:
    if left is False or right is False:
        return False
    return NULL if left is NULL or right is NULL else True


def kleene_or(left: Truth, right: Truth) -> Truth:
    return kleene_not(kleene_and(kleene_not(left), kleene_not(right)))


def like(text: str | None, pattern: str | None, escape: str | None = None) -> Truth:
    """LIKE: % stands for any text, _ for one character, each character after the escape for itself.

    >>> like("50%", "5_x%", escape="x"), like("abc", "a%"), like(None, "%")
    (True, True, None)
    """
    if text is NULL or pattern is NULL:
        return NULL
    return _matches(text, _like_tokens(pattern, escape))


def _like_tokens(pattern: str, escape: str | None) -> list[str]:
    """The pattern as "%" and "_" where these are wildcards, and as "=c" where a character c stands for itself."""
    tokens, characters = [], iter(pattern)
    for character in characters:
        if character == escape:
            tokens.append("=" + next(characters, character))
        else:
            tokens.append(character if character in "%_" else "=" + character)
    return tokens


def _matches(text: str, tokens: list[str]) -> bool:
    """Walk through text and tokens; where they part, let the last % take one character more."""
    at = token = 0
    retry_at = retry_token = -1
    while at < len(text):
        if token < len(tokens) and tokens[token] in ("_", "=" + text[at]):
            at, token = at + 1, token + 1
        elif token < len(tokens) and tokens[token] == "%":
            retry_at, retry_token, token = at, token, token + 1
        elif retry_token >= 0:
            retry_at += 1
            at, token = retry_at, retry_token + 1
        else:
            return False
    return all(rest == "%" for rest in tokens[token:])
