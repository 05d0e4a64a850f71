"""Wrong built-in functions: as other engines, or somebody in a hurry, would have them."""

import math
import re
from collections.abc import Callable
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Any, Final

from equivalence.mutants.mutant import Mutant
from equivalence.mutants.reference.wrong_reference import WrongReference
from semantics import Expression, Plan, ScalarFunction
from semantics import expression as expr
from semantics.functions import calendar_fields, numbers, parts_of_text, patterns, text, time_formats, time_numbers
from semantics.functions.calls import first_built_in
from semantics.temporal import DAY_MICROS, Date, DayInterval, MonthInterval, Time, Timestamp


class WrongFunctions(WrongReference):
    """The reference with another meaning of one function."""

    knows_functions = True
    knows_types = True

    def supports(self, plan: Plan) -> bool:
        """Only what can show it."""
        return first_built_in(plan) is not None


def wrong(name: str, function: str, meaning: Callable[..., Any], *, strict: bool = True) -> Mutant:
    def change(part: object) -> object:
        return _changed(part) if isinstance(part, expr.Call) and part.function.name == function else part

    def _changed(call: expr.Call) -> Expression:
        made = ScalarFunction("wrong", call.function.parameters, call.type, meaning, strict=strict)
        return expr.Call(made, call.arguments)

    return Mutant(WrongFunctions(name, rewrite=change), "expression")


def _one(of: Callable[[Any], Any]) -> Callable[..., Any]:
    return lambda value, *more: of(value)


def _half_even(number: float, decimals: int = 0) -> float:
    if isinstance(number, float) and not math.isfinite(number):
        return number
    return (
        type(number)(Decimal(repr(number)).quantize(Decimal((0, (1,), -decimals)), ROUND_HALF_EVEN))
        if abs(decimals) < 20
        else number
    )


def _binary_round(number: float, decimals: int = 0) -> float:
    """Of the number that the float is, and not of the one that people see."""
    if isinstance(number, int) or not math.isfinite(number) or abs(decimals) > 20:
        return numbers.rounded(number, decimals)
    return float(Decimal(number).quantize(Decimal((0, (1,), -decimals)), "ROUND_HALF_UP", numbers._WIDE))


def _cut_down(number: float, decimals: int = 0) -> float:
    return numbers.truncated(number, decimals) if number >= 0 else numbers.truncated(number, decimals) - (decimals == 0)


def _find(part: str, text: str, start: int = 1) -> int:
    return parts_of_text.position(part, text, start) - 1


def _whole(value: str, pattern: str) -> bool:
    return re.fullmatch(pattern, value) is not None


def _sunday_weeks(unit: str, point: Any) -> Any:
    if unit != "week" or not isinstance(point, Timestamp):
        return (
            calendar_fields.beginning(unit, point)
            if isinstance(point, Timestamp)
            else calendar_fields.beginning_of_date(unit, point)
        )
    return Timestamp(int(point) - (int(point) - 3 * DAY_MICROS) % (7 * DAY_MICROS))


def _field(field: str, value: Any, wrong: str, size: Callable[[int], int]) -> int:
    of = {
        Timestamp: calendar_fields.field_of_timestamp,
        Date: calendar_fields.field_of_date,
        Time: calendar_fields.field_of_time,
        DayInterval: calendar_fields.field_of_span,
        MonthInterval: calendar_fields.field_of_months,
    }[type(value)]
    found = of(field, value)
    return size(found) if field == wrong else found


def _boundaries(unit: str, start: Timestamp, end: Timestamp) -> int:
    return time_numbers.units_between(
        unit, calendar_fields.beginning(unit, start), calendar_fields.beginning(unit, end)
    )


def _thirty_days(day: Date) -> Date:
    last = calendar_fields.last_day(day)
    return last if str(last)[-2:] != "31" else Date(last - 1)


