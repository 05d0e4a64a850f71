"""All dialects by name, and how a script of any of them is read."""

from typing import Final

from semantics.sql.catalogue import Catalogue
from semantics.sql.dialects.arroyo import ARROYO
from semantics.sql.dialects.calcite import CALCITE
from semantics.sql.dialects.cql import read_cql
from semantics.sql.dialects.duckdb import DUCKDB
from semantics.sql.dialects.feldera import FELDERA
from semantics.sql.dialects.flink import FLINK
from semantics.sql.dialects.ksqldb import KSQLDB
from semantics.sql.dialects.materialize import MATERIALIZE
from semantics.sql.dialects.postgres import POSTGRES
from semantics.sql.dialects.profile import Profile
from semantics.sql.dialects.reading import Reading, known_tables, translated
from semantics.sql.dialects.risingwave import RISINGWAVE
from semantics.sql.dialects.spark import SPARK
from semantics.sql.dialects.statements import StatementReader, Statements
from semantics.sql.errors import SqlError, one_of

OWN: Final = "snapeq"
CQL: Final = "cql"
PROFILES: Final[dict[str, Profile]] = {
    profile.name: profile
    for profile in (
        FLINK,
        SPARK,
        RISINGWAVE,
        MATERIALIZE,
        FELDERA,
        ARROYO,
        KSQLDB,
        CALCITE,
        DUCKDB,
        POSTGRES,
    )
}
DIALECTS: Final = (OWN, *PROFILES, CQL)


def read_dialect(text: str, dialect: str, catalogue: Catalogue | None = None, declared: str = "") -> Reading:
    """A script of a dialect in this language; what a catalogue or another script declares is known to it.

    >>> reading = read_dialect(
    ...     "CREATE TABLE Bid (item INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND);"
    ...     "SELECT item, COUNT(*) AS n FROM Bid GROUP BY item",
    ...     "flink",
    ... )
    >>> reading.kind, reading.watermarks
    ('retract', {'Bid': ('ts', 5000000)})
    """
    try:
        if dialect == CQL:
            return read_cql(f"{declared};{text}" if declared else text, catalogue)
        reader = StatementReader(text, profile_named(dialect))
        return translated(
            reader.read(_known(declared, dialect, catalogue)), profile_named(dialect), _functions(catalogue)
        )
    except RecursionError:
        raise SqlError("the query is nested too deeply", "fewer parentheses and subqueries") from None
    except SqlError as error:
        raise error.within(text) from None


def _functions(catalogue: Catalogue | None) -> frozenset[str]:
    """The user's functions."""
    if catalogue is None:
        return frozenset()
    return frozenset(name.lower() for name in (*catalogue.functions, *catalogue.aggregates))


def _known(declared: str, dialect: str, catalogue: Catalogue | None) -> Statements:
    found = Statements(known_tables(catalogue))
    return StatementReader(declared, profile_named(dialect)).read(found) if declared.strip() else found


def profile_named(dialect: str) -> Profile:
    """The profile with this name."""
    if dialect not in PROFILES:
        raise SqlError(f"unknown dialect {dialect}", one_of(DIALECTS))
    return PROFILES[dialect]
