"""The files of a query's streams: which is which, and how each is laid out."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from equivalence.query_files.query_over_files import QueryOverFiles
from physical.files.formats import check_readable, format_of
from physical.files.layout import END, START, Layout
from physical.files.reader import FileReader
from semantics import SnapeqError
from semantics.plan import Source
from semantics.sql.catalogue import NO_STREAM


def named_files(options: Sequence[str], query: QueryOverFiles) -> dict[str, Path]:
    """NAME=FILE options as files by the names that are declared."""
    return {name: Path(file) for name, file in named_addresses(options, query).items()}


def named_addresses(options: Sequence[str], query: QueryOverFiles) -> dict[str, str]:
    """The same for addresses of other machines, too."""
    files: dict[str, str] = {}
    for option in options:
        given, equals, file = option.partition("=")
        if not equals or not given or not file:
            raise SnapeqError(f"--stream {option}: expected NAME=FILE, such as Bid=bids.csv")
        name = _declared(given, query)
        if name in files:
            raise SnapeqError(f"--stream {option}: there is a file for {name} already: {files[name]}")
        files[name] = file
    missing = [source.name for source in query.sources if source.name not in {*files, NO_STREAM}]
    if missing:
        wanted = " ".join(f"--stream {name}=FILE" for name in missing)
        raise SnapeqError(f"there is no file for {', '.join(missing)}; expected {wanted}")
    return files


def readers(files: Mapping[str, Path], query: QueryOverFiles) -> dict[str, FileReader]:
    """A reader for every file; a file that is missing or of no known format is an error at once."""
    found = {}
    for name, path in files.items():
        check_readable(path)
        format_of(path)
        found[name] = FileReader(path, layout(name, query))
    return found


def layout(name: str, query: QueryOverFiles) -> Layout:
    """As the stream is declared; without a declaration as results are: `_start` and `_end`."""
    declared = query.declaration(name)
    if declared is None:
        return Layout(_source(name, query).schema, START, END)
    start, end = declared.valid or (declared.ordered, None)
    assert query.catalogue is not None
    unit = query.catalogue.unit.value
    return Layout(declared.schema, start, end, timestamps=declared.timestamps, unit=unit, clock=declared.clock)


def raw_sources(query: QueryOverFiles) -> frozenset[str]:
    """The sources that deliver elements of one instant each."""
    declared = [query.declaration(source.name) for source in query.sources]
    return frozenset(found.name for found in declared if found is not None and found.ordered is not None)


def _source(name: str, query: QueryOverFiles) -> Source:
    return next(source for source in query.sources if source.name == name)


def _declared(given: str, query: QueryOverFiles) -> str:
    known = {source.name for source in query.sources}
    if query.catalogue is not None:
        found = query.catalogue.find(given)
        known |= set(query.catalogue.sources)
        given = found.name if found is not None else given
    if given not in known:
        raise SnapeqError(f"--stream {given}=…: no such stream; expected one of: {', '.join(sorted(known))}")
    return given
