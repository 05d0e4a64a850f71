"""Plans as text of the language: parsing gives the same plan again, without now-windows."""

from collections.abc import Sequence
from typing import Final, assert_never

from semantics import plan as op
from semantics.evaluate import Planned
from semantics.plan import Plan
from semantics.sql.catalogue import Catalogue
from semantics.sql.names import name_text
from semantics.sql.to_text.aggregates import aggregate_text
from semantics.sql.to_text.expressions import expression_text
from semantics.sql.to_text.in_catalogue import check_known
from semantics.sql.to_text.join_chains import aliases, chain_of, columns, joins, unambiguous
from semantics.sql.to_text.limits import limit_text, qualify_text
from semantics.sql.to_text.over_functions import over_text
from semantics.sql.to_text.windows import Window, is_now, window_text
from semantics.sql.units import TimeUnit

Lines = list[str]
"""Lines of text; a constant may have line breaks of its own, so they are put together only at the end."""

WIDTH: Final = 100
SET_OPERATIONS: Final = {op.Union: "UNION ALL", op.Difference: "EXCEPT ALL", op.Intersection: "INTERSECT ALL"}
JOINS: Final = {
    op.Product: "CROSS JOIN",
    op.Join: "JOIN",
    op.LeftJoin: "LEFT JOIN",
    op.RightJoin: "RIGHT JOIN",
    op.FullJoin: "FULL JOIN",
    op.Semijoin: "SEMI JOIN",
    op.Antijoin: "ANTI JOIN",
}


def to_sql(query: Planned, catalogue: Catalogue | None = None) -> str:
    """A text that `parse_query` reads back as an equal plan.

    With a catalogue the text is sure to be read by it: durations are in its units, and a stream or function that
    it lacks is an error.

    >>> from semantics import source, col, count
    >>> bids = source("Bid", item=int, price=float).window(10)
    >>> print(to_sql(bids.filter(col("price") > 5).group_by("item").aggregate(n=count())))
    SELECT item, COUNT(*) AS n FROM Bid WINDOW(RANGE 10) WHERE price > 5 GROUP BY item
    """
    plan = without_now_windows(query.plan)
    if catalogue:
        check_known(plan, catalogue)
    return "\n".join(Printer(catalogue.unit if catalogue else None).query(plan))


def without_now_windows(plan: Plan) -> Plan:
    """The same plan without now-windows: they are the identity and have no place in plans (Section 5.2)."""
    if isinstance(plan, op.TimeWindow) and is_now(plan):
        return without_now_windows(plan.input)
    return plan.with_inputs(*map(without_now_windows, plan.inputs))


