"""Points in time as text and back, by formats of a few letters that Flink and Spark share.

`yyyy` the year, `MM` the month, `dd` the day, `HH` the hour, `mm` the minute, `ss` the second, `SSS` milliseconds, `SSSSSS`
microseconds; signs and spaces stand for themselves, and letters do between single quotes. Reading takes exactly as many
digits as there are letters; what is not in the format is that of 1970-01-01 00:00:00.
"""

import re
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from typing import Final

from semantics.expression import Constant, Expression
from semantics.functions.calendar_fields import moment
from semantics.functions.definition import Function, Given, Overload, Shorthand, Word
from semantics.temporal import MICROS, Date, Timestamp
from semantics.types import Type

INT, STR, DATE, TIMESTAMP = Type.INT, Type.STR, Type.DATE, Type.TIMESTAMP
DEFAULT: Final = "yyyy-MM-dd HH:mm:ss"
_PARTS: Final = {
    "yyyy": "year",
    "MM": "month",
    "dd": "day",
    "HH": "hour",
    "mm": "minute",
    "ss": "second",
    "SSSSSS": "microsecond",
    "SSS": "millisecond",
}
_TOKEN: Final = re.compile(rf"(?P<part>{'|'.join(_PARTS)})|'(?P<quoted>[^']*)'|(?P<sign>[^A-Za-z'])")
LETTERS_TO_JAVA: Final = {
    "YYYY": "yyyy",
    "MM": "MM",
    "DD": "dd",
    "HH24": "HH",
    "MI": "mm",
    "SS": "ss",
    "MS": "SSS",
    "US": "SSSSSS",
}
"""PostgreSQL's letters in formats of times, and Java's."""
_POSTGRES: Final = re.compile(rf"(?P<part>{'|'.join(LETTERS_TO_JAVA)})|\"(?P<quoted>[^\"']*)\"|(?P<sign>[^A-Za-z'\"])")


@cache
def tokens(pattern: str) -> tuple[tuple[str, str], ...] | None:
    """The parts of a format and the texts between them; None if it is none, or has a part twice.

    >>> tokens("HH:mm"), tokens("hh:mm"), tokens("dd dd")
    ((('part', 'HH'), ('sign', ':'), ('part', 'mm')), None, None)
    """
    found = [(match.lastgroup or "", match[match.lastgroup or 0]) for match in _TOKEN.finditer(pattern)]
    parts = [text for kind, text in found if kind == "part"]
    whole = "".join(f"'{text}'" if kind == "quoted" else text for kind, text in found) == pattern
    fractions = [part for part in parts if part.startswith("S")]
    return tuple(found) if whole and parts and len(set(parts)) == len(parts) and len(fractions) < 2 else None


def is_format(pattern: str) -> bool:
    return tokens(pattern) is not None


def formatted(point: Timestamp, pattern: str) -> str:
    at = moment(point)
    return "".join(_shown(at, text) if kind == "part" else text for kind, text in tokens(pattern) or ())


def _shown(at: datetime, part: str) -> str:
    value = at.microsecond // 1000 if part == "SSS" else getattr(at, _PARTS[part])
    return f"{value:0{len(part)}}"


def read(text: str, pattern: str = DEFAULT) -> Timestamp | None:
    """NULL if the text is not of this format, or there is no such day or time."""
    found = _reader(pattern).fullmatch(text)
    if not found:
        return None
    given = {name: int(digits) for name, digits in found.groupdict().items()}
    micros = given.pop("millisecond", 0) * 1000 + given.pop("microsecond", 0)
    try:
        return Timestamp(datetime(**{"year": 1970, "month": 1, "day": 1, **given}, microsecond=micros))  # type: ignore[arg-type]
    except ValueError:
        return None


@cache
def _reader(pattern: str) -> re.Pattern[str]:
    parts = [
        f"(?P<{_PARTS[text]}>[0-9]{{{len(text)}}})" if kind == "part" else re.escape(text)
        for kind, text in tokens(pattern) or ()
    ]
    return re.compile("".join(parts))


