"""Materialize: PostgreSQL's SQL with views that are kept up to date, and mz_now() for the instant of the answer."""

from sqlglot.dialects.materialize import Materialize as SqlglotMaterialize
from sqlglot.parsers.materialize import MaterializeParser as SqlglotMaterializeParser

from semantics.sql.dialects import function_names
from semantics.sql.dialects.parsing import StreamingSyntax
from semantics.sql.dialects.profile import Profile, timed_by_timestamp


class MaterializeParser(StreamingSyntax, SqlglotMaterializeParser):
    """Materialize's grammar; its functions are read by name."""


class Materialize(SqlglotMaterialize):
    Parser = MaterializeParser


MATERIALIZE = Profile(
    "materialize",
    Materialize,
    now=frozenset(("MZ_NOW",)),
    views=True,
    completed=timed_by_timestamp,
    functions=function_names.POSTGRES,
)