class Printer:
    """Writes queries whose durations are in this unit."""

    def __init__(self, unit: TimeUnit | None) -> None:
        self.unit = unit

    def query(self, plan: Plan) -> Lines:
        """Any plan as a query."""
        match plan:
            case op.Union() | op.Difference() | op.Intersection():
                left, right = _wrapped(self.query(plan.left)), _wrapped(self.query(plan.right))
                return _together([*left, SET_OPERATIONS[type(plan)], *right])
            case op.Limit():
                return self._limited(plan)
            case op.Istream() | op.Dstream() | op.Rstream():
                return _wrapped(self.query(plan.input), plan.operator.upper())
            case (
                op.Source()
                | op.Filter()
                | op.Map()
                | op.Distinct()
                | op.Aggregation()
                | op.Grouping()
                | op.Product()
                | op.Join()
                | op.LeftJoin()
                | op.RightJoin()
                | op.FullJoin()
                | op.Semijoin()
                | op.Antijoin()
                | op.TimeWindow()
                | op.CountWindow()
                | op.PartitionedWindow()
                | op.LandmarkWindow()
                | op.SessionWindow()
            ):
                return self._select(plan)
            case op.Over():
                return self._over(plan)
            case op.Unnest():
                return self._unnested(plan)
            case _:
                assert_never(plan)

    def _select(self, plan: Plan) -> Lines:
        """One SELECT for as many operators as fit into it: DISTINCT over items over WHERE over FROM."""
        head = "SELECT"
        if isinstance(plan, op.Distinct):
            head, plan = "SELECT DISTINCT", plan.input
        shaping = plan if isinstance(plan, op.Map | op.Aggregation | op.Grouping) else None
        plan = shaping.input if shaping else plan
        where = plan if isinstance(plan, op.Filter) else None
        plan = where.input if where else plan
        names = [name_text(name) for name in plan.schema.names]
        clauses = [f"{head} {_items(shaping, names)}", *_prefixed("FROM ", self._relations(plan))]
        if where:
            clauses.append(f"WHERE {expression_text(where.predicate, names)}")
        return _together([*clauses, *_groups(shaping, names)])

    def _over(self, plan: op.Over) -> Lines:
        """SELECT *, and what is computed over the rows."""
        names = [name_text(name) for name in plan.input.schema.names]
        made = _named([over_text(function, plan, names, self.unit) for function in plan.functions], plan.names)
        return _together([f"SELECT *, {made}", *_prefixed("FROM ", self._relations(plan.input))])

    def _unnested(self, plan: op.Unnest) -> Lines:
        """SELECT * from what is below and the elements; UNNEST would make columns of the fields of rows."""
        names = [name_text(name) for name in plan.input.schema.names]
        taken = {alias.lower() for alias in aliases(chain_of(plan.input))}
        alias = next(name for name in ("u", *(f"u{i}" for i in range(2, len(taken) + 3))) if name not in taken)
        element = plan.array.type.element
        word = "UNNEST" if element is None or element.fields is None else "EXPLODE"
        number = " WITH ORDINALITY" if plan.numbered else ""
        made = (
            f"{word}({expression_text(plan.array, names)}){number} AS {alias}({', '.join(map(name_text, plan.names))})"
        )
        join = f"LEFT JOIN {made} ON TRUE" if plan.outer else f"CROSS JOIN {made}"
        return _together(["SELECT *", *_prefixed("FROM ", self._relations(plan.input)), join])

    def _limited(self, plan: op.Limit) -> Lines:
        """ORDER BY … LIMIT where that can say it, else QUALIFY."""
        if plan.keys or plan.count is None or plan.ranking == "dense" or (plan.ranking == "rank" and not plan.order):
            names = [name_text(name) for name in plan.schema.names]
            return _together(["SELECT *", *_prefixed("FROM ", self._relations(plan.input)), qualify_text(plan, names)])
        below = self.query(plan.input)
        return _together([*(_wrapped(below) if isinstance(plan.input, op.Limit) else below), *limit_text(plan)])

    def _relations(self, plan: Plan) -> Lines:
        """FROM: a chain of joins from left to right, or one stream or query."""
        parts = chain_of(plan)
        first, *others = aliases(parts)
        lines, seen = self._item(parts[0], first), columns(parts[0], first)
        for joined, right, alias in zip(joins(plan), parts[1:], others, strict=True):
            both = [*seen, *columns(right, alias)]
            lines += _prefixed(f"{JOINS[type(joined)]} ", self._item(right, alias))
            if not isinstance(joined, op.Product):
                lines[-1] += f" ON {expression_text(joined.condition, unambiguous(both))}"
            if not isinstance(joined, op.Semijoin | op.Antijoin):
                seen = both
        return lines

    def _item(self, plan: Plan, alias: str) -> Lines:
        """A stream by its name or a query in parentheses, with its window and its alias."""
        window = ""
        if isinstance(plan, Window):
            window, plan = f" {window_text(plan, self.unit)}", plan.input
        if isinstance(plan, op.Source):
            lines = [name_text(plan.name)]
            alias = "" if alias == plan.name else alias
        elif isinstance(plan, op.Istream | op.Dstream | op.Rstream):
            lines = self.query(plan)
        else:
            lines = _wrapped(self.query(plan))
        lines[-1] += window + (f" AS {name_text(alias)}" if alias else "")
        return lines


def _items(shaping: op.Map | op.Aggregation | op.Grouping | None, columns: Sequence[str]) -> str:
    match shaping:
        case None:
            return "*"
        case op.Map(expressions=expressions, names=names):
            return _named([expression_text(expression, columns) for expression in expressions], names)
        case op.Aggregation(aggregates=aggregates, names=names):
            return _named([aggregate_text(aggregate, columns) for aggregate in aggregates], names)
        case op.Grouping(keys=keys, aggregates=aggregates, names=names):
            aggregated = [aggregate_text(aggregate, columns) for aggregate in aggregates]
            every = [*(shaping.input.schema.names[key] for key in keys), *names]
            return _named([*(columns[key] for key in keys), *aggregated], every)
        case _:
            assert_never(shaping)


def _named(texts: Sequence[str], names: Sequence[str]) -> str:
    quoted = [name_text(name) for name in names]
    return ", ".join(text if text == name else f"{text} AS {name}" for text, name in zip(texts, quoted, strict=True))


def _groups(shaping: op.Map | op.Aggregation | op.Grouping | None, columns: Sequence[str]) -> Lines:
    if isinstance(shaping, op.Grouping):
        return [f"GROUP BY {', '.join(columns[key] for key in shaping.keys)}"]
    return ["GROUP BY ()"] if isinstance(shaping, op.Aggregation) and shaping.on_empty else []


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
