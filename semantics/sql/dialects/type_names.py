"""Names of types as dialects write them, in this language."""

from collections.abc import Sequence
from typing import Final

from semantics.sql.dialects.refusals import Refused

NAMES: Final = {
    **dict.fromkeys(
        "TINYINT SMALLINT INT INTEGER BIGINT LONG SHORT BYTE INT2 INT4 INT8 SERIAL INT64 INT32".split(), "BIGINT"
    ),
    **dict.fromkeys("FLOAT REAL DOUBLE FLOAT4 FLOAT8 FLOAT64".split(), "DOUBLE"),
    **dict.fromkeys("STRING VARCHAR TEXT CHAR CHARACTER NVARCHAR BPCHAR UUID JSON JSONB VARIANT".split(), "TEXT"),
    **dict.fromkeys("BOOLEAN BOOL".split(), "BOOLEAN"),
    **dict.fromkeys("TIMESTAMP TIMESTAMP_LTZ TIMESTAMP_NTZ TIMESTAMPTZ DATETIME".split(), "TIMESTAMP"),
    "DATE": "DATE",
    "TIME": "TIME",
}
DECIMALS: Final = ("DECIMAL", "NUMERIC", "DEC")


def type_name(words: Sequence[str]) -> str:
    """The type that these words mean; lengths of texts and the precision of times are left out.

    >>> type_name(["TIMESTAMP", "(", "3", ")"]), type_name(["DECIMAL", "(", "10", ",", "2", ")"])
    ('TIMESTAMP', 'DECIMAL(10, 2)')
    """
    if not words:
        raise Refused("a column without a type", "its values could be anything")
    head = words[0].upper()
    if head in DECIMALS:
        sizes = [word for word in words[1:] if word.isdigit()]
        return f"DECIMAL({', '.join(sizes)})" if sizes else "DECIMAL(38, 10)"
    if head in NAMES and not (len(words) > 1 and words[1] in ("[", "<")):
        return NAMES[head]
    return "".join(words) if head in ("ARRAY", "ROW", "STRUCT") else _refused(words)


def _refused(words: Sequence[str]) -> str:
    raise Refused(f"the type {' '.join(words)}", "this language has no such type")
