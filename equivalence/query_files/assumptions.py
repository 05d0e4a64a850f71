"""What declarations say about their streams, as constraints that the checkers may assume."""

from collections.abc import Iterator

from equivalence.query_files.query_over_files import QueryOverFiles
from semantics.constraint import Constraint, Key, Lasting, NotNull, Once, References, Unique, names
from semantics.sql.catalogue import Catalogue, Declaration
from semantics.sql.catalogue import Constraint as Declared


def assumptions(*queries: QueryOverFiles) -> tuple[Constraint, ...]:
    """All constraints on the sources of these queries, each once."""
    used = {source.name for query in queries for source in query.sources}
    catalogues = [query.catalogue for query in queries if query.catalogue is not None]
    constraints = [c for catalogue in catalogues for c in _constraints(catalogue) if names(c) <= used]
    return tuple(dict.fromkeys(constraints))


def _constraints(catalogue: Catalogue) -> Iterator[Constraint]:
    for relation in catalogue.relations.values():
        if isinstance(relation, Declaration):
            yield from [Lasting(relation.name)] if relation.is_table else []
            never_null = {name for c in relation.constraints if c.kind == "NOT NULL" for name in c.columns}
            for constraint in relation.constraints:
                yield from _constraint(relation.name, constraint, never_null)


def _constraint(source: str, declared: Declared, never_null: set[str]) -> Iterator[Constraint]:
    """UNIQUE allows several NULLs, which a key does not; where there are none, it is a key."""
    match declared.kind:
        case "NOT NULL":
            yield NotNull(source, declared.columns)
        case "PRIMARY KEY":
            yield Key(source, declared.columns)
        case "ONCE":
            yield Once(source, declared.columns)
        case "UNIQUE" if set(declared.columns) <= never_null:
            yield Key(source, declared.columns)
        case "UNIQUE":
            yield Unique(source, declared.columns)
        case "REFERENCES":
            yield References(source, declared.columns, declared.table, declared.target)
        case _:
            return