def read_timestamp(text: str) -> Timestamp | None:
    """As CAST reads it."""
    try:
        return Timestamp(text)
    except ValueError:
        return None


def read_date(text: str, pattern: str | None = None) -> Date | None:
    found = read_timestamp(text) if pattern is None else read(text, pattern)
    return None if found is None else Date(moment(found).date())


def from_unix_time(seconds: int, pattern: str = DEFAULT) -> str | None:
    try:
        return formatted(Timestamp(seconds * MICROS), pattern)
    except ValueError:
        return None


def read_unix_time(text: str, pattern: str = DEFAULT) -> int | None:
    found = read(text, pattern)
    return None if found is None else int(found) // MICROS


def unix_time(point: Timestamp) -> int:
    return int(point) // MICROS


def _to_char(arguments: Sequence[Given]) -> Expression | None:
    """DATE_FORMAT with PostgreSQL's letters."""
    from semantics.functions.table import call_of

    pattern = arguments[1] if len(arguments) == 2 else None
    if not isinstance(pattern, Constant) or not isinstance(pattern.value, str):
        return None
    found = list(_POSTGRES.finditer(pattern.value))
    if sum(len(match[0]) for match in found) != len(pattern.value):
        return None
    java = [
        LETTERS_TO_JAVA.get(match["part"] or "")
        or (f"'{match['quoted']}'" if match["quoted"] is not None else match[0])
        for match in found
    ]
    return call_of("date_format", [arguments[0], Constant("".join(java), STR)])


FORMAT: Final = Word(
    "format", (DEFAULT, "yyyy-MM-dd", "HH:mm", "dd/MM/yyyy", "yyyyMMddHHmmssSSS", "yyyy-MM-dd'T'HH:mm:ss"), is_format
)

FORMATS: Final = (
    Function(("date_format",), (Overload((TIMESTAMP, FORMAT), STR, formatted),), "A point in time as text.", (("DATE_FORMAT(TIMESTAMP '2024-02-29 13:45:06', 'dd/MM/yyyy HH:mm')", "'29/02/2024 13:45'"), ("DATE_FORMAT(DATE '2024-02-29', 'yyyyMMdd')", "'20240229'"))),
    Shorthand(("to_char",), _to_char, "(TIMESTAMP, format) → STR", "The same with PostgreSQL's letters: YYYY MM DD HH24 MI SS MS US.", (("TO_CHAR(TIMESTAMP '2024-02-29 13:45:06', 'YYYY-MM-DD HH24:MI')", "'2024-02-29 13:45'"),)),
    Function(("to_date",), (Overload((STR,), DATE, read_date, nullable=True), Overload((STR, FORMAT), DATE, read_date, nullable=True)), "A text as a DATE, as CAST reads it or in a format; NULL if it is none.", (("TO_DATE('2024-02-29')", "date '2024-02-29'"), ("TO_DATE('29/02/2024', 'dd/MM/yyyy')", "date '2024-02-29'"), ("TO_DATE('2024-02-30')", "null"))),
    Function(("from_unixtime",), (Overload((INT, FORMAT), STR, from_unix_time, optional=1, nullable=True),), "Seconds since 1970 as text.", (("FROM_UNIXTIME(86400)", "'1970-01-02 00:00:00'"),)),
    Function(("unix_timestamp", "unix_seconds"), (Overload((TIMESTAMP,), INT, unix_time), Overload((STR, FORMAT), INT, read_unix_time, optional=1, nullable=True)), "Seconds since 1970, cut down. Without arguments it would be the time of day at which a query runs, and is refused.", (("UNIX_TIMESTAMP(TIMESTAMP '1970-01-02 00:00:00.5')", "86400"), ("UNIX_TIMESTAMP('1970-01-01 00:01:00')", "60"))),
)  # fmt: skip
