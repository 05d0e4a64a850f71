"""Types as Calcite, CockroachDB and QED call them, as types of this project's SQL."""

import re
from typing import Final

from equivalence.foreign_plans.errors import PlanError

_TYPE: Final = re.compile(r"\s*([A-Za-z_0-9]+)\s*(?:\(\s*(\d+)\s*(?:,\s*(-?\d+)\s*)?\))?")
_WHOLE: Final = ("INT", "INTEGER", "BIGINT", "SMALLINT", "TINYINT", "INT2", "INT4", "INT8", "OID")
_NAMES: Final = {
    **dict.fromkeys(_WHOLE, "INT"),
    **dict.fromkeys(("FLOAT", "DOUBLE", "REAL", "FLOAT4", "FLOAT8"), "FLOAT"),
    **dict.fromkeys(("BOOLEAN", "BOOL"), "BOOLEAN"),
    **dict.fromkeys(("VARCHAR", "CHAR", "TEXT", "STRING"), "TEXT"),
    **dict.fromkeys(("TIMESTAMP", "TIMESTAMPTZ"), "TIMESTAMP"),
    "DATE": "DATE",
    "TIME": "TIME",
}
_UNTYPED: Final = ("ANYELEMENT", "UNKNOWN", "NULL", "ANY")
"""Types of a NULL that takes its type from where it stands."""
_ARRAY: Final = "["
_DIGITS: Final = ("38", "10")
"""Of a DECIMAL that has no bound."""


def sql_type(name: str) -> str:
    """The type as CREATE TABLE and CAST have it; values of an unknown type are texts of which only that is used.

    >>> sql_type("VARCHAR(20) NOT NULL"), sql_type("DECIMAL(7, 2)"), sql_type("BIGINT")
    ('TEXT', 'DECIMAL(7, 2)', 'INT')
    """
    base, size, scale = _parts(name)
    if _ARRAY not in name and base in ("DECIMAL", "NUMERIC"):
        digits = _DIGITS if size is None else (size, scale or "0")
        return f"DECIMAL({digits[0]}, {digits[1]})"
    return "TEXT" if is_opaque(name) else _NAMES[base]


def is_opaque(name: str) -> bool:
    """Whether it is a type that nothing is known of, as JSONB."""
    return _ARRAY in name or _parts(name)[0] not in (*_NAMES, "DECIMAL", "NUMERIC")


def is_untyped(name: str) -> bool:
    return _parts(name)[0] in _UNTYPED


def is_whole(name: str) -> bool:
    """Whether values of this type are whole numbers, so that `/` and AVG are cut."""
    return _parts(name)[0] in _WHOLE


def changes_values(source: str | None, target: str) -> bool:
    """Whether CAST between these types may change a value; from an unknown type it may."""
    return source is None or may_cut(source, target) or sql_type(source) != sql_type(target)


def may_cut(source: str | None, target: str) -> bool:
    """Whether CAST may cut a text to the length that the type has."""
    base, size, _ = _parts(target)
    if base not in ("VARCHAR", "CHAR") or size is None:
        return False
    length = None if source is None else _parts(source)[1]
    return length is None or int(length) > int(size)


def _parts(name: str) -> tuple[str, str | None, str | None]:
    match = _TYPE.match(name)
    if match is None:
        raise PlanError(f"expected a type, got {name!r}")
    return match[1].upper(), match[2], match[3]
