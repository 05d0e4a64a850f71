"""Names of types as dialects write them, in this language."""

from collections.abc import Sequence
from typing import Final

from semantics.sql.dialects.refusals import Refused

NAMES: Final = {
    **dict.fromkeys(
        "TINYINT SMALLINT INT INTEGER BIGINT LONG SHORT INT2 INT4 INT8 SERIAL INT64 INT32 UBIGINT BYTE".split(),
        "BIGINT",
    ),
    **dict.fromkeys("FLOAT REAL DOUBLE FLOAT4 FLOAT8 FLOAT64".split(), "DOUBLE"),
    **dict.fromkeys("STRING VARCHAR TEXT CHAR CHARACTER NVARCHAR BPCHAR UUID JSON JSONB VARIANT".split(), "TEXT"),
    **dict.fromkeys("BOOLEAN BOOL".split(), "BOOLEAN"),
    **dict.fromkeys("TIMESTAMP TIMESTAMP_LTZ TIMESTAMP_NTZ TIMESTAMPTZ DATETIME".split(), "TIMESTAMP"),
    "DATE": "DATE",
    "TIME": "TIME",
}
DECIMALS: Final = ("DECIMAL", "NUMERIC", "DEC")
ROWS: Final = ("ROW", "STRUCT")
OPENING: Final = ("<", "(")


def type_name(words: Sequence[str]) -> str:
    """The type that these words mean; lengths of texts and the precision of times are left out.

    >>> type_name(["TIMESTAMP", "(", "3", ")"]), type_name(["DECIMAL", "(", "10", ",", "2", ")"])
    ('TIMESTAMP', 'DECIMAL(10, 2)')
    >>> type_name(["ARRAY", "<", "ROW", "<", "x", "INT", ",", "y", "STRING", ">", ">"]), type_name(["INT", "[", "]"])
    ('ARRAY<ROW<x BIGINT, y TEXT>>', 'ARRAY<BIGINT>')
    """
    parts = [part for word in words for part in _split(word)]
    if not parts:
        raise Refused("a column without a type", "its values could be anything")
    if parts[-1] == "]" and "[" in parts:
        return f"ARRAY<{type_name(parts[: len(parts) - 1 - parts[::-1].index('[')])}>"
    if parts[-1].upper() == "ARRAY" and len(parts) > 1:
        return f"ARRAY<{type_name(parts[:-1])}>"
    head = parts[0].upper()
    inner = parts[2:-1] if len(parts) > 2 and parts[1] in OPENING else []
    if head == "ARRAY" and inner:
        return f"ARRAY<{type_name(inner)}>"
    if head in ROWS and inner:
        return f"ROW<{', '.join(map(_field, _fields(inner)))}>"
    if head in DECIMALS:
        sizes = [part for part in parts[1:] if part.isdigit()]
        return f"DECIMAL({', '.join(sizes)})" if sizes else "DECIMAL(38, 10)"
    if head not in NAMES:
        raise Refused(f"the type {' '.join(words)}", "this language has no such type")
    return NAMES[head]


def no_type(words: Sequence[str]) -> str:
    """Why no type has this name; nothing if one has.

    >>> no_type(["MAP", "<", "INT", ",", "INT", ">"]), no_type(["INT"])
    ('its type MAP < INT , INT > is none of this language', '')
    """
    try:
        type_name(words)
    except Refused:
        return f"its type {' '.join(words)} is none of this language" if words else "it has no type"
    return ""


def _split(word: str) -> list[str]:
    """`DOUBLE PRECISION` and `>>` are one token for some dialects."""
    return list(word) if word and set(word) == {">"} else word.split()


def _fields(words: Sequence[str]) -> list[list[str]]:
    """The fields of a row, at commas that are in no brackets."""
    fields: list[list[str]] = [[]]
    depth = 0
    for word in words:
        depth += (word in OPENING) - (word in (">", ")"))
        if word == "," and depth == 0:
            fields.append([])
        else:
            fields[-1].append(word)
    return fields


def _field(words: Sequence[str]) -> str:
    """`name type`, or `name: type` as Spark writes it; NOT NULL says nothing about the type."""
    name, *rest = [word for word in words if word.upper() not in (":", "NOT", "NULL")]
    return f"{name} {type_name(rest)}"
