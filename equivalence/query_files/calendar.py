"""How instants are written for people: as times where the streams of a query have timestamps, else as numbers."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from equivalence.query_files.query_over_files import QueryOverFiles
from semantics import FOREVER
from semantics.time import End

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Calendar:
    """Writes instants: in ISO 8601, in UTC, if they have so many milliseconds; as they are if that is None."""

    milliseconds: int | None = None

    def show(self, t: End) -> str:
        """An instant, or the end of an interval; what is beyond the calendar of people stays a number.

        >>> Calendar(1000).show(1586938200), Calendar(1).show(1586938200250), Calendar().show(1586938200)
        ('2020-04-15T08:10:00Z', '2020-04-15T08:10:00.250Z', '1586938200')
        >>> Calendar(1000).show(FOREVER), Calendar(86_400_000).show(10**9)
        ('∞', '1000000000')
        """
        if t == FOREVER:
            return "∞"
        if self.milliseconds is None:
            return str(t)
        try:
            moment = EPOCH + timedelta(milliseconds=int(t) * self.milliseconds)
        except OverflowError:
            return str(t)
        return moment.isoformat(timespec="milliseconds").removesuffix("+00:00").removesuffix(".000") + "Z"


NUMBERS: Final = Calendar()


def calendar_of(query: QueryOverFiles) -> Calendar:
    """Times if a stream of the query is declared with a TIMESTAMP.

    >>> from equivalence.query_files.query_over_files import read_query
    >>> stream = "CREATE STREAM S(x INT, t TIMESTAMP) ORDERED BY t; SELECT x FROM S"
    >>> calendar_of(read_query(stream)), calendar_of(read_query(stream.replace("TIMESTAMP", "BIGINT")))
    (Calendar(milliseconds=1000), Calendar(milliseconds=None))
    """
    declared = [query.declaration(source.name) for source in query.sources]
    timed = any(found is not None and found.timestamps for found in declared)
    return Calendar(query.catalogue.unit.value) if timed and query.catalogue is not None else NUMBERS
