"""Trees of JSON read back as expressions; an error says where in the tree something is wrong."""

import math
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final, TypeVar, get_args

from semantics import expression as nodes
from semantics.casts import cast_value
from semantics.errors import NotationError, SnapeqError
from semantics.expression import ArithmeticSymbol, ComparisonSymbol, Expression
from semantics.functions.table import call_of
from semantics.how_many import how_many
from semantics.notation.parse import parse_type
from semantics.types import Type
from semantics.value import Value, brief

T = TypeVar("T")
SPECIAL_FLOATS: Final = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
BINARY: Final[Mapping[str, Callable[[Expression, Expression], Expression]]] = {
    "and": nodes.And,
    "or": nodes.Or,
    "is distinct from": nodes.IsDistinct,
}
UNARY: Final[Mapping[str, Callable[[Expression], Expression]]] = {
    "negate": nodes.Negation,
    "not": nodes.Not,
    "is null": nodes.IsNull,
}
SYMBOLS: Final = {
    **{("mod" if symbol == "MOD" else symbol): (nodes.Arithmetic, symbol) for symbol in get_args(ArithmeticSymbol)},
    **{symbol: (nodes.Comparison, symbol) for symbol in get_args(ComparisonSymbol)},
}


OPERATIONS_READ: Final = (
    *("column", "constant", "now", *SYMBOLS, *BINARY, *UNARY),
    *("cast", "in", "like", "case", "coalesce", "call"),
)


def members(tree: object, where: str, *required: str) -> Mapping[str, Any]:
    """An object that has these members; others are left alone."""
    if not isinstance(tree, dict):
        raise NotationError(f"{where}: expected an object, got {brief(tree)}")
    missing = [name for name in required if name not in tree]
    if missing:
        raise NotationError(f"{where}: expected {', '.join(required)}; it lacks {', '.join(missing)}")
    return tree


def items(value: object, where: str, read: Callable[[object, str], T]) -> tuple[T, ...]:
    """A list, each item of it read."""
    if not isinstance(value, list):
        raise NotationError(f"{where}: expected a list, got {brief(value)}")
    return tuple(read(item, f"{where}[{i}]") for i, item in enumerate(value))


def whole(value: object, where: str) -> int:
    """A whole number, which may be a text where readers of doubles would round it."""
    digits = value if isinstance(value, str) and value.lstrip("-").isdecimal() and value.isascii() else None
    if digits is None and type(value) is not int:
        raise NotationError(f"{where}: expected a whole number, got {brief(value)}")
    return int(value)  # type: ignore[call-overload, no-any-return]


def truth(value: object, where: str) -> bool:
    if not isinstance(value, bool):
        raise NotationError(f"{where}: expected true or false, got {brief(value)}")
    return value


def one_of(value: object, where: str, known: Collection[str]) -> str:
    if not isinstance(value, str) or value not in known:
        raise NotationError(f"{where}: expected one of {', '.join(known)}; got {brief(value)}")
    return value


def type_named(value: object, where: str) -> Type:
    """A type by its name, as the notation writes it."""
    try:
        return parse_type(value)  # type: ignore[arg-type]
    except SnapeqError:
        raise NotationError(f"{where}: expected a type, such as int or decimal(10, 2); got {brief(value)}") from None


def expression_from_json(tree: object, where: str = "expression") -> Expression:
    """The expression that `expression_to_json` writes as this tree.

    >>> expression_from_json({"op": "is null", "type": "bool", "args": [{"op": "column", "type": "int", "index": 0}]})
    IsNull(operand=Ref(index=0, type=INT))
    """
    parts = members(tree, where, "op")
    op = parts["op"]
    args = items(parts.get("args", []), f"{where}.args", expression_from_json)
    try:
        return _expression(op, args, parts, where)
    except NotationError:
        raise
    except SnapeqError as error:
        raise NotationError(f"{where}: {error}") from None


def _expression(op: object, args: tuple[Expression, ...], parts: Mapping[str, Any], where: str) -> Expression:
    match op, args:
        case "column", ():
            given = members(parts, where, "index", "type")
            return nodes.Ref(whole(given["index"], f"{where}.index"), type_named(given["type"], f"{where}.type"))
        case "constant", ():
            given = members(parts, where, "value", "type")
            type_ = type_named(given["type"], f"{where}.type")
            return nodes.Constant(_value(given["value"], type_, f"{where}.value"), type_)
        case "now", ():
            return nodes.Now()
        case str(), (left, right) if op in SYMBOLS:
            kind, symbol = SYMBOLS[op]
            made: Expression = kind(symbol, left, right)
            return made
        case str(), (left, right) if op in BINARY:
            return BINARY[op](left, right)
        case str(), (operand,) if op in UNARY:
            return UNARY[op](operand)
        case "cast", (operand,):
            given = members(parts, where, "type", "safe")
            return nodes.Cast(
                operand, type_named(given["type"], f"{where}.type"), truth(given["safe"], f"{where}.safe")
            )
        case "in", (operand, *options):
            return nodes.In(operand, tuple(options))
        case "like", (operand, pattern):
            return nodes.Like(operand, pattern, parts.get("escape"))
        case "case", (*branches, default) if len(branches) % 2 == 0 and branches:
            return nodes.Case(tuple(zip(branches[::2], branches[1::2], strict=True)), default)
        case "coalesce", (_, *_):
            return nodes.Coalesce(args)
        case "call", _:
            return _call(members(parts, where, "function")["function"], args, f"{where}.function")
        case _:
            one_of(op, f"{where}.op", OPERATIONS_READ)
            raise NotationError(f"{where}: {op} has another number of args than {len(args)}")


def _call(name: object, args: tuple[Expression, ...], where: str) -> Expression:
    made = call_of(name, args) if isinstance(name, str) else None
    if made is None:
        raise NotationError(f"{where}: expected a built-in function, got {brief(name)}")
    return made


def _value(value: object, type_: Type, where: str) -> Value:
    if value is None:
        return None
    if type_ is Type.INT:
        return whole(value, where)
    if type_ is Type.BOOL:
        return truth(value, where)
    if type_.element is not None:
        return items(value, where, lambda item, at: _value(item, type_.element or Type.INT, at))
    if type_.fields is not None:
        parts = items(value, where, lambda item, _: item)
        if len(parts) != len(type_.fields):
            raise NotationError(f"{where}: expected {how_many(len(type_.fields), 'value')}, got {len(parts)}")
        kinds = enumerate(kind for _, kind in type_.fields)
        return tuple(_value(part, kind, f"{where}[{i}]") for part, (i, kind) in zip(parts, kinds, strict=True))
    if type_ is Type.FLOAT:
        return _float(value, where)
    if not isinstance(value, str):
        raise NotationError(f"{where}: expected a text, got {brief(value)}")
    return value if type_ is Type.STR else cast_value(value, Type.STR, type_)


def _float(value: object, where: str) -> float:
    special = SPECIAL_FLOATS.get(value) if isinstance(value, str) else None
    if special is None and (isinstance(value, bool) or not isinstance(value, int | float)):
        raise NotationError(f"{where}: expected a number, got {brief(value)}")
    return special if special is not None else float(value)  # type: ignore[arg-type]
