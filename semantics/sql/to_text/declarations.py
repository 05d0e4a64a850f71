"""Declarations of streams and tables as SQL."""

from collections.abc import Iterator

from semantics.sql.catalogue import Constraint, Declaration
from semantics.sql.to_text.expressions import expression_text
from semantics.sql.type_names import sql_type


def declaration_to_sql(declared: Declaration) -> str:
    """The CREATE statement of a stream or table.

    >>> from semantics import Schema
    >>> declaration_to_sql(Declaration("S", Schema.of(x=int), ("x", "ts"), ordered="ts"))
    'CREATE STREAM S(x INT, ts INT) ORDERED BY ts'
    """
    parts = ", ".join([*_columns(declared), *map(_constraint, declared.constraints)])
    kind = "TABLE" if declared.is_table else "STREAM"
    return f"CREATE {kind} {declared.name}({parts}){_times(declared)}"


def _columns(declared: Declaration) -> Iterator[str]:
    types = dict(zip(declared.schema.names, declared.schema.types, strict=True))
    for name in declared.columns or declared.schema.names:
        time = "TIMESTAMP" if name in declared.timestamps else "INT"
        yield f"{name} {sql_type(types[name]) if name in types else time}"


def _constraint(constraint: Constraint) -> str:
    columns = ", ".join(constraint.columns)
    if constraint.kind == "REFERENCES":
        return f"FOREIGN KEY ({columns}) REFERENCES {constraint.table}({', '.join(constraint.target)})"
    return f"{constraint.kind} ({columns})"


def _times(declared: Declaration) -> str:
    if declared.ordered is not None:
        clock = "" if declared.clock is None else f" AS {expression_text(declared.clock, declared.schema.names)}"
        return f" ORDERED BY {declared.ordered}{clock}"
    return "" if declared.valid is None else f" VALID ({', '.join(declared.valid)})"
