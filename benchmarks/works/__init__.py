"""The speed table: one module per piece of work."""

from benchmarks.harness.work import Work
from benchmarks.works import files, reference
from benchmarks.works.canonical import canonical
from benchmarks.works.difference import difference
from benchmarks.works.distinct import distinct
from benchmarks.works.equijoin import equijoin
from benchmarks.works.equivalence import equivalence
from benchmarks.works.grouped import grouped
from benchmarks.works.intersection import intersection
from benchmarks.works.ordered import last_rows, sessions, top_of_panes
from benchmarks.works.scalar import scalar


def catalogue() -> list[Work]:
    """All works, in the order of the table."""
    return [
        equijoin(keys=10**4),
        equijoin(keys=10**5),
        grouped(),
        distinct(),
        difference(),
        intersection(),
        canonical(),
        equivalence(),
        scalar(),
        top_of_panes(),
        sessions(),
        last_rows(),
        *files.works(),
        *reference.works(),
    ]
