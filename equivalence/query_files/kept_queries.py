"""Queries that were read before: to load a parser of SQL takes longer than to select from a million rows.

The command keeps what it has read, in the folder of its caches; SNAPEQ_KEEP_QUERIES=0 turns this off. A kept query is
taken only if everything that it was read with is the same: its text, that of its catalogue, the sources of all that
reads, the version of the parser and that of Python. A query is kept only if it comes back as it was.
"""

import io
import os
import pickle
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Any, Final
from zlib import crc32

from equivalence.query_files.query_over_files import QueryOverFiles, file_text, query_text, read_query

PLACES: Final = 256
"""So many queries are kept at most; a new one may take the place of another."""
_FOLDER: Final = "queries"
_HOUSE: Final = Path(__file__).parents[2]
_READERS: Final = (f"{_HOUSE}/semantics", f"{_HOUSE}/equivalence/query_files")
"""What a query's meaning may depend on."""
_ALSO: Final = {
    (QueryOverFiles.__module__, "QueryOverFiles"),
    *(("semantics.types", maker) for maker in ("plain_type", "decimal", "array_of", "row_of")),
    ("semantics.functions.table", "built_in"),
    ("decimal", "Decimal"),
}


def read_or_kept(
    text_or_file: str, catalog: Path | None = None, functions: Sequence[str] = (), dialect: str | None = None
) -> QueryOverFiles:
    """The query as `read_query` reads it. Functions of users are code, so what uses them is always read."""
    if functions or dialect is not None or os.environ.get("SNAPEQ_KEEP_QUERIES") == "0":
        return read_query(text_or_file, catalog, functions, dialect)
    known = "" if catalog is None else file_text(catalog, "a file of CREATE statements")
    text, where = query_text(text_or_file)
    key = repr((text, where.endswith(".sql"), catalog is not None, known, sys.version, *_versions())).encode()
    place = _folder() / f"{crc32(key) % PLACES}.pickle"
    kept = _kept(place, key)
    if kept is not None:
        return kept
    query = read_query(text_or_file, catalog)
    _keep(place, key, query)
    return query


def _versions() -> Iterator[object]:
    """Where each file is that reads, when it was changed and how long it is; the parser's version stands for it."""
    found = find_spec("sqlglot")
    parser = [] if found is None or found.origin is None else [found.origin, f"{Path(found.origin).parent}/_version.py"]
    for path in (*sorted(chain.from_iterable(map(_sources, _READERS))), *parser):
        about = os.stat(path)
        yield path, about.st_mtime_ns, about.st_size


def _sources(folder: str) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".py"):
                yield entry.path
            elif entry.name != "__pycache__" and entry.is_dir():
                yield from _sources(entry.path)


def _folder() -> Path:
    base = os.environ.get("SNAPEQ_CACHE") or os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "snapeq" / _FOLDER


class _OfQueries(pickle.Unpickler):
    """Loads what queries are made of, and nothing else: a file in a cache must not be a way to run code."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in _ALSO:
            return super().find_class(module, name)
        found = super().find_class(module, name) if module.startswith("semantics.") and "." not in name else None
        if not isinstance(found, type) or found.__module__ != module:
            raise pickle.UnpicklingError(f"{module}.{name} is no part of a query")
        return found


def _kept(place: Path, key: bytes) -> QueryOverFiles | None:
    """What is kept there, if it is for this key; whatever is wrong with the file, the query is read again."""
    try:
        of, _, content = place.read_bytes().partition(b"\0")
        found = _OfQueries(io.BytesIO(content)).load() if of == key else None
    except Exception:
        return None
    return found if isinstance(found, QueryOverFiles) else None


def _keep(place: Path, key: bytes, query: QueryOverFiles) -> None:
    """Keep a query, unless it does not come back the same; a folder that cannot be written is no reason to fail."""
    temporary = place.with_suffix(f".{os.getpid()}")
    with suppress(Exception):
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        temporary.write_bytes(key + b"\0" + pickle.dumps(query))
        if _kept(temporary, key) == query:
            os.replace(temporary, place)
    with suppress(OSError):
        temporary.unlink(missing_ok=True)
