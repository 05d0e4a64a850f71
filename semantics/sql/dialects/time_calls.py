"""Functions that make times of other values, in this language: a TIMESTAMP counts microseconds since 1970 in UTC."""

import re
from typing import Final

from sqlglot import exp

from semantics.sql.dialects.nodes import as_type, call, whole
from semantics.sql.dialects.refusals import Refused
from semantics.sql.dialects.window_calls import name_of
from semantics.sql.errors import place

SECOND: Final = 1_000_000
MILLISECOND: Final = 1000
COUNTED: Final = {
    "TIMESTAMP_MILLIS": MILLISECOND,
    "TO_TIMESTAMP_MILLIS": MILLISECOND,
    "TIMESTAMP_SECONDS": SECOND,
    "TIMESTAMP_MICROS": 1,
    "TO_TIMESTAMP_LTZ": MILLISECOND,
}
"""How many microseconds a number counts."""
TIME_CALLS: Final = (
    *COUNTED,
    "TO_TIMESTAMP",
    "FROM_UNIXTIME",
    "TIMESTAMP_TRUNC",
    "TIME_BUCKET",
    "DATE_BIN",
    "TO_DATE",
    "TIMESTAMPTOSTRING",
    "STRINGTOTIMESTAMP",
    "FORMAT_TIMESTAMP",
    "PARSE_TIMESTAMP",
    "FROM_DAYS",
    "STRFTIME",
    "STRPTIME",
)
WITH_ZONE: Final = ("TIMESTAMPTOSTRING", "STRINGTOTIMESTAMP", "FORMAT_TIMESTAMP", "PARSE_TIMESTAMP")
"""Functions whose third argument is a time zone."""
UTC: Final = ("UTC", "GMT", "Z", "ETC/UTC", "+00:00", "UCT", "ZULU")
ZONE: Final = re.compile(r"X{1,3}|Z{1,3}")
C_LETTERS: Final = {
    "%Y": "yyyy",
    "%m": "MM",
    "%d": "dd",
    "%H": "HH",
    "%M": "mm",
    "%S": "ss",
    "%F": "yyyy-MM-dd",
    "%T": "HH:mm:ss",
}
C_PART: Final = re.compile(r"(%.?)|([^A-Za-z'%]+)|([A-Za-z]+)")
SCALES: Final = {0: SECOND, 3: MILLISECOND, 6: 1}
FIRST_BUCKET: Final = "2000-01-03 00:00:00"
"""Where DuckDB's buckets of days and less are counted from."""


def time_call(node: exp.Expr) -> exp.Expr:
    """The call in this language's words, if it is one of these; else as it is."""
    arguments = node.expressions if isinstance(node, exp.Anonymous) else []
    if name_of(node) in WITH_ZONE and len(arguments) == 3:
        check_utc(arguments[2], node)
        arguments = arguments[:2]
    match name_of(node), arguments:
        case "TO_TIMESTAMP", [exp.Cast(this=exp.Cast() as inner)] if inner.is_type("TIMESTAMP"):
            return inner
        case "TO_TIMESTAMP", [text]:
            return as_type(text, "TIMESTAMP")
        case "TO_TIMESTAMP_LTZ", [number, exp.Literal() as precision] if precision.is_int:
            if int(precision.name) not in SCALES:
                raise Refused(f"TO_TIMESTAMP_LTZ with precision {precision.name}", "0, 3 and 6 are read")
            return _counted(number, SCALES[int(precision.name)])
        case name, [number] if name in COUNTED:
            return _counted(number, COUNTED[name])
        case "FROM_UNIXTIME", [number]:
            return as_type(_counted(number, SECOND), "TEXT")
        case "TO_DATE", [value]:
            return exp.TryCast(this=value, to=exp.DataType.build("DATE"))
        case "TIMESTAMP_TRUNC", [time, unit]:
            return call("DATE_TRUNC", exp.Literal.string(unit.name.lower()), time)
        case "TIME_BUCKET", [size, time]:
            return call("DATE_BIN", _length(size), time, as_type(exp.Literal.string(FIRST_BUCKET), "TIMESTAMP"))
        case "DATE_BIN", [size, time, *origin]:
            return call("DATE_BIN", _length(size), time, *(as_type(one, "TIMESTAMP") for one in origin))
        case "TIMESTAMPTOSTRING", [number, form]:
            return call("DATE_FORMAT", _counted(number, MILLISECOND), _with_utc(form))
        case "STRINGTOTIMESTAMP", [text, form]:
            return call("DIV", as_type(call("TO_TIMESTAMP", text, form), "BIGINT"), whole(MILLISECOND))
        case "FORMAT_TIMESTAMP", [time, form]:
            return call("DATE_FORMAT", time, _with_utc(form))
        case "PARSE_TIMESTAMP", [text, form]:
            return call("TO_TIMESTAMP", text, form)
        case "STRFTIME", [exp.Literal() as form, time] if form.is_string:
            return call("DATE_FORMAT", time, _from_c(form))
        case "STRFTIME", [time, form]:
            return call("DATE_FORMAT", time, _from_c(form))
        case "STRPTIME", [text, form]:
            return call("TO_TIMESTAMP", text, _from_c(form))
        case "FROM_DAYS", [days]:
            return as_type(days, "DATE")
        case _:
            return node


def check_utc(zone: exp.Expr | None, node: exp.Expr) -> None:
    """Refuses other zones."""
    if not isinstance(zone, exp.Literal) or zone.name.upper() not in UTC:
        raise Refused("a time zone other than UTC", "times are in UTC here", place(node))


def _with_utc(form: exp.Expr) -> exp.Expr:
    """A Java format whose letter for the zone is what it writes for UTC."""
    if not isinstance(form, exp.Literal):
        return form
    parts = form.name.split("'")  # every other one is quoted
    return exp.Literal.string("'".join(ZONE.sub(_zone, p) if i % 2 == 0 else p for i, p in enumerate(parts)))


def _zone(found: re.Match[str]) -> str:
    return f"'{'+0000' if found[0].startswith('Z') else 'Z'}'"


def _from_c(form: exp.Expr) -> exp.Expr:
    """A format such as '%Y-%m-%d' with Java's letters."""
    if not isinstance(form, exp.Literal):
        raise Refused("a format that is no constant", "formats are constants here", place(form))
    made = ""
    for directive, sign, text in C_PART.findall(form.name):
        if directive and directive not in C_LETTERS:
            raise Refused(f"{directive} in a format", f"{' '.join(C_LETTERS)} are read", place(form))
        made += C_LETTERS.get(directive) or sign or f"'{text}'"
    return exp.Literal.string(made)


def _length(size: exp.Expr) -> exp.Expr:
    """A duration, which PostgreSQL also takes as a text."""
    return exp.Interval(this=size.copy()) if isinstance(size, exp.Literal) and size.is_string else size


def _counted(number: exp.Expr, micros: int) -> exp.Expr:
    scaled = number if micros == 1 else exp.Mul(this=exp.paren(number), expression=exp.Literal.number(micros))
    return as_type(scaled, "TIMESTAMP")
