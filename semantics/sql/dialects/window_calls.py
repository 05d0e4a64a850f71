"""Calls that assign windows: table functions in FROM, and functions in SELECT and GROUP BY."""

from typing import Final

from sqlglot import exp

from semantics.sql.dialects.durations import microseconds
from semantics.sql.dialects.nodes import TableArgument, Windowing, whole
from semantics.sql.dialects.refusals import Refused
from semantics.sql.errors import SqlError, place, wrong

NAMES: Final = ("window_start", "window_end", "window_time")
TABLE_FUNCTIONS: Final = ("TUMBLE", "HOP", "CUMULATE", "SESSION")
NAMED: Final = ("SIZE", "SLIDE", "STEP", "OFFSET", "GAP")


def name_of(node: exp.Expr) -> str:
    """The name of the function that a node calls, or nothing."""
    if not isinstance(node, exp.Anonymous):
        return ""
    return (node.this if isinstance(node.this, str) else str(node.this.name)).upper()


def table_function(node: exp.Expr) -> Windowing | None:
    """TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), size)), or tumble(t, ts, size), as a windowing; None if it is no call."""
    called = node.this
    if name_of(called) == "TABLE" and called.expressions:
        called = called.expressions[0]
    if not isinstance(called, exp.Anonymous):
        return None
    kind = name_of(called)
    if kind not in TABLE_FUNCTIONS:
        raise Refused(f"the function {kind} in FROM", "what it gives is not known here", place(called))
    made = _from_arguments(kind, called)
    made.set("alias", node.args.get("alias"))
    return made


def _from_arguments(kind: str, called: exp.Anonymous) -> Windowing:
    relation, columns, lengths = None, [], []
    keys: list[exp.Expr] = []
    by_name: dict[str, exp.Expr] = {}
    for argument in called.expressions:
        value = argument
        if isinstance(argument, exp.Kwarg | exp.PropertyEQ):
            value = argument.expression
            by_name[str(argument.this.name).upper()] = value
        match value:
            case TableArgument():
                relation, keys = value.this, [*keys, *(value.args.get("keys") or [])]
            case exp.Subquery():
                relation = value
            case exp.Anonymous() if name_of(value) == "DESCRIPTOR":
                columns += value.expressions
            case exp.Column() if relation is None:
                relation = exp.Table(this=value.this.copy())
            case exp.Column():
                columns.append(value)
            case _ if value is argument:
                lengths.append(value)
    if relation is None or not columns:
        raise wrong(called, f"{kind}: a table and a time column are missing", f"{kind}(TABLE t, DESCRIPTOR(ts), …)")
    return _windowing(kind, called, relation, columns[0], [*keys, *columns[1:]], lengths, by_name)


def _windowing(
    kind: str,
    called: exp.Expr,
    relation: exp.Expr,
    time: exp.Expr,
    keys: list[exp.Expr],
    lengths: list[exp.Expr],
    by_name: dict[str, exp.Expr],
) -> Windowing:
    """The lengths stand in an order that depends on the kind, or have names."""
    order = {
        "TUMBLE": ("SIZE", "OFFSET"),
        "HOP": ("SLIDE", "SIZE", "OFFSET"),
        "CUMULATE": ("STEP", "SIZE", "OFFSET"),
        "SESSION": ("GAP",),
    }[kind]
    if len(lengths) > len(order):
        raise wrong(called, f"{kind}: {len(lengths)} durations", f"{', '.join(order).lower()}")
    given = {**dict(zip(order, lengths, strict=False)), **by_name}
    size = given.get("GAP") or given.get("SIZE")
    step = given.get("SLIDE") or given.get("STEP")
    offset = given.get("OFFSET")
    if size is None or (kind in ("HOP", "CUMULATE") and step is None):
        raise wrong(called, f"{kind}: a duration is missing", f"{', '.join(order).lower()}")
    made = windowing(kind, relation, time, size, step, offset)
    made.set("keys", keys)
    return made


def windowing(
    kind: str,
    relation: exp.Expr,
    time: exp.Expr,
    size: exp.Expr,
    slide: exp.Expr | None = None,
    offset: exp.Expr | None = None,
) -> Windowing:
    """A windowing whose lengths are written out."""
    if kind == "SESSION":
        return Windowing(this=relation, kind=kind, time=time, size=_gap(size), slide=1, offset=0, names=NAMES)
    length = microseconds(size)
    step = length if slide is None else microseconds(slide)
    if length <= 0 or step <= 0:
        raise SqlError(f"{kind}: a duration of {min(length, step)} microseconds", "one that is longer than nothing")
    if kind == "CUMULATE" and length % step:
        raise wrong(size, "CUMULATE: the size is no multiple of the step", "a multiple")
    shift = 0 if offset is None else microseconds(offset)
    return Windowing(this=relation, kind=kind, time=time, size=length, slide=step, offset=shift, names=NAMES)


def _gap(size: exp.Expr) -> int | exp.Expr:
    """The gap of sessions in microseconds; where rows differ in it, as an expression."""
    if isinstance(size, exp.Column):
        raise Refused("a gap that is a column", "durations are not read from the text of rows", place(size))
    if not isinstance(size, exp.Case):
        return microseconds(size)
    made = size.copy()
    values = [branch.args["true"] for branch in made.args["ifs"]]
    for value in [*values, *filter(None, [made.args.get("default")])]:
        value.replace(whole(microseconds(value)))
    return made
