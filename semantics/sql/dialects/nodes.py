"""What dialects have in common and sqlglot's trees have no node for."""

from typing import ClassVar, Final

from sqlglot import exp

_TRANSLATED: Final = "in own words"
COUNTED_BOUND: Final = "counted bound"
"""Beside an expression: the column with a window's start or end that it counts in another unit."""


class TableArgument(exp.Expression):
    """TABLE t [PARTITION BY a, b] as an argument of a function."""

    arg_types: ClassVar[dict[str, bool]] = {"this": True, "keys": False}


OF_EACH_ROW = "SESSION OF EACH ROW"


class Windowing(exp.Expression):
    """A relation whose rows get the columns of their windows.

    The kind is TUMBLE, HOP, CUMULATE, SESSION or OF_EACH_ROW; sizes are in microseconds. `time` is the column that
    windows are about; `names` says what the columns of the window are called, for start, end and time. With
    `since_epoch` no window begins before 1970. `grace` is how long a window takes rows after its end, if that is said.
    Those that are `apart` hide columns of the relation with their names.
    """

    arg_types: ClassVar[dict[str, bool]] = {
        "this": True,
        "kind": True,
        "time": True,
        "size": True,
        "slide": False,
        "offset": False,
        "keys": False,
        "strict": False,
        "names": True,
        "alias": False,
        "since_epoch": False,
        "grace": False,
        "apart": False,
    }


class InOwnWords(exp.Expression, exp.Query):
    """A query that is text of this language already; `reads` are the relations in it that stand nowhere else."""

    arg_types: ClassVar[dict[str, bool]] = {"this": True, "reads": False}


class Held(exp.Expression):
    """A relation of FROM with one of this language's windows behind it: `Bid AS b WINDOW(RANGE UNBOUNDED)`."""

    arg_types: ClassVar[dict[str, bool]] = {"this": True, "window": True}


def time_now() -> exp.Column:
    """NOW, the instant, as this language calls it."""
    return exp.column(exp.to_identifier("NOW"))


def whole(number: int) -> exp.Expr:
    """A whole number, perhaps below 0."""
    literal = exp.Literal.number(abs(number))
    return exp.Neg(this=literal) if number < 0 else literal


def plus(left: exp.Expr, number: int) -> exp.Expr:
    """A sum with a whole number, or the left side alone where that is 0."""
    if number == 0:
        return left
    return exp.Add(this=left, expression=whole(number)) if number > 0 else exp.Sub(this=left, expression=whole(-number))


def call(name: str, *arguments: exp.Expr) -> exp.Anonymous:
    return exp.Anonymous(this=name, expressions=list(arguments))


def as_type(node: exp.Expr, name: str) -> exp.Cast:
    return exp.Cast(this=node, to=exp.DataType.build(name))


def mark_translated(node: exp.Expr) -> exp.Expr:
    """What is said in this language's words already: a tree that is translated again keeps it."""
    for part in node.find_all(exp.Anonymous, exp.Case):
        part.meta[_TRANSLATED] = True
    return node


def is_translated(node: exp.Expr) -> bool:
    return _TRANSLATED in node.meta
