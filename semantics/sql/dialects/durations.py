"""Durations as dialects write them, in microseconds: INTERVAL '5' SECOND, '10 minutes', 1 HOUR."""

import re
from fractions import Fraction
from typing import Final

from sqlglot import exp

from semantics.sql.errors import wrong

UNITS: Final = {
    "MICROSECOND": 1,
    "MILLISECOND": 1000,
    "SECOND": 1_000_000,
    "MINUTE": 60_000_000,
    "HOUR": 3_600_000_000,
    "DAY": 86_400_000_000,
    "WEEK": 7 * 86_400_000_000,
}
SHORT: Final = {
    "US": "MICROSECOND",
    "MS": "MILLISECOND",
    "S": "SECOND",
    "SEC": "SECOND",
    "M": "MINUTE",
    "MIN": "MINUTE",
    "H": "HOUR",
    "HR": "HOUR",
    "D": "DAY",
    "W": "WEEK",
}
ORDER: Final = ("DAY", "HOUR", "MINUTE", "SECOND")
_PART: Final = re.compile(r"\s*([+-]?\s*\d+(?:\.\d+)?)\s*([A-Za-z]+)\s*")


def microseconds(node: exp.Expr) -> int:
    """The length of a duration that is written out; one with months or years has none."""
    match node:
        case exp.Paren():
            return microseconds(node.this)
        case exp.Neg():
            return -microseconds(node.this)
        case exp.Add():
            return microseconds(node.this) + microseconds(node.expression)
        case exp.Mul(this=exp.Literal() as number, expression=exp.Interval() as one):
            return int(number.name) * microseconds(one)
        case exp.Interval(this=amount):
            return _interval(node, amount)
        case exp.Literal() if node.is_string:
            return _text(node.name, node)
        case exp.Cast() if isinstance(node.this, exp.Literal):
            return _text(node.this.name, node)
    raise wrong(node, f"{node.sql()} is no duration", "an INTERVAL that is written out")


def is_duration(node: exp.Expr) -> bool:
    """Is it a text such as '1 hour', which PostgreSQL and its kin take for an INTERVAL beside a time?"""
    if not isinstance(node, exp.Literal) or not node.is_string:
        return False
    return bool(_PART.search(node.name)) and not _PART.sub("", node.name).strip()


def _interval(node: exp.Interval, amount: exp.Expr) -> int:
    unit, sign = node.args.get("unit"), 1
    while isinstance(amount, exp.Neg | exp.Paren):
        sign, amount = -sign if isinstance(amount, exp.Neg) else sign, amount.this
    if not isinstance(amount, exp.Literal):
        raise wrong(node, f"{node.sql()} is no duration", "an INTERVAL that is written out")
    text = str(amount.name)
    if unit is None:
        return sign * _text(text, node)
    if isinstance(unit, exp.IntervalSpan):
        return sign * _span(text, unit.this.name.upper(), unit.expression.name.upper(), node)
    return sign * _scaled(text, str(unit.name), node)


def _text(text: str, node: exp.Expr) -> int:
    """`1 hour 30 minutes`, perhaps with `interval` before it; or `1 02:03:04.5`."""
    plain = re.sub(r"^\s*interval\s+", "", text, flags=re.I).replace("'", "")
    parts = _PART.findall(plain)
    if parts and not _PART.sub("", plain).strip():
        return sum(_scaled(number.replace(" ", ""), unit, node) for number, unit in parts)
    if re.fullmatch(r"\s*(\d+ )?\d+:\d+(:\d+(\.\d+)?)?\s*", plain):
        last = "SECOND" if plain.count(":") > 1 else "MINUTE"
        return _span(plain.strip(), "DAY" if " " in plain.strip() else "HOUR", last, node)
    raise wrong(node, f"{text} is no duration", "a number and a unit, such as '10 minutes'")


def _span(text: str, first: str, last: str, node: exp.Expr) -> int:
    """`20:10.525` MINUTE TO SECOND."""
    if first not in ORDER or last not in ORDER:
        raise wrong(node, f"INTERVAL … {first} TO {last} is no number of seconds", "days, hours, minutes and seconds")
    units = ORDER[ORDER.index(first) : ORDER.index(last) + 1]
    negative, numbers = text.startswith("-"), re.split(r"[ :]", text.lstrip("+-"))
    if len(numbers) != len(units):
        raise wrong(node, f"{text} has {len(numbers)} parts", f"{len(units)}, for {first} TO {last}")
    total = sum(_scaled(number, unit, node) for number, unit in zip(numbers, units, strict=True))
    return -total if negative else total


def _scaled(number: str, unit: str, node: exp.Expr) -> int:
    name = unit.upper()
    full = SHORT.get(name) or SHORT.get(name.removesuffix("S")) or name.removesuffix("S")
    if full not in UNITS:
        raise wrong(node, f"a duration in {unit} has no fixed length", ", ".join(UNITS))
    exact = Fraction(number) * UNITS[full]
    if exact.denominator != 1:
        raise wrong(node, f"{number} {unit} is finer than a microsecond", "whole microseconds")
    return int(exact)
