"""One line of text for streams, rows, multisets, schemas, expressions and plans: `parse(show(x)) == x`.

(1, 'a', null)                                            a row
{(1)*2, (3)}                                              a multiset
raw(x int): (1)@0 (3)*40@4                                a raw stream, with 40 copies of its second row
interval(x int): (1)@[0,5) (3)@[4,∞)                      an interval stream
logical(x int) to 6: 1{(1)*2} 4{(3)}                      a logical stream, empty where nothing is said
Bid(item int, price float) | window(range 10) | group(item; max(price) as top)
join(A(x int), B(x int) | distinct; left.x = right.x)     plans
$0:int + 1 > $1:int                                       an expression, its columns by position
"""

from collections.abc import Iterable
from itertools import groupby
from typing import Final, assert_never, get_args

from semantics import plan as op
from semantics.errors import NotationError
from semantics.evaluate import Planned
from semantics.expression import Expression
from semantics.multiset import Multiset
from semantics.notation.parse import BINARY_NAMES, PLACES, SOURCE_WORDS, parse
from semantics.notation.show_aggregate import show_aggregate, show_direction
from semantics.notation.show_expression import show_expression, show_name, show_row, show_schema
from semantics.over import EdgeValue, Frame, FrameAggregate, NeighbourValue, OverFunction, RowPlace
from semantics.plan import Plan
from semantics.schema import Schema
from semantics.scope import Scope
from semantics.stream import IntervalStream, LogicalStream, RawStream
from semantics.time import FOREVER, Interval
from semantics.value import Row, brief

__all__ = ["parse", "show", "show_interval", "show_multiset", "show_plan", "show_step"]

COPIES_AT_A_GLANCE: Final = 3
"""So many equal elements in a row are seen to be so many; more are counted."""

Showable = RawStream | IntervalStream | LogicalStream | Interval | Multiset | Schema | Row | Expression | Plan


def show(thing: Showable | Planned) -> str:
    """The one line of text that `parse` reads back.

    >>> show(parse("raw(x int): (1)@0 (null)@4"))
    'raw(x int): (1)@0 (null)@4'
    """
    match thing:
        case RawStream(schema=schema, elements=elements):
            return _listed(f"raw{show_schema(schema)}:", _folded((show_row(row), str(t)) for row, t in elements))
        case IntervalStream(schema=schema):
            pieces = ((show_row(row), show_interval(interval)) for row, interval in thing.elements)
            return _listed(f"interval{show_schema(schema)}:", _folded(pieces))
        case LogicalStream(schema=schema, snapshots=snapshots):
            shown = [f"{t}{show_multiset(snapshot)}" for t, snapshot in enumerate(snapshots) if snapshot]
            return _listed(f"logical{show_schema(schema)} to {thing.horizon}:", shown)
        case Multiset():
            return show_multiset(thing)
        case Schema():
            return show_schema(thing)
        case tuple():
            return show_row(thing)
        case op.Node():
            return show_plan(thing.plan)
        case Interval():
            return show_interval(thing)
        case _ if isinstance(thing, get_args(Expression)):
            return show_expression(thing)
        case _ if hasattr(thing, "plan"):
            return show_plan(thing.plan)
        case _:
            raise NotationError(f"show: expected a stream, a row, an expression or a plan, got {brief(thing)}")


def _listed(head: str, items: list[str]) -> str:
    return " ".join([head, *items])


def _folded(elements: Iterable[tuple[str, str]]) -> list[str]:
    """Rows with their times, and with a number where many equal ones follow each other.

    >>> _folded([("(1)", "0")] * 3 + [("(2)", "0")] * 40)
    ['(1)@0', '(1)@0', '(1)@0', '(2)*40@0']
    """
    runs = ((element, len(list(copies))) for element, copies in groupby(elements))
    return [text for (row, time), n in runs for text in _copies(row, time, n)]


def _copies(row: str, time: str, n: int) -> list[str]:
    return [f"{row}*{n}@{time}"] if n > COPIES_AT_A_GLANCE else [f"{row}@{time}"] * n


def show_interval(interval: Interval) -> str:
    return f"[{interval.start},{'∞' if interval.end == FOREVER else interval.end})"


def show_multiset(rows: Multiset) -> str:
    """`{(1)*2, (3)}`: rows with their multiplicities, where these are not 1."""
    return "{" + ", ".join(show_row(row) + (f"*{n}" if n > 1 else "") for row, n in rows.items()) + "}"


def show_plan(node: Plan) -> str:
    """A plan as a pipeline; two-sided operators hold both their inputs."""
    step = show_step(node)
    match node.inputs:
        case ():
            return step
        case (only,):
            return f"{show_plan(only)} | {step}"
    name, _, condition = step.partition("(")
    condition = f"; {condition.removesuffix(')')}" if condition else ""
    return f"{name}({', '.join(show_plan(child) for child in node.inputs)}{condition})"


