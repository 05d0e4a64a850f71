"""What declarations promise about their streams, as the checkers take it."""

from collections.abc import Iterator

from equivalence.command.query_files.query import Question
from semantics.constraint import Constraint, Key, Lasting, NotNull, References, Unique, names
from semantics.sql.catalogue import Catalogue, Declaration
from semantics.sql.catalogue import Constraint as Declared


def assumptions(*questions: Question) -> tuple[Constraint, ...]:
    """All that is declared about the sources of these queries, each once."""
    used = {source.name for question in questions for source in question.sources}
    catalogues = [question.catalogue for question in questions if question.catalogue is not None]
    found = [c for catalogue in catalogues for c in _of(catalogue) if names(c) <= used]
    return tuple(dict.fromkeys(found))


def _of(catalogue: Catalogue) -> Iterator[Constraint]:
    for relation in catalogue.relations.values():
        if isinstance(relation, Declaration):
            yield from [Lasting(relation.name)] if relation.is_table else []
            never_null = {name for c in relation.constraints if c.kind == "NOT NULL" for name in c.columns}
            for constraint in relation.constraints:
                yield from _constraint(relation.name, constraint, never_null)


def _constraint(source: str, declared: Declared, never_null: set[str]) -> Iterator[Constraint]:
    """UNIQUE allows for many NULLs, which a key does not: it is one where there are none."""
    match declared.kind:
        case "NOT NULL":
            yield NotNull(source, declared.columns)
        case "PRIMARY KEY":
            yield Key(source, declared.columns)
        case "UNIQUE" if set(declared.columns) <= never_null:
            yield Key(source, declared.columns)
        case "UNIQUE":
            yield Unique(source, declared.columns)
        case "REFERENCES":
            yield References(source, declared.columns, declared.table, declared.target)
        case _:
            return
