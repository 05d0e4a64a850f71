"""What a declaration says of the rows of a table that is there at every instant: keys, NOT NULL, UNIQUE, REFERENCES.

Of streams nothing is taken over: there a dialect means all rows so far, and this language those of one instant.
"""

from collections.abc import Mapping, Sequence

from sqlglot import exp

from semantics.sql.catalogue import Constraint
from semantics.sql.dialects.ddl import SourceColumn, SourceTable
from semantics.sql.dialects.writing import written


def targets_first(used: Sequence[SourceTable], tables: Mapping[str, SourceTable]) -> list[SourceTable]:
    """The tables with those that they refer to, each behind all that it refers to.

    A target is declared even if no query reads it: otherwise two queries would declare a table in two ways.
    """
    ordered: dict[str, SourceTable] = {}
    for table in used:
        _put(table, tables, ordered, ())
    return list(ordered.values())


def _put(
    table: SourceTable, tables: Mapping[str, SourceTable], ordered: dict[str, SourceTable], above: tuple[str, ...]
) -> None:
    name = table.name.lower()
    if name in ordered or name in above:
        return
    for target in _targets(table, tables):
        _put(target, tables, ordered, (*above, name))
    ordered[name] = table


def _targets(table: SourceTable, tables: Mapping[str, SourceTable]) -> list[SourceTable]:
    """The tables that it refers to; one that refers to itself, or in a circle, has no reference that is taken over."""
    if not _lasts(table):
        return []
    found = [tables.get(one.table.lower()) for one in table.constraints if one.kind == "REFERENCES"]
    return [one for one in found if one is not None and _lasts(one) and not _reaches(one, table, tables, ())]


def _reaches(table: SourceTable, goal: SourceTable, tables: Mapping[str, SourceTable], above: tuple[str, ...]) -> bool:
    if table.name.lower() == goal.name.lower():
        return True
    further = [tables.get(one.table.lower()) for one in table.constraints if one.kind == "REFERENCES"]
    seen = (*above, table.name.lower())
    return any(_reaches(one, goal, tables, seen) for one in further if one is not None and one.name.lower() not in seen)


def _lasts(table: SourceTable) -> bool:
    return table.time is None and table.valid is None and not table.versioned


def never_null(table: SourceTable, columns: Sequence[SourceColumn]) -> list[str]:
    """What stands behind the type of each column."""
    return [" NOT NULL" if column.not_null and _lasts(table) else "" for column in columns]


def known_of(table: SourceTable, columns: Sequence[str], tables: Mapping[str, SourceTable]) -> list[str]:
    """The constraints of a table in this language, as far as they are about these columns."""
    if not _lasts(table):
        return []
    names = {column.lower() for column in columns}
    targets = {target.name.lower(): target for target in _targets(table, tables)}
    key = [Constraint("PRIMARY KEY", table.keys)] if table.keys else []
    said = [_completed(one, targets) for one in (*key, *table.constraints)]
    return [_text(one) for one in said if one is not None and {name.lower() for name in one.columns} <= names]


def _completed(one: Constraint, targets: Mapping[str, SourceTable]) -> Constraint | None:
    """The constraint, with the columns that it refers to; None if these are not known."""
    if one.kind != "REFERENCES":
        return one
    target = targets.get(one.table.lower())
    columns = one.target or (target.keys if target is not None else ())
    if target is None or len(columns) != len(one.columns) or not all(map(target.column, columns)):
        return None
    return Constraint("REFERENCES", one.columns, target.name, columns)


def _text(one: Constraint) -> str:
    names = _names(one.columns)
    if one.kind != "REFERENCES":
        return f"{one.kind} ({names})"
    return f"FOREIGN KEY ({names}) REFERENCES {_names([one.table])} ({_names(one.target)})"


def _names(names: Sequence[str]) -> str:
    return ", ".join(written(exp.to_identifier(name)) for name in names)
