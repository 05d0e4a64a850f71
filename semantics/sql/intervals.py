"""INTERVAL '5' MINUTE, INTERVAL '1 02:30' DAY TO MINUTE, INTERVAL '1-2' YEAR TO MONTH, INTERVAL '2 hours 5 minutes'."""

import re
from fractions import Fraction
from typing import Final

from sqlglot import exp

from semantics.errors import TypeMismatch
from semantics.expression import Constant
from semantics.sql.errors import one_of, wrong
from semantics.sql.grammar.nodes import IntervalText
from semantics.temporal import DAY_MICROS, MICROS, DayInterval, MonthInterval
from semantics.types import Type

MICROS_OF: Final = {
    "MICROSECOND": 1,
    "MILLISECOND": 1000,
    "SECOND": MICROS,
    "MINUTE": 60 * MICROS,
    "HOUR": 3600 * MICROS,
    "DAY": DAY_MICROS,
    "WEEK": 7 * DAY_MICROS,
}
MONTHS_OF: Final = {"MONTH": 1, "QUARTER": 3, "YEAR": 12}
UNITS: Final = (*MICROS_OF, *MONTHS_OF)
NUMBER: Final = r"[+-]?\d{1,18}(?:\.\d{1,12})?"
PAIRS: Final = re.compile(rf"(?:\s*({NUMBER})\s*([A-Za-z]+))")
FRAMES: Final = {("MINUTE", "SECOND"): "0:{}", ("DAY", "HOUR"): "{}:00"}
"""How a text of these fields reads as days, hours, minutes and seconds; the others do as they are."""


def interval_text(node: IntervalText) -> Constant:
    """An INTERVAL as a constant; months and what has a fixed length are two types."""
    text, units = node.this.name.strip(), [_unit(unit) for unit in node.args.get("units") or []]
    try:
        value = _value(node, text, units)
        signed = type(value)(-value) if node.args.get("negative") else value
        return Constant(signed, Type.DAY_INTERVAL if isinstance(value, DayInterval) else Type.MONTH_INTERVAL)
    except (ValueError, TypeMismatch) as error:
        shown = f"INTERVAL '{text}' {' TO '.join(units)}".strip()
        raise wrong(node, f"{shown}: {error}", "such as INTERVAL '5' MINUTE") from None


def _value(node: IntervalText, text: str, units: list[str]) -> DayInterval | MonthInterval:
    if len(units) == 1:
        return _counted(text, units[0])
    if units == ["YEAR", "MONTH"]:
        return MonthInterval(text)
    if len(units) == 2:
        return DayInterval(_framed(text, (units[0], units[1])))
    return _in_words(node, text)


def _framed(text: str, units: tuple[str, str]) -> str:
    sign, rest = (text[:1], text[1:]) if text[:1] in ("-", "+") else ("", text)
    return sign + FRAMES.get(units, "{}").format(rest)


def _counted(text: str, unit: str) -> DayInterval | MonthInterval:
    """A number of one unit; seconds and longer units may have digits behind the point."""
    if not re.fullmatch(NUMBER, text):
        raise ValueError(f"expected a number of {unit}S")
    exact = Fraction(text) * (MONTHS_OF.get(unit) or MICROS_OF[unit])
    if exact.denominator != 1:
        raise ValueError("it is no whole number of " + ("months" if unit in MONTHS_OF else "microseconds"))
    return MonthInterval(int(exact)) if unit in MONTHS_OF else DayInterval(int(exact))


def _in_words(node: IntervalText, text: str) -> DayInterval | MonthInterval:
    """Numbers with units inside the text, as PostgreSQL has them."""
    if re.fullmatch(NUMBER, text):
        raise ValueError("it has no unit")
    pairs = PAIRS.findall(text)
    if not pairs or PAIRS.sub("", text).strip():
        return DayInterval(text)
    values = [_counted(number, _unit(exp.Identifier(this=unit), node)) for number, unit in pairs]
    if len({type(value) for value in values}) > 1:
        raise wrong(node, "an INTERVAL of months and of days", "two of them, added one after the other")
    return type(values[0])(sum(values))


def _unit(node: exp.Identifier, place: exp.Expr | None = None) -> str:
    unit = node.name.upper()
    singular = unit.removesuffix("S") if unit not in UNITS else unit
    if singular not in UNITS:
        raise wrong(place or node, f"unknown time unit {node.name}", one_of(UNITS))
    return singular
