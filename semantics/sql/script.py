"""Scripts: declarations of streams and tables, derived streams, and one query at the end."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from sqlglot import exp

from semantics.plan import Plan
from semantics.sql.catalogue import Catalogue, Declaration, Derived
from semantics.sql.clocks import clocked
from semantics.sql.declarations import declaration
from semantics.sql.errors import SqlError, one_of, wrong
from semantics.sql.grammar.nodes import CreateDerived, CreateStream, Insert, SetUnit
from semantics.sql.insertion import insert
from semantics.sql.syntax import statements
from semantics.sql.to_plan.queries import query_plan
from semantics.sql.units import TimeUnit, unit_named

Declares = SetUnit | CreateStream | CreateDerived | Insert
"""Statements that are no query."""


def read_script(text: str, catalogue: Catalogue | None = None) -> Catalogue:
    """The catalogue that SET and CREATE statements make, on top of the one given.

    >>> read_script("CREATE STREAM Bid(item INT, price FLOAT, ts BIGINT) ORDERED BY ts").sources
    {'Bid': Schema(columns=(Column(name='item', type=INT), Column(name='price', type=FLOAT)))}
    """
    made = catalogue.copy() if catalogue else Catalogue()
    with _located(text):
        for node in statements(text):
            if not isinstance(node, Declares):
                raise wrong(node, "a query in a script of declarations", "SET TIME UNIT, CREATE STREAM or CREATE TABLE")
            declare(node, made)
    return made


def parse_query(text: str, catalogue: Catalogue | None = None, *, hints: bool = True) -> Plan:
    """The plan of the text's last statement, a query or a derived stream; what is declared before it is known to it.

    Without hints, an error does not say which words would be right: it takes long to try them all.

    >>> from semantics import show
    >>> show(parse_query("CREATE STREAM S(x INT, t INT) ORDERED BY t; SELECT x FROM S WINDOW(RANGE 5) WHERE x > 1"))
    'S(x int) | window(range 5) | filter(x > 1) | map(x as x)'
    """
    return parse_script(text, catalogue, hints=hints).plan


@dataclass(frozen=True)
class Script:
    """A query with everything that it may refer to."""

    catalogue: Catalogue
    plan: Plan


def parse_script(text: str, catalogue: Catalogue | None = None, *, hints: bool = True) -> Script:
    """The plan as `parse_query` gives it, and the catalogue with what the text itself declares."""
    made = catalogue.copy() if catalogue else Catalogue()
    with _located(text):
        return Script(made, _plan(text, made, hints))


def declared_names(text: str) -> tuple[str, ...]:
    """The streams and tables that a text itself declares.

    >>> declared_names("CREATE STREAM S(x INT, t INT) ORDERED BY t; SELECT x FROM S, Other")
    ('S',)
    """
    with _located(text):
        return tuple(
            node.this.name for node in statements(text) if isinstance(node, CreateStream | CreateDerived | Insert)
        )


@contextmanager
def _located(text: str) -> Iterator[None]:
    """Give errors their line and column."""
    try:
        yield
    except SqlError as error:
        raise error.within(text) from None
    except RecursionError:
        raise SqlError("the text is nested too deeply", "fewer levels of parentheses or subqueries") from None


def _plan(text: str, catalogue: Catalogue, hints: bool) -> Plan:
    *before, last = statements(text, hints=hints) or [exp.Null()]
    for node in before:
        if not isinstance(node, Declares):
            raise wrong(node, "a second query follows this one", "one query, at the end")
        declare(node, catalogue)
    if isinstance(last, Declares):
        declare(last, catalogue)
    if isinstance(last, CreateDerived | Insert):
        return _named(last, catalogue).plan
    if isinstance(last, SetUnit | CreateStream | exp.Null):
        raise SqlError("there is no query", "SELECT, WITH, ISTREAM, DSTREAM or RSTREAM", len(text.rstrip()))
    return query_plan(last, catalogue)


def _named(node: CreateDerived | Insert, catalogue: Catalogue) -> Declaration | Derived:
    found = catalogue.find(node.this.name)
    assert found is not None
    return found


def declare(node: SetUnit | CreateStream | CreateDerived | Insert, catalogue: Catalogue) -> None:
    """Enter what a statement declares."""
    if isinstance(node, SetUnit):
        catalogue.unit = _unit(node)
        return
    if isinstance(node, Insert):
        insert(node, catalogue)
        return
    if catalogue.find(node.this.name) is not None:
        raise wrong(node.this, f"there is already a stream or table called {node.this.name}", "another name")
    if isinstance(node, CreateDerived):
        catalogue.add(Derived(node.this.name, query_plan(node.args["query"], catalogue)))
    else:
        made = declaration(node, catalogue)
        clock = node.args.get("clock")
        catalogue.add(made if clock is None else clocked(made, node.args["ordered"], clock, catalogue))


def _unit(node: SetUnit) -> TimeUnit:
    found = unit_named(node.this.name)
    if found is None:
        raise wrong(node.this, f"unknown time unit {node.this.name}", one_of(TimeUnit.__members__))
    return found
