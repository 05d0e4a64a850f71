"""Which dialect a text looks like, by what only that one writes."""

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from semantics.sql.catalogue import Catalogue

MARKS: Final = {
    "ksqldb": r"\bEMIT\s+(CHANGES|FINAL)\b|\bWINDOW\s+(TUMBLING|HOPPING|SESSION)\s*\(|\bkafka_topic\b|\bWITHIN\s+\d",
    "materialize": r"\bmz_now\s*\(|\bCREATE\s+CLUSTER\b|\bLOAD\s+GENERATOR\b|\bFROM\s+(KAFKA|POSTGRES)\s+CONNECTION\b"
    r"|\bSUBSCRIBE\b|\bINPUT\s+GROUP\s+SIZE\b|\bMUTUALLY\s+RECURSIVE\b",
    "risingwave": r"\bEMIT\s+ON\s+WINDOW\s+CLOSE\b|\bCREATE\s+SOURCE\b|\b(tumble|hop)\s*\(\s*\w+\s*,\s*\w+\s*,"
    r"|\bSESSION\s+WITH\s+GAP\b|\bAPPEND\s+ONLY\b",
    "feldera": r"\bLATENESS\b|\bMATCH_CONDITION\b|\bTIMESTAMP_TRUNC\s*\(",
    "arroyo": r"\b(tumble|hop|session)\s*\(\s*interval\b|\bevent_time_field\b",
    "cql": r"\[\s*(range|rows|now|partition\s+by)\b|\bREGISTER\s+(STREAM|RELATION)\b",
    "calcite": r"\bSELECT\s+STREAM\b",
    "spark": r"\bRLIKE\b|\bWITH\s+(CUBE|ROLLUP)\b|(?<!by)(?<!,)\s+GROUPING\s+SETS\b"
    r"|\b(session_)?window\s*\(\s*[\w.]+\s*,\s*'|\bUSING\s+(parquet|delta|csv)\b"
    r"|\bsession_window\b|\bLEFT\s+(SEMI|ANTI)\s+JOIN\b|\bLATERAL\s+VIEW\b|\bDELAY\s+OF\s+INTERVAL\b|\bSTREAM\s*\(\s*\w+\s*\)",
    "flink": r"\bWATERMARK\s+FOR\b|\bDESCRIPTOR\s*\(|\bPROCTIME\s*\(|\bFOR\s+SYSTEM_TIME\s+AS\s+OF\b|'connector'\s*="
    r"|\b(TUMBLE|HOP)\s*\(\s*\w+\s*,\s*INTERVAL\b|\bNOT\s+ENFORCED\b"
    r"|\bMATCH_RECOGNIZE\b"
    r"|\b(TUMBLE|HOP|SESSION)_(START|END|ROWTIME)\s*\(|\bTO_TIMESTAMP_LTZ\s*\(|\bSPLIT_INDEX\s*\(",
    "duckdb": r"\bASOF\s+JOIN\b|\bGROUP\s+BY\s+ALL\b|\bread_(csv|parquet)\s*\(",
    "postgres": r"\bDISTINCT\s+ON\s*\(|::\s*\w+|\bgenerate_series\s*\(",
}
"""The first one that matches is taken."""
HABITS: Final = {
    r"\bSELECT\s+TOP\s+\d+\b": "SELECT TOP n is ORDER BY … LIMIT n here",
    r"\bLIMIT\s+\d+\s*,\s*\d+": "LIMIT m, n is LIMIT n OFFSET m here",
    r"`": 'a name in quotes is written "so" here',
}
"""What other systems write, too, and what it is in this language."""


def looks_like(text: str) -> str | None:
    """The dialect that a text seems to be of; None if it could be anybody's.

    >>> looks_like("SELECT * FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE))")
    'flink'
    """
    return next((name for name, mark in MARKS.items() if re.search(mark, text, re.I)), None)


def lesson(text: str, known: "Catalogue | None" = None) -> str:
    """What to tell somebody whose text of another dialect was refused: its name, and the same in this language.

    Tables that nobody declares stand for streams with the columns that the query asks for.
    """
    from semantics.sql.dialects.registry import read_dialect
    from semantics.sql.dialects.stand_ins import UNKNOWN, query_in_own_words
    from semantics.sql.errors import SqlError

    name = looks_like(text)
    if name is None:
        return next((told for habit, told in HABITS.items() if re.search(habit, text, re.I)), "")
    told = f"this looks like {name}: say --dialect {name}"
    try:
        try:
            own = read_dialect(text, name, known).text
        except SqlError as error:
            if not UNKNOWN.match(error.problem):
                raise
            own = query_in_own_words(text, name, known)
    except SqlError as error:
        return f"{told} (which then says: {error})"
    return f"{told}. The same in snapeq's words:\n{own}"