def show_step(node: Plan) -> str:
    """One operator without its inputs."""
    match node:
        case op.Source(name=name, schema=schema):
            return show_name(name, also=SOURCE_WORDS) + show_schema(schema)
        case op.Filter(predicate=predicate, scope=scope):
            return f"filter({show_expression(predicate, scope)})"
        case op.Map(expressions=expressions, names=names, scope=scope):
            texts = [show_expression(expression, scope) for expression in expressions]
            return f"map({_named(texts, names)})"
        case op.Unnest(array=array, scope=scope):
            return f"unnest({show_expression(array, scope)}{_elements(node)})"
        case op.Aggregation(aggregates=aggregates, names=names, scope=scope, on_empty=on_empty):
            texts = [show_aggregate(aggregate, scope) for aggregate in aggregates]
            return f"{'total' if on_empty else 'aggregate'}({_named(texts, names)})"
        case op.Grouping(keys=keys, aggregates=aggregates, names=names, scope=scope):
            texts = [show_aggregate(aggregate, scope) for aggregate in aggregates]
            tail = f"; {_named(texts, names)}" if names else ""
            return f"group({_keys(keys, node.input.schema)}{tail})"
        case op.Limit():
            return f"limit({_places(node)}{_per(node)}{_order(node)})"
        case op.TimeWindow(size=size, slide=slide):
            return f"window(range {'unbounded' if size == FOREVER else size}{_slide(slide)})"
        case op.CountWindow():
            return f"window({_rows(node)})"
        case op.PartitionedWindow(keys=keys):
            return f"window(partition by {_keys(keys, node.input.schema)} {_rows(node)})"
        case op.LandmarkWindow(start=start, reset=reset):
            return f"window(landmark {start}{'' if reset is None else f' reset {reset}'})"
        case op.SessionWindow():
            return f"window({_session(node)})"
        case op.Over(functions=functions, names=names, scope=scope):
            texts = [show_over(function, scope) for function in functions]
            return f"over({_named(texts, names)}{_per(node)}{_order(node)})"
        case op.Distinct() | op.Istream() | op.Dstream() | op.Rstream():
            return node.operator.lower()
        case op.Union() | op.Difference() | op.Intersection() | op.Product():
            return BINARY_NAMES[type(node)]
        case op.Join() | op.LeftJoin() | op.RightJoin() | op.FullJoin() | op.Semijoin() | op.Antijoin():
            return f"{BINARY_NAMES[type(node)]}({show_expression(node.condition, node.scope)})"
        case _:
            assert_never(node)


def show_over(function: OverFunction, scope: Scope) -> str:
    """A function over rows as it stands in a plan: `sum(price) rows 3`."""
    match function:
        case FrameAggregate(aggregate=aggregate, frame=frame):
            return f"{show_aggregate(aggregate, scope)} {_frame(frame)}"
        case EdgeValue(edge=edge, argument=argument, frame=frame):
            return f"{edge}({show_expression(argument, scope)}) {_frame(frame)}"
        case NeighbourValue(argument=argument, distance=distance):
            return f"{'lag' if distance < 0 else 'lead'}({show_expression(argument, scope)}, {abs(distance)})"
        case RowPlace(ranking=ranking):
            return next(f"{word}()" for word, other in PLACES.items() if other == ranking)
        case _:
            assert_never(function)


def _frame(frame: Frame) -> str:
    return f"{frame.unit} {'unbounded' if frame.preceding == FOREVER else frame.preceding}"


def _session(node: op.SessionWindow) -> str:
    keys = f"partition by {_keys(node.keys, node.schema)} " if node.keys else ""
    usual = node.names == ("session_start", "session_end")
    names = "" if usual else f" as {', '.join(map(show_name, node.names))}"
    return f"{keys}session {node.gap}{' touching' if node.touching else ''}{names}"


def _elements(node: op.Unnest) -> str:
    number = f" numbered {show_name(node.names[1])}" if node.numbered else ""
    return f" as {show_name(node.names[0])}{number}{' or null' if node.outer else ''}"


def _named(texts: list[str], names: tuple[str, ...]) -> str:
    return ", ".join(f"{text} as {show_name(name)}" for text, name in zip(texts, names, strict=True))


def _keys(keys: tuple[int, ...], schema: Schema) -> str:
    return ", ".join(show_name(schema.names[key]) for key in keys)


def _places(node: op.Limit) -> str:
    count = "all" if node.count is None else str(node.count)
    ties = {"rows": "", "rank": " with ties", "dense": " values"}[node.ranking]
    return count + ties + (f" after {node.offset}" if node.offset else "")


def _per(node: op.Limit | op.Over) -> str:
    return f" per {_keys(node.keys, node.schema)}" if node.keys else ""


def _order(node: op.Limit | op.Over) -> str:
    shown = ", ".join(show_name(node.schema.names[key.column]) + show_direction(key) for key in node.order)
    return f"; {shown}" if shown else ""


def _rows(node: op.CountWindow | op.PartitionedWindow) -> str:
    return f"rows {node.rows}{' with ties' if node.ties else _slide(node.slide)}"


def _slide(slide: int) -> str:
    return "" if slide == 1 else f" slide {slide}"
