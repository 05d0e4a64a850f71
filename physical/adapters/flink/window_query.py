"""Plans as SQL over Flink's own windows: subqueries have the window's columns, and are grouped or joined by them."""

from collections.abc import Mapping
from typing import Final

from physical.adapters.flink.batch_engine import FlinkDialect
from physical.adapters.flink.databases import SHIFT
from physical.adapters.sql.expressions import sql_expression
from physical.adapters.sql.snapshot_query import JOINS, columns_of, named
from semantics import FOREVER, Expression, Plan
from semantics import plan as op

WINDOW: Final = "window_start, window_end, window_time"
SAME: Final = "l.window_start = r.window_start AND l.window_end = r.window_end"
SIDES: Final[Mapping[type[Plan], str]] = {op.RightJoin: "r.{0}", op.FullJoin: "coalesce(l.{0}, r.{0})"}
"""Where the window of a joined row is, if the left side may be padded."""
Joined = op.Product | op.Join | op.LeftJoin | op.RightJoin | op.FullJoin


def has_window_query(plan: Plan) -> bool:
    """Is there a window just above every source, all of them alike, and nothing else that looks back?"""
    windows = {(node.size, node.slide) for node in plan.walk() if isinstance(node, op.TimeWindow)}
    return len(windows) == 1 and _is_windowed(plan)


def _is_windowed(plan: Plan) -> bool:
    match plan:
        case op.TimeWindow(size=size, slide=slide):
            return isinstance(plan.input, op.Source) and size != FOREVER and int(size) % slide == 0
        case op.Aggregation(on_empty=False) | op.Filter() | op.Map() | op.Distinct() | op.Grouping() | op.Rstream():
            return _is_windowed(plan.input)
        case op.Union() | op.Semijoin() | op.Antijoin() | op.Product() | op.Join() | op.LeftJoin() | op.RightJoin():
            return all(map(_is_windowed, plan.inputs))
        case op.FullJoin():
            return all(map(_is_windowed, plan.inputs))
        case _:
            return False


class WindowQuery:
    """Writes plans over tables with event times."""

    def __init__(self, dialect: FlinkDialect, tables: Mapping[str, str]) -> None:
        self.dialect, self.tables = dialect, tables

    def text(self, plan: Plan) -> str:
        match plan:
            case op.TimeWindow(size=size, slide=slide, input=op.Source(name=name)):
                return self._window(self.tables[name], int(size), slide, len(plan.schema))
            case op.Filter(predicate=predicate):
                return f"SELECT * FROM {self._below(plan)} WHERE {self._say(plan, predicate)}"
            case op.Map(expressions=expressions):
                made = named([self._say(plan, expression) for expression in expressions])
                return f"SELECT {made}, {WINDOW} FROM {self._below(plan)}"
            case op.Rstream():
                return self.text(plan.input)
            case op.Distinct():
                keys = ", ".join(f"c{i}" for i in range(len(plan.schema)))
                return f"SELECT {keys}, {WINDOW} FROM {self._below(plan)} GROUP BY {keys}, {WINDOW}"
            case op.Aggregation() | op.Grouping():
                return self._grouped(plan)
            case op.Union():
                return f"({self.text(plan.left)}) UNION ALL ({self.text(plan.right)})"
            case op.Product() | op.Join() | op.LeftJoin() | op.RightJoin() | op.FullJoin():
                return self._joined(plan)
            case op.Semijoin() | op.Antijoin():
                word = "EXISTS" if isinstance(plan, op.Semijoin) else "NOT EXISTS"
                partners = f"SELECT * FROM {self._below(plan, 1)} WHERE {SAME} AND {self._say(plan, plan.condition)}"
                return f"SELECT * FROM {self._below(plan)} WHERE {word} ({partners})"
            case _:
                raise AssertionError(f"{plan.operator} has no query over windows")

    def _window(self, table: str, size: int, slide: int, width: int) -> str:
        """A window that ends just after a multiple of the slide, as it includes its right end in our terms."""
        columns = ", ".join(f"c{i}" for i in range(width))
        offset = (1 - size + SHIFT) % slide
        spans = ", ".join(f"INTERVAL '{seconds}' SECOND(6)" for seconds in (slide, size))
        later = f", INTERVAL '{offset}' SECOND(6)" if offset else ""
        return f"SELECT {columns}, {WINDOW} FROM TABLE(HOP(TABLE {table}, DESCRIPTOR(ts), {spans}{later}))"

    def _below(self, plan: Plan, index: int = 0) -> str:
        return f"({self.text(plan.inputs[index])}) AS {'lr'[index]}"

    def _say(self, plan: Plan, expression: Expression) -> str:
        return sql_expression(expression, columns_of(plan), self.dialect)

    def _grouped(self, plan: op.Aggregation | op.Grouping) -> str:
        keys = [f"l.c{key}" for key in plan.keys] if isinstance(plan, op.Grouping) else []
        arguments = [None if a.argument is None else self._say(plan, a.argument) for a in plan.aggregates]
        pairs = zip(plan.aggregates, arguments, strict=True)
        made = named([*keys, *(self.dialect.aggregate(aggregate, argument or "") for aggregate, argument in pairs)])
        return f"SELECT {made}, {WINDOW} FROM {self._below(plan)} GROUP BY {', '.join([*keys, WINDOW])}"

    def _joined(self, plan: Joined) -> str:
        on = "" if isinstance(plan, op.Product) else f" AND {self._say(plan, plan.condition)}"
        side = SIDES.get(type(plan), "l.{0}")
        window = ", ".join(f"{side.format(name)} AS {name}" for name in WINDOW.split(", "))
        tables = f"{self._below(plan)} {JOINS[type(plan)]} {self._below(plan, 1)}"
        return f"SELECT {named(columns_of(plan))}, {window} FROM {tables} ON {SAME}{on}"