FUNCTIONS: Final[tuple[Mutant, ...]] = (
    wrong("LENGTH counts bytes", "length", lambda t: len(t.encode())),
    wrong("UPPER knows ASCII only", "upper", lambda t: "".join(c.upper() if c.isascii() else c for c in t)),
    wrong("LOWER is UPPER", "lower", str.upper),
    wrong("TRIM trims on the left only", "trim", text.left_trimmed),
    wrong("SUBSTRING counts from 0", "substring", lambda t, start, *n: parts_of_text.substring(t, start + 1, *n)),
    wrong("SUBSTRING counts back from the end", "substring", parts_of_text.substr),
    wrong("SUBSTR has no end to count from", "substr", parts_of_text.substring),
    wrong("LEFT of a negative number leaves out the end", "left", lambda t, n: t[:n]),
    wrong("RIGHT is LEFT", "right", parts_of_text.left),
    wrong("POSITION counts from 0", "position", _find),
    wrong("SPLIT_PART has no end to count from", "split_part", lambda t, s, n: parts_of_text.split_part(t, s, n) if n >= 0 else ""),
    wrong("SPLIT_PART counts from 0", "split_part", lambda t, s, n: parts_of_text.split_part(t, s, n + 1)),
    wrong("CONCAT ignores NULL", "concat", lambda *texts: text.concat(*(t for t in texts if t is not None)), strict=False),
    wrong("CONCAT_WS is NULL as soon as an argument is", "concat_ws", text.concat_ws),
    wrong("LPAD never cuts", "lpad", lambda t, n, *fill: t if len(t) > n else text.padded_left(t, n, *fill)),
    wrong("RPAD is LPAD", "rpad", text.padded_left),
    wrong("INITCAP leaves the other letters", "initcap", lambda t: t[:1].upper() + t[1:]),
    wrong("REPLACE replaces once", "replace", lambda t, old, new: t.replace(old, new, 1) if old else t),
    wrong("TRANSLATE keeps what has no partner", "translate", lambda t, old, new: "".join(dict(zip(old, new, strict=False)).get(c, c) for c in t)),
    wrong("STARTS_WITH ignores case", "starts_with", lambda t, part: t.lower().startswith(part.lower())),
    wrong("REGEXP_LIKE matches the whole text", "regexp_like", _whole),
    wrong("REGEXP_REPLACE replaces once", "regexp_replace", lambda t, p, new: re.sub(p, new, t, count=1)),
    wrong("REGEXP_EXTRACT is empty where nothing matches", "regexp_extract", lambda t, p, *g: patterns.regexp_extract(t, p, *g) or ""),
    wrong("ROUND rounds halves to even", "round", _half_even),
    wrong("ROUND sees the bits of a float", "round", _binary_round),
    wrong("TRUNC rounds down", "trunc", _cut_down),
    wrong("FLOOR cuts", "floor", lambda n: n if isinstance(n, int) else numbers.truncated(n)),
    wrong("CEIL is FLOOR", "ceil", lambda n: n if isinstance(n, int) else numbers.floor(n)),
    wrong("SIGN of 0 is 1", "sign", lambda n: n if n != n else type(n)(1 if n >= 0 else -1)),
    wrong("GREATEST ignores NULL", "greatest", numbers.greatest_known, strict=False),
    wrong("LEAST is GREATEST", "least", numbers.greatest),
    wrong("DIV rounds down", "div", lambda a, b: a // b if b else None),
    wrong("FLOOR_MOD takes the dividend's sign", "floor_mod", lambda a, b: int(math.fmod(a, b)) if b else None),
    wrong("LN of 0 is infinite", "ln", lambda n: -math.inf if n == 0 else None if n < 0 else math.log(n)),
    wrong("the root of a negative number is NaN", "sqrt", lambda n: math.nan if n < 0 else math.sqrt(n)),
    wrong("LOG is the decimal logarithm", "log", lambda *n: math.log10(n[0]) if len(n) == 1 and n[0] > 0 else None),
    wrong("SHIFT_RIGHT fills with 0", "shift_right", lambda n, places: (n % 2**64 >> places % 64 + 2**63) % 2**64 - 2**63),
    wrong("weeks begin on Sunday", "date_trunc", _sunday_weeks),
    wrong("DOW counts from Sunday, 1", "extract", lambda f, v: _field(f, v, "dow", lambda n: n + 1)),
    wrong("HOUR is that of a clock with 12 hours", "extract", lambda f, v: _field(f, v, "hour", lambda n: n % 12)),
    wrong("MILLISECOND is without seconds", "extract", lambda f, v: _field(f, v, "millisecond", lambda n: n % 1000)),
    wrong("TIMESTAMPDIFF counts boundaries", "timestampdiff", _boundaries),
    wrong("months have 30 days", "last_day", _thirty_days),
    wrong("DATE_FORMAT takes minutes for months", "date_format", lambda t, p: time_formats.formatted(t, p.replace("MM", "mm") if "mm" not in p else p)),
    wrong("UNIX_TIMESTAMP rounds", "unix_timestamp", lambda t, *p: (int(t) + 500_000) // 1_000_000 if isinstance(t, Timestamp) else time_formats.read_unix_time(t, *p)),
    wrong("DATE_BIN counts from the year 2000", "date_bin", lambda s, t, *o: time_numbers.binned(s, t, *(o or (Timestamp("2000-01-01"),)))),
)  # fmt: skip
