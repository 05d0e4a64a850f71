"""What a dialect decides beside its syntax."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from sqlglot import Token, exp
from sqlglot.dialects.dialect import Dialect

from semantics.sql.dialects.ddl import SourceTable, is_processing_time
from semantics.sql.units import TimeUnit

OutputKind = Literal["panes", "events", "retract", "upsert", "updates", "snapshot", "intervals"]


@dataclass(frozen=True)
class Prepared:
    """A query's tokens without clauses that sqlglot does not know, and what to do with the tree for these."""

    tokens: list[Token]
    after: Callable[[exp.Expr], exp.Expr] = lambda tree: tree


def as_it_stands(tokens: list[Token], text: str) -> Prepared:  # noqa: ARG001  # others need the text
    return Prepared(tokens)


def as_declared(table: SourceTable, kind: str) -> SourceTable:  # noqa: ARG001  # others look at the kind
    return table


def as_completed(table: SourceTable, asked: Collection[str]) -> SourceTable:  # noqa: ARG001  # others look at what is asked
    return table


def timed_by_timestamp(table: SourceTable, kind: str) -> SourceTable:  # noqa: ARG001
    """The only TIMESTAMP column of a table is its event time, if none is declared."""
    there = [column for column in table.columns if not is_processing_time(column)]
    moments = [c.name for c in there if c.type and c.type[0].startswith(("TIMESTAMP", "DATETIME"))]
    return (
        replace(table, time=moments[0]) if table.time is None and table.valid is None and len(moments) == 1 else table
    )


def no_tables(name: str, words: Sequence[str]) -> dict[str, str]:  # noqa: ARG001  # others look at both
    return {}


@dataclass(frozen=True)
class Profile:
    """A dialect: how it is read, and what it takes for granted."""

    name: str
    syntax: type[Dialect]
    unit: TimeUnit = TimeUnit.MILLISECOND
    now: frozenset[str] = frozenset()
    """The functions that mean the instant of the answer; others of this kind mean when a row is processed."""
    views: bool = False
    """Is every query a view that is kept up to date? Then rows stay."""
    changes: OutputKind = "retract"
    """How updates of an answer are written down."""
    strict_sessions: bool = False
    """Do rows at just the gap from each other begin a new session?"""
    hop_size_first: bool = False
    integer_average: bool = False
    """Is AVG of whole numbers a whole number?"""
    exact_division: bool = False
    """Does `/` of whole numbers have a fraction?"""
    window_time: bool = False
    """Has a window a column with its last instant, beside start and end?"""
    functions: dict[str, str] = field(default_factory=dict)
    """What this language calls functions that the dialect calls otherwise."""
    calls: Callable[[exp.Expr], exp.Expr] = lambda node: node
    """A call that means something else in the dialect, in this language's words; any other as it is."""
    days_between_dates: bool = False
    """Are dates a number of days apart? Else an INTERVAL."""
    rounding_casts: bool = False
    """Does CAST to a whole number round? Else it cuts digits off."""
    decimal_fields: bool = False
    """Is a field of a time, such as its hour, a number with a fraction?"""
    window_calls: tuple[str, ...] = ()
    """Functions that assign windows where they stand in SELECT or GROUP BY."""
    prepare: Callable[[list[Token], str], Prepared] = as_it_stands
    """Takes clauses out of a query that sqlglot does not know."""
    completed: Callable[[SourceTable, str], SourceTable] = as_declared
    """What a declaration leaves unsaid; the text is the kind: TABLE, STREAM or SOURCE."""
    generated: Callable[[str, Sequence[str]], dict[str, str]] = no_tables
    """The columns of the tables that a declaration without columns stands for, by its name and its words."""
    timed: Callable[[SourceTable, Collection[str]], SourceTable] = as_completed
    """What a table gets because queries ask for it: the names of all columns and functions in them, in lower case."""
    shared_in_place: bool = False
    """Do columns that USING merges keep their places in `*`? Else they come first."""
    nulls_in_arrays: bool = True
    """Does ARRAY_AGG take NULL, too?"""
    whole_elements: bool = False
    """Does UNNEST of an array of rows give one column with the rows? Else a column for each of their fields."""
    rows_in_select: bool = False
    """Do functions such as generate_series give rows where they stand among the columns of SELECT? Else arrays."""
    missing_is_null: bool = False
    """Has an array no position for what it does not hold? Else that is 0."""
    named_by_alias: bool = False
    """Is the only column of a function in FROM called as its alias?"""
    first_position: int = 1
    """The number of the first element in `a[i]`."""
    row_for_nothing: bool = True
    """Has an aggregate without GROUP BY a row where there is nothing? Streams of rows begin with their first one."""
    names_say_relation: bool = False
    """Does a join call a column of `*`, and one that both sides have, with the name of its relation before it?"""
    implied: frozenset[str] = frozenset()
    """Columns that every stream has without saying so, and that `*` does not stand for."""
    tables_have_versions: bool = False
    """Does a stream meet, in a table, what is there at its own instant?"""
