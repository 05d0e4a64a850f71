"""Functions that some dialects give another meaning than this language: what they are in its words."""

import re
from typing import Final

from sqlglot import exp

from semantics.functions.time_formats import LETTERS_TO_JAVA
from semantics.sql.dialects.nodes import as_type, call, plus
from semantics.sql.dialects.refusals import Refused
from semantics.sql.dialects.window_calls import name_of
from semantics.sql.errors import place

_PART: Final = re.compile(rf"({'|'.join(LETTERS_TO_JAVA)})|([^A-Za-z']+)|\"([^\"']*)\"|(T|.)")
EXACT_FIELDS: Final = {"EPOCH": "EXACT_EPOCH", "SECOND": "EXACT_SECOND"}


def field_of(node: exp.Expr) -> str:
    """The field that EXTRACT or DATE_PART asks for."""
    if isinstance(node, exp.Extract):
        return str(node.this.name).upper()
    named = name_of(node) == "DATE_PART" and len(node.expressions) == 2
    return str(node.expressions[0].name).upper() if named else ""


def _of_field(node: exp.Expr) -> exp.Expr:
    of: exp.Expr = node.expression if isinstance(node, exp.Extract) else node.expressions[1]
    return of.copy()


def from_sunday_one(node: exp.Expr) -> exp.Expr:
    """EXTRACT(DOW …) of Calcite and Spark, where Sunday is 1."""
    return call("DAYOFWEEK", _of_field(node)) if field_of(node) == "DOW" else node


def of_flink(node: exp.Expr) -> exp.Expr:
    """Flink's milliseconds are those of the second."""
    if field_of(node) == "MILLISECOND":
        return call("MOD", node.copy(), exp.Literal.number(1000))
    return from_sunday_one(node)


def of_spark(node: exp.Expr) -> exp.Expr:
    """Spark's EXTRACT(SECOND …) has the fraction, and its TO_TIMESTAMP takes seconds."""
    field = field_of(node)
    if field in ("DOW_ISO", "DAYOFWEEK_ISO"):
        return exp.Extract(this=exp.Var(this="ISODOW"), expression=_of_field(node))
    if field == "SECOND":
        return call("EXACT_SECOND", _of_field(node))
    return from_sunday_one(node)


def of_postgres(node: exp.Expr) -> exp.Expr:
    """PostgreSQL, and what RisingWave and Materialize take from it."""
    if field_of(node) in EXACT_FIELDS:
        return call(EXACT_FIELDS[field_of(node)], _of_field(node))
    match name_of(node), _arguments(node):
        case "TO_TIMESTAMP", [seconds]:
            return _of_seconds(seconds)
        case "TO_TIMESTAMP" | "TO_DATE" as name, [text, form]:
            return call(name, text.copy(), _in_java(form))
    return with_ends_and_first_matches(node)


def of_duckdb(node: exp.Expr) -> exp.Expr:
    if field_of(node) == "EPOCH":
        return call("EXACT_EPOCH", _of_field(node))
    match name_of(node), _arguments(node):
        case "SUBSTRING" | "SUBSTR", [text, exp.Literal() as start, length] if start.name == "0":
            return call("SUBSTR", text.copy(), exp.Literal.number(1), exp.paren(plus(length.copy(), -1)))
        case "TO_TIMESTAMP", [seconds]:
            return _of_seconds(seconds)
        case "EPOCH", [time]:
            return call("EXACT_EPOCH", time.copy())
        case "EPOCH_MS", [number]:
            return call("TIMESTAMP_MILLIS", number.copy())
    return with_ends_and_first_matches(node)


def of_arroyo(node: exp.Expr) -> exp.Expr:
    """FROM_UNIXTIME gives a time, not a text."""
    if name_of(node) == "FROM_UNIXTIME" and len(node.expressions) == 1:
        return _of_seconds(node.expressions[0])
    if field_of(node) == "EPOCH":
        return call("EXACT_EPOCH", _of_field(node))
    return with_ends_and_first_matches(node)


def with_ends_and_first_matches(node: exp.Expr) -> exp.Expr:
    """LEFT(s, −1) is all but the last character; REGEXP_REPLACE replaces one match, unless it says 'g'."""
    match name_of(node), _arguments(node):
        case "LEFT" | "RIGHT" as name, [text, number] if not (isinstance(number, exp.Literal) and number.is_int):
            rest = call(
                name, text.copy(), exp.Add(this=call("LENGTH", text.copy()), expression=exp.paren(number.copy()))
            )
            negative = exp.LT(this=exp.paren(number.copy()), expression=exp.Literal.number(0))
            return exp.Case(ifs=[exp.If(this=negative, true=rest)], default=call(name, text.copy(), number.copy()))
        case "ARRAY_LENGTH", [array, exp.Literal() as dimension] if dimension.name == "1":
            return call("NULLIF", call("CARDINALITY", array.copy()), exp.Literal.number(0))
        case "REGEXP_REPLACE", [text, pattern, new]:
            return call("REGEXP_REPLACE_FIRST", text.copy(), pattern.copy(), new.copy())
        case "REGEXP_REPLACE", [text, pattern, new, exp.Literal() as flags]:
            if flags.name != "g":
                raise Refused(f"the flags {flags.name} of REGEXP_REPLACE", "only g is read", place(node))
            return call("REGEXP_REPLACE", text.copy(), pattern.copy(), new.copy())
        case _:
            return node


def _arguments(node: exp.Expr) -> list[exp.Expr]:
    return node.expressions if isinstance(node, exp.Anonymous) else []


def _of_seconds(seconds: exp.Expr) -> exp.Expr:
    """A number of seconds since 1970, perhaps with a fraction, as a TIMESTAMP."""
    micros = exp.Mul(this=exp.paren(seconds.copy()), expression=exp.Literal.number(1_000_000))
    whole = isinstance(seconds, exp.Literal) and seconds.is_int
    return as_type(micros if whole else as_type(micros, "BIGINT"), "TIMESTAMP")


def _in_java(form: exp.Expr) -> exp.Expr:
    """A format with PostgreSQL's letters, with Java's."""
    if not isinstance(form, exp.Literal):
        raise Refused("a format that is no constant", "formats are constants here", place(form))
    made = ""
    for letters, signs, quoted, other in _PART.findall(form.name):
        if other and other != "T":
            raise Refused(f"{other} in a format", f"{' '.join(LETTERS_TO_JAVA)} are read", place(form))
        made += LETTERS_TO_JAVA.get(letters) or signs or f"'{quoted or other}'"
    return exp.Literal.string(made)
