"""Plans as text of the language: parsing gives the same plan again, without now-windows."""

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Final, assert_never, cast

from semantics.evaluate import Planned
from semantics.plan import (
    Aggregation,
    Antijoin,
    CountWindow,
    Difference,
    Distinct,
    Dstream,
    Filter,
    FullJoin,
    Grouping,
    Intersection,
    Istream,
    Join,
    LandmarkWindow,
    LeftJoin,
    Map,
    Node,
    PartitionedWindow,
    Plan,
    Product,
    RightJoin,
    Rstream,
    Semijoin,
    Source,
    TimeWindow,
    Union,
)
from semantics.sql.printed_expressions import aggregate_text, expression_text, name_text
from semantics.sql.printed_windows import is_now, window_text

Lines = list[str]
"""Lines of text; a constant may have line breaks of its own, so they are put together only at the end."""

WIDTH: Final = 100
SET_OPERATIONS: Final = {Union: "UNION ALL", Difference: "EXCEPT ALL", Intersection: "INTERSECT ALL"}
JOINS: Final = {
    Product: "CROSS JOIN",
    Join: "JOIN",
    LeftJoin: "LEFT JOIN",
    RightJoin: "RIGHT JOIN",
    FullJoin: "FULL JOIN",
    Semijoin: "SEMI JOIN",
    Antijoin: "ANTI JOIN",
}


def to_sql(query: Planned) -> str:
    """A text that `parse_query` reads back as an equal plan.

    >>> from semantics import source, col, count
    >>> bids = source("Bid", item=int, price=float).window(10)
    >>> print(to_sql(bids.filter(col("price") > 5).group_by("item").aggregate(n=count())))
    SELECT item, COUNT(*) AS n FROM Bid WINDOW(RANGE 10) WHERE price > 5 GROUP BY item
    """
    return "\n".join(_query(without_now_windows(query.plan)))


def without_now_windows(plan: Plan) -> Plan:
    """The same plan without now-windows: they are the identity and have no place in plans (Section 5.2)."""
    if isinstance(plan, TimeWindow) and is_now(plan):
        return without_now_windows(plan.input)
    children = {
        field.name: without_now_windows(cast(Plan, child))
        for field in fields(plan)
        if isinstance(child := getattr(plan, field.name), Node)
    }
    return replace(plan, **children) if children else plan  # type: ignore[arg-type]  # each input is one of its fields


def _query(plan: Plan) -> Lines:
    match plan:
        case Union() | Difference() | Intersection():
            operation = SET_OPERATIONS[type(plan)]
            return _together([*_wrapped(_query(plan.left)), operation, *_wrapped(_query(plan.right))])
        case Istream() | Dstream() | Rstream():
            return _wrapped(_query(plan.input), plan.operator.upper())
        case _:
            return _select(plan)


def _select(plan: Plan) -> Lines:
    """One SELECT for as many operators as fit into it: DISTINCT over items over WHERE over FROM."""
    head = "SELECT"
    if isinstance(plan, Distinct):
        head, plan = "SELECT DISTINCT", plan.input
    shaping = plan if isinstance(plan, Map | Aggregation | Grouping) else None
    plan = shaping.input if shaping else plan
    where = plan if isinstance(plan, Filter) else None
    plan = where.input if where else plan
    columns = [name_text(name) for name in plan.schema.names]
    clauses = [f"{head} {_items(shaping, columns)}", *_prefixed("FROM ", _relations(plan))]
    if where:
        clauses.append(f"WHERE {expression_text(where.predicate, columns)}")
    return _together([*clauses, *_groups(shaping, columns)])


def _items(shaping: Map | Aggregation | Grouping | None, columns: Sequence[str]) -> str:
    match shaping:
        case None:
            return "*"
        case Map(expressions=expressions, names=names):
            return _named([expression_text(expression, columns) for expression in expressions], names)
        case Aggregation(aggregates=aggregates, names=names):
            return _named([aggregate_text(aggregate, columns) for aggregate in aggregates], names)
        case Grouping(keys=keys, aggregates=aggregates, names=names):
            aggregated = [aggregate_text(aggregate, columns) for aggregate in aggregates]
            every = [*(shaping.input.schema.names[key] for key in keys), *names]
            return _named([*(columns[key] for key in keys), *aggregated], every)
        case _:
            assert_never(shaping)


