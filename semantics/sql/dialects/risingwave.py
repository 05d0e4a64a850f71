"""RisingWave: PostgreSQL's SQL with sources, watermarks, tumble() and hop(), and views that are kept up to date."""

from typing import Any, ClassVar

from sqlglot.dialects.risingwave import RisingWave as SqlglotRisingWave
from sqlglot.parsers.risingwave import RisingWaveParser as SqlglotRisingWaveParser

from semantics.sql.dialects import function_names
from semantics.sql.dialects.own_meanings import of_postgres
from semantics.sql.dialects.parsing import StreamingSyntax, without_arrows
from semantics.sql.dialects.profile import Profile, timed_by_timestamp
from semantics.sql.dialects.session_frames import with_sessions_in_from


class RisingWaveParser(StreamingSyntax, SqlglotRisingWaveParser):
    """RisingWave's grammar with tables as arguments."""

    LAMBDAS: ClassVar[dict[Any, Any]] = without_arrows(SqlglotRisingWaveParser.LAMBDAS)


class RisingWave(SqlglotRisingWave):
    Parser = RisingWaveParser


RISINGWAVE = Profile(
    "risingwave",
    RisingWave,
    now=frozenset(("NOW",)),
    views=True,
    strict_sessions=True,
    prepare=with_sessions_in_from,
    completed=timed_by_timestamp,
    named_by_alias=True,
    rows_in_select=True,
    missing_is_null=True,
    functions=function_names.POSTGRES,
    calls=of_postgres,
    decimal_fields=True,
    rounding_casts=True,
    days_between_dates=True,
)
