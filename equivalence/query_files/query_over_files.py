"""A query as people give it to a command, with the streams and tables that it may use.

A text is taken for SQL if it begins like SQL, comes from a `.sql` file, or is read with a catalogue and does not begin
like a plan. Whatever else it is, it must be a plan in the notation.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from itertools import starmap
from pathlib import Path
from typing import TYPE_CHECKING, Final

from semantics import NotationError, Plan, SnapeqError
from semantics.aggregate import AggregateFunction
from semantics.expression import ScalarFunction
from semantics.plan import Source
from semantics.search_path import search_here
from semantics.value import brief

if TYPE_CHECKING:
    from semantics.sql import Catalogue, Declaration
    from semantics.sql.dialects.reading import Reading

OWN_DIALECT: Final = "snapeq"
CHARACTERS_OF_A_PLAN: Final = 100_000
"""A longer text is refused: it is no plan that a person wrote."""
_SQL_WORDS: Final = ("select", "with", "create", "set", "istream(", "dstream(", "rstream(", "--", "/*", "(select")

_PLAN: Final = re.compile(r"\s*[\w\"]+\(|\s*#")
"""How a plan in the notation begins."""


@dataclass(frozen=True)
class QueryOverFiles:
    """A plan, and the declarations of its sources if it comes from SQL."""

    plan: Plan
    catalogue: "Catalogue | None" = None
    reading: "Reading | None" = None
    """How it was read, if it comes from another dialect."""
    sources: tuple[Source, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "sources", tuple(starmap(Source, self.plan.sources().items())))

    def declaration(self, name: str) -> "Declaration | None":
        """The declaration of this name; None if there is none, as in a plan in the notation."""
        from semantics.sql import Declaration

        found = None if self.catalogue is None else self.catalogue.relations.get(name)
        return found if isinstance(found, Declaration) else None

    def relations_over(self, given: Collection[str]) -> dict[str, Plan]:
        """Streams, tables and derived streams for which all sources are given."""
        relations = {} if self.catalogue is None else self.catalogue.relations
        plans = {name: relation.plan for name, relation in relations.items()}
        return {name: plan for name, plan in plans.items() if plan.sources().keys() <= set(given)}


def read_query(
    text_or_file: str, catalog: Path | None = None, functions: Sequence[str] = (), dialect: str | None = None
) -> QueryOverFiles:
    """The query that a text or a file holds: in SQL, perhaps of another dialect, or a plan in the notation.

    >>> read_query("S(x int) | distinct").plan.operator
    'Distinct'
    >>> read_query("CREATE STREAM S(x INT, t INT) ORDERED BY t; SELECT DISTINCT x FROM S").plan.operator
    'Distinct'
    """
    text, where = query_text(text_or_file)
    if dialect not in (None, OWN_DIALECT):
        return _of_dialect(text, where, str(dialect), catalog, functions)
    known = _catalogue(catalog, functions)
    if where.endswith(".sql") or is_sql(text) or (catalog is not None and not _PLAN.match(text)):
        return _sql(text, where, known)
    return QueryOverFiles(_plan(text, where, functions))


def _plan(text: str, where: str, functions: Sequence[str]) -> Plan:
    from semantics import parse_plan

    plain = "\n".join(line for line in text.splitlines() if not line.startswith("#")).strip()
    if len(plain) > CHARACTERS_OF_A_PLAN:
        raise NotationError(f"expected a plan of at most {CHARACTERS_OF_A_PLAN} characters, got {len(plain)}")
    try:
        return parse_plan(plain, {**_known(), **{function.name: function for function in registered(functions)}})
    except NotationError as error:
        raise NotationError(f"{where}: {error}" if where != "query" else str(error)) from None


def _known() -> Mapping[str, ScalarFunction | AggregateFunction]:
    from equivalence.cases.functions import KNOWN_FUNCTIONS

    return KNOWN_FUNCTIONS


def is_sql(text: str) -> bool:
    return text.lstrip().lower().startswith(_SQL_WORDS)


def registered(modules: Sequence[str]) -> list[ScalarFunction | AggregateFunction]:
    """The functions that Python modules define; naming one means running it. The current folder is searched last."""
    found: list[ScalarFunction | AggregateFunction] = []
    search_here()
    for name in modules:
        if not all(part.isidentifier() for part in name.split(".")):
            raise SnapeqError(f"--functions {name}: expected the name of a Python module, as package.module")
        try:
            module = import_module(name)
        except Exception as error:
            problem = str(error) if isinstance(error, ImportError | ValueError) else f"{type(error).__name__}: {error}"
            raise SnapeqError(f"--functions {name}: {problem}; expected a Python module on the path") from None
        here = [part for part in vars(module).values() if isinstance(part, ScalarFunction | AggregateFunction)]
        if not here:
            raise SnapeqError(f"--functions {name}: no ScalarFunction and no AggregateFunction is there")
        found += here
    return found


def _catalogue(path: Path | None, functions: Sequence[str]) -> "Catalogue | None":
    if path is None and not functions:
        return None
    from semantics.sql import Catalogue, SqlError, read_script

    known = Catalogue.of({}, *_sorted(registered(functions)))
    try:
        return known if path is None else read_script(file_text(path, "a file of CREATE statements"), known)
    except SqlError as error:
        raise SnapeqError(f"{path}: {error}") from None


def _sql(text: str, where: str, known: "Catalogue | None") -> QueryOverFiles:
    from semantics.sql import SqlError, parse_script
    from semantics.sql.dialects.recognition import lesson

    try:
        script = parse_script(text, known)
        return QueryOverFiles(script.plan, script.catalogue)
    except SqlError as error:
        told = lesson(text, known)
        raise SnapeqError(f"{where}: {error}" + (f"; {told}" if told else "")) from None


def _of_dialect(text: str, where: str, dialect: str, catalog: Path | None, functions: Sequence[str]) -> QueryOverFiles:
    """A query of another dialect, as what it says in this language."""
    from semantics.sql import SqlError, parse_script
    from semantics.sql.dialects.registry import read_dialect

    declared = "" if catalog is None else file_text(catalog, "a file of CREATE statements")
    try:
        known = _catalogue(None, functions)
        reading = read_dialect(text, dialect, known, declared)
    except SqlError as error:
        raise SnapeqError(f"{where}: {error}") from None
    try:
        script = parse_script(reading.text, known)
    except SqlError as error:
        raise SnapeqError(f"{where}: in snapeq's words (snapeq translate shows them), {error}") from None
    return QueryOverFiles(script.plan, script.catalogue, reading)


def _sorted(
    functions: list[ScalarFunction | AggregateFunction],
) -> tuple[list[ScalarFunction], list[AggregateFunction]]:
    scalars = [function for function in functions if isinstance(function, ScalarFunction)]
    return scalars, [function for function in functions if isinstance(function, AggregateFunction)]


def query_text(text_or_file: str) -> tuple[str, str]:
    """What the file holds, or the text itself; and what to call it."""
    if _is_file(text_or_file):
        return file_text(Path(text_or_file), "a query"), text_or_file
    if text_or_file.endswith(".sql"):
        raise NotationError(f"{text_or_file}: there is no such file; expected a file that holds a query, or its text")
    if "(" in text_or_file or is_sql(text_or_file):
        return text_or_file.strip(), "query"
    wanted = "expected a plan, like 'S(x int) | distinct', a query in SQL, or a file of text that holds one"
    raise NotationError(f"{wanted}, got {brief(text_or_file)}")


def file_text(path: Path, wanted: str) -> str:
    """What a file of text holds; it is called what was wanted if it holds something else."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise NotationError(f"{path}: line {line}: this is no text in UTF-8; expected {wanted}") from None


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except (OSError, ValueError):  # too long, or with a NUL: no name of a file
        return False