def _named(texts: Sequence[str], names: Sequence[str]) -> str:
    quoted = [name_text(name) for name in names]
    return ", ".join(text if text == name else f"{text} AS {name}" for text, name in zip(texts, quoted, strict=True))


def _groups(shaping: Map | Aggregation | Grouping | None, columns: Sequence[str]) -> Lines:
    if isinstance(shaping, Grouping):
        return [f"GROUP BY {', '.join(columns[key] for key in shaping.keys)}"]
    return ["GROUP BY ()"] if isinstance(shaping, Aggregation) and shaping.on_empty else []


def _relations(plan: Plan) -> Lines:
    """FROM: a chain of joins from left to right, or one stream or query."""
    chain = _chain(plan)
    aliases = _aliases(chain)
    lines, seen = _item(chain[0], aliases[0]), _columns(chain[0], aliases[0])
    for joined, right, alias in zip(_joins(plan), chain[1:], aliases[1:], strict=True):
        there = _columns(right, alias)
        lines += _prefixed(f"{JOINS[type(joined)]} ", _item(right, alias))
        if not isinstance(joined, Product):
            lines[-1] += f" ON {expression_text(joined.condition, _unambiguous([*seen, *there]))}"
        if not isinstance(joined, Semijoin | Antijoin):
            seen = [*seen, *there]
    return lines


Joined = Product | Join | LeftJoin | RightJoin | FullJoin | Semijoin | Antijoin


def _joins(plan: Plan) -> list[Joined]:
    """The joins of a chain, the innermost first."""
    return [*_joins(plan.left), plan] if isinstance(plan, Joined) else []


def _chain(plan: Plan) -> list[Plan]:
    return [*_chain(plan.left), plan.right] if isinstance(plan, Joined) else [plan]


def _aliases(chain: Sequence[Plan]) -> list[str]:
    """A name for each part of a chain: a stream's own if it stands there first, else a new one."""
    if len(chain) == 1:
        return [""]
    streams = [_stream_name(part) for part in chain]
    own = {name: i for i, name in reversed(list(enumerate(streams))) if name}
    free = (f"q{n}" for n in range(1, 2 * len(chain) + 1) if f"q{n}" not in {name.lower() for name in streams})
    return [name if name and _first(own, name) == i else next(free) for i, name in enumerate(streams)]


def _first(own: dict[str, int], name: str) -> int:
    return min(i for other, i in own.items() if other.lower() == name.lower())


def _stream_name(plan: Plan) -> str:
    """The name of the stream that stands in FROM by its name, as it is or under a window."""
    if isinstance(plan, TimeWindow | CountWindow | PartitionedWindow | LandmarkWindow):
        plan = plan.input
    return plan.name if isinstance(plan, Source) else ""


def _columns(plan: Plan, alias: str) -> list[tuple[str, str]]:
    return [(alias, name) for name in plan.schema.names]


def _unambiguous(columns: Sequence[tuple[str, str]]) -> list[str]:
    """Every column's name, with its stream's before it where another one has the same."""
    names = [name.lower() for _, name in columns]
    return [
        name_text(name) if names.count(name.lower()) == 1 else f"{name_text(alias)}.{name_text(name)}"
        for alias, name in columns
    ]


def _item(plan: Plan, alias: str) -> Lines:
    """A stream by its name or a query in parentheses, with its window and its alias."""
    window = ""
    if isinstance(plan, TimeWindow | CountWindow | PartitionedWindow | LandmarkWindow):
        window, plan = f" {window_text(plan)}", plan.input
    if isinstance(plan, Source):
        lines = [name_text(plan.name)]
        alias = "" if alias == plan.name else alias
    elif isinstance(plan, Istream | Dstream | Rstream):
        lines = _query(plan)
    else:
        lines = _wrapped(_query(plan))
    lines[-1] += window + (f" AS {name_text(alias)}" if alias else "")
    return lines


def _wrapped(lines: Lines, before: str = "") -> Lines:
    """In parentheses: on one line if it fits, else further to the right."""
    if len(lines) == 1 and len(lines[0]) < WIDTH:
        return [f"{before}({lines[0]})"]
    return [f"{before}(", *(f"  {line}" for line in lines), ")"]


def _prefixed(before: str, lines: Lines) -> Lines:
    return [before + lines[0], *lines[1:]]


def _together(lines: Lines) -> Lines:
    """All on one line if it fits."""
    joined = " ".join(lines)
    return [joined] if len(joined) < WIDTH and "\n" not in joined else lines
