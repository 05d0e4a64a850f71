"""Syntax that only this language has, as nodes of sqlglot's trees."""

from typing import ClassVar, TypeGuard

from sqlglot import exp


class StreamWindow(exp.Expression):
    """WINDOW(…): kind is RANGE, ROWS, LANDMARK or SESSION; size is None where it is UNBOUNDED."""

    arg_types: ClassVar[dict[str, bool]] = {
        "kind": True,
        "size": False,
        "slide": False,
        "partition": False,
        "ties": False,
        "reset": False,
        "touching": False,
        "names": False,
    }


class RowOf(exp.Tuple):
    """ROW(…): a row value as `(a, b)`, but always one value where it stands alone."""


class Duration(exp.Expression):
    """A number and perhaps a unit: `10`, `10 MINUTES`."""

    arg_types: ClassVar[dict[str, bool]] = {"this": True, "unit": False}


class Item(exp.Expression):
    """One stream of FROM: a name, a query or joins in parentheses, with alias, names of columns and window."""

    arg_types: ClassVar[dict[str, bool]] = {
        "this": True,
        "alias": False,
        "columns": False,
        "window": False,
        "lateral": False,
    }


class Unnested(exp.Expression):
    """UNNEST(array) or EXPLODE(array), which leaves rows whole; perhaps WITH ORDINALITY."""

    arg_types: ClassVar[dict[str, bool]] = {"this": True, "whole": False, "numbered": False}


class Joining(exp.Expression):
    """JOIN … ON: the kind is INNER, LEFT, RIGHT, FULL, CROSS, SEMI or ANTI; `using` has names, or none for NATURAL."""

    arg_types: ClassVar[dict[str, bool]] = {"this": True, "kind": True, "on": False, "using": False, "natural": False}


class Chain(exp.Expression):
    """What stands between two commas of FROM: an item and what is joined to it."""

    arg_types: ClassVar[dict[str, bool]] = {"this": True, "expressions": False}


class Relations(exp.Expression):
    """FROM: the chains between the commas."""

    arg_types: ClassVar[dict[str, bool]] = {"expressions": True}


class Streamed(exp.Expression, exp.Query):
    """ISTREAM(query), DSTREAM(query) or RSTREAM(query)."""

    arg_types: ClassVar[dict[str, bool]] = {"this": True, "kind": True}


class CreateStream(exp.Expression):
    """CREATE STREAM or CREATE TABLE with columns."""

    arg_types: ClassVar[dict[str, bool]] = {
        "this": True,
        "table": False,
        "expressions": True,
        "ordered": False,
        "clock": False,
        "valid": False,
        "source": False,
    }


class CreateDerived(exp.Expression):
    """CREATE STREAM name AS query."""

    arg_types: ClassVar[dict[str, bool]] = {"this": True, "query": True}


class Declared(exp.Expression):
    """A column of CREATE: its name, its type's name and its constraints."""

    arg_types: ClassVar[dict[str, bool]] = {"this": True, "type": True, "expressions": False}


class TypeName(exp.Expression):
    """A type: its name and what belongs to it: numbers, the units of an INTERVAL, an element's type, fields."""

    arg_types: ClassVar[dict[str, bool]] = {
        "this": True,
        "numbers": False,
        "units": False,
        "zone": False,
        "expressions": False,
        "fields": False,
    }


class Field(exp.Expression):
    """A field of a ROW type."""

    arg_types: ClassVar[dict[str, bool]] = {"this": True, "type": True}


class TypedText(exp.Expression):
    """A constant that names its type: DATE '2024-01-31'."""

    arg_types: ClassVar[dict[str, bool]] = {"this": True, "type": True}


class IntervalText(exp.Expression):
    """INTERVAL '5' MINUTE, INTERVAL '1-2' YEAR TO MONTH."""

    arg_types: ClassVar[dict[str, bool]] = {"this": True, "units": False, "negative": False}


class ArrayOf(exp.Expression):
    """ARRAY[value, …]."""

    arg_types: ClassVar[dict[str, bool]] = {"expressions": False}


class Constrained(exp.Expression):
    """PRIMARY KEY, UNIQUE, ONCE, NOT NULL or REFERENCES, with the columns that it is about if these are listed."""

    arg_types: ClassVar[dict[str, bool]] = {"kind": True, "columns": False, "table": False, "target": False}


class SetUnit(exp.Expression):
    """SET TIME UNIT."""

    arg_types: ClassVar[dict[str, bool]] = {"this": True}


class Insert(exp.Expression):
    """INSERT INTO name [(column, …)] query."""

    arg_types: ClassVar[dict[str, bool]] = {"this": True, "columns": False, "query": True}


class Values(exp.Expression, exp.Query):
    """VALUES (expression, …), …: the rows are tuples."""

    arg_types: ClassVar[dict[str, bool]] = {"expressions": True}


class Prefixed(exp.Expression, exp.Query):
    """WITH name AS (query), … query."""

    arg_types: ClassVar[dict[str, bool]] = {"this": True, "expressions": True}


class Grouped(exp.Expression):
    """GROUP BY: its keys, none where it is `GROUP BY ()`; and the sets of them, by position, if there are several."""

    arg_types: ClassVar[dict[str, bool]] = {"expressions": False, "sets": False}


class Block(exp.Expression, exp.Query):
    """SELECT … FROM … WHERE … GROUP BY … HAVING …; without FROM, its relations are none."""

    arg_types: ClassVar[dict[str, bool]] = {
        "distinct": False,
        "expressions": True,
        "relations": True,
        "where": False,
        "grouped": False,
        "having": False,
        "qualify": False,
    }


def is_unranked(query: exp.Expr) -> TypeGuard[Block]:
    """Is it a block whose rows are not chosen by their places?"""
    return isinstance(query, Block) and not query.args.get("qualify")


class Limited(exp.Expression, exp.Query):
    """query ORDER BY … LIMIT …: the first rows of each snapshot; without a number the order says nothing."""

    arg_types: ClassVar[dict[str, bool]] = {
        "this": True,
        "expressions": False,
        "count": False,
        "offset": False,
        "ties": False,
    }


class CalledAggregate(exp.Anonymous):
    """A call with ORDER BY inside, or with WITHIN GROUP or FILTER behind it: only aggregates have these."""

    arg_types: ClassVar[dict[str, bool]] = {
        "this": True,
        "expressions": False,
        "order": False,
        "within": False,
        "filter": False,
    }


class Sorted(exp.Expression):
    """An item of ORDER BY: what it sorts by, which way, and where NULLs stand, if that is said."""

    arg_types: ClassVar[dict[str, bool]] = {"this": True, "descending": False, "nulls": False}


class Ranked(exp.Expression):
    """QUALIFY function() OVER (PARTITION BY … ORDER BY …) with the places that are kept, counted from 1."""

    arg_types: ClassVar[dict[str, bool]] = {
        "function": True,
        "partition": False,
        "expressions": False,
        "first": False,
        "last": False,
    }


class OverCall(exp.Expression):
    """call OVER (PARTITION BY … ORDER BY … frame): `preceding` is None where the frame is UNBOUNDED or not said."""

    arg_types: ClassVar[dict[str, bool]] = {
        "this": True,
        "partition": False,
        "expressions": False,
        "unit": False,
        "preceding": False,
    }
