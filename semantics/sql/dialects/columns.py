"""Columns of a block: stars written out, what is asked for of the time, and expressions in this language's words."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from sqlglot import exp

from semantics.functions.table import BY_NAME
from semantics.sql.catalogue import BUILT_IN
from semantics.sql.dialects.aggregate_calls import AGGREGATE_CALLS, aggregate_call
from semantics.sql.dialects.arrays_with_nulls import with_nulls
from semantics.sql.dialects.nested_values import element
from semantics.sql.dialects.nodes import COUNTED_BOUND, as_type, call, is_translated, mark_translated
from semantics.sql.dialects.own_arithmetic import arithmetic
from semantics.sql.dialects.refusals import (
    ARRIVAL,
    PROCESSING_TIME,
    UNKNOWN_FUNCTION,
    NotByEventTime,
    Refused,
    of_column,
)
from semantics.sql.dialects.scope import Scope
from semantics.sql.dialects.shapes import Item, owner
from semantics.sql.dialects.sure_types import SureTypes
from semantics.sql.dialects.text_calls import check_meaning, in_own_words
from semantics.sql.dialects.time_calls import TIME_CALLS, time_call
from semantics.sql.dialects.window_calls import name_of
from semantics.sql.errors import SqlError, place, wrong
from semantics.sql.to_plan.aggregate_names import NAMES

CLOCKS: Final = frozenset(
    "NOW MZ_NOW MZ_LOGICAL_TIMESTAMP CURRENT_TIMESTAMP CURRENT_TIME CURRENT_DATE LOCALTIMESTAMP LOCALTIME"
    " CURRENT_ROW_TIMESTAMP PROCTIME UNIX_TIMESTAMP GETDATE SYSDATE CLOCK_TIMESTAMP".split()
)
BY_ARRIVAL: Final = frozenset("FIRST_VALUE LAST_VALUE FIRST LAST EARLIEST_BY_OFFSET LATEST_BY_OFFSET".split())
CLOCK_NODES: Final = (exp.CurrentTimestamp, exp.CurrentDate, exp.CurrentTime, exp.Localtimestamp)
PLAIN_AGGREGATES: Final = frozenset(
    "COUNT SUM AVG MIN MAX VAR_POP VAR_SAMP VARIANCE STDDEV_POP STDDEV_SAMP STDDEV MEDIAN TOP CORR"
    " PERCENTILE STRING_AGG LISTAGG ARRAY_AGG COLLECT_LIST BOOL_AND BOOL_OR EVERY"
    " ANY_VALUE BIT_AND BIT_OR BIT_XOR FIRST_VALUE LAST_VALUE FIRST LAST MIN_BY MAX_BY ARG_MIN ARG_MAX"
    " APPROX_COUNT_DISTINCT APPROX_PERCENTILE PERCENTILE_CONT PERCENTILE_DISC COUNT_IF COUNTIF"
    " EARLIEST_BY_OFFSET LATEST_BY_OFFSET APPROX_DISTINCT GROUP_CONCAT LOGICAL_AND LOGICAL_OR".split()
) | frozenset((*AGGREGATE_CALLS, *NAMES))

JOINING: Final = ("CONCAT", "CONCAT_WS", "CONCAT_IGNORE_NULLS")
"""Functions that take whole numbers for texts."""
ENDS: Final = ("FIRST_VALUE", "LAST_VALUE", "FIRST", "LAST")
OVER_ONLY: Final = tuple("ROW_NUMBER RANK DENSE_RANK LAG LEAD NTH_VALUE NTILE PERCENT_RANK CUME_DIST".split())
TRANSLATED: Final = (
    *"SPLIT_INDEX GROUPING GROUPING_ID ROW STRUCT AS_VALUE ISNULL ISNOTNULL ELT GENERATE_SERIES".split(),
    *"JSONB_ARRAY_ELEMENTS JSON_ARRAY_ELEMENTS JSONB_ARRAY_ELEMENTS_TEXT JSON_ARRAY_ELEMENTS_TEXT".split(),
    *TIME_CALLS,
    *AGGREGATE_CALLS,
)
KNOWN: Final = frozenset(
    (*(name.upper() for name in BY_NAME), *BUILT_IN, *PLAIN_AGGREGATES, *TRANSLATED, *CLOCKS, *OVER_ONLY)
)


def is_aggregate(node: exp.Expr) -> bool:
    """Is it a call of an aggregate, and not of one over a frame?"""
    if name_of(node) not in PLAIN_AGGREGATES:
        return False
    whole = with_clauses(node)
    return not (isinstance(whole.parent, exp.Window) and whole.parent.this is whole)


def with_clauses(call: exp.Expr) -> exp.Expr:
    """A call with FILTER and the like around it."""
    while isinstance(call.parent, exp.Filter | exp.WithinGroup | exp.IgnoreNulls | exp.RespectNulls):
        call = call.parent
    return call


def own_nodes(node: exp.Expr, *kinds: type[exp.Expr]) -> list[exp.Expr]:
    """The nodes of these kinds that belong to an expression itself and not to a query inside it."""
    return [
        part
        for part in node.walk(prune=lambda n: isinstance(n, exp.Query) and n is not node)
        if isinstance(part, kinds)
    ]


def has_aggregate(node: exp.Expr) -> bool:
    return any(is_aggregate(part) for part in own_nodes(node, exp.Anonymous))


def has_query(node: exp.Expr) -> bool:
    return node.find(exp.Query) is not None


def is_clock(node: exp.Expr) -> bool:
    """Does it ask for the time of now? UNIX_TIMESTAMP of an argument is about that one."""
    return isinstance(node, CLOCK_NODES) or (
        name_of(node) in CLOCKS and not (name_of(node) == "UNIX_TIMESTAMP" and node.expressions)
    )


def clock_name(node: exp.Expr) -> str:
    return name_of(node) or ("CURRENT_TIMESTAMP" if isinstance(node, exp.CurrentTimestamp) else node.key.upper())


def asks_for_now(node: exp.Expr) -> bool:
    return any(is_clock(part) for part in node.walk())


class Columns:
    """Rewrites what stands in a block over some items of FROM."""

    def __init__(
        self,
        scope: Scope,
        items: Sequence[Item],
        around: "Columns | None" = None,
        renamed: Mapping[tuple[str, str], str] = {},
    ) -> None:
        self.scope, self.items, self.around, self.renamed = scope, items, around, renamed
        self.types = SureTypes(items, scope.profile)

    def expression(self, node: exp.Expr) -> exp.Expr:
        """An expression with this language's words for times, windows and functions; subqueries stay as they are."""
        if isinstance(node, exp.Query):
            return node
        for child in list(node.iter_expressions()):
            made = self.expression(child)
            if made is not child:
                child.replace(made)
        return self._one(node)

    def _one(self, node: exp.Expr) -> exp.Expr:
        if isinstance(node, exp.Column):
            return self._column(node)
        if is_clock(node):
            return self._clock(node)
        if isinstance(node, exp.WithinGroup):
            for item in node.find_all(exp.Ordered):  # NULLs are left out anyway
                item.set("nulls_first", not item.args.get("desc"))
        if name_of(node) in ENDS:
            _pass_over_nulls(node)
        if isinstance(node, exp.Bracket):
            return element(node, self.scope.profile)
        if isinstance(node, exp.Substring):
            parts = (node.this, node.args.get("start"), node.args.get("length"))
            node = call("SUBSTRING", *(part for part in parts if part is not None))
        if is_translated(node):
            return node
        name, profile = name_of(node), self.scope.profile
        own = profile.calls(node)
        if own is not node:
            return mark_translated(time_call(own))
        if name and name not in KNOWN and name not in profile.functions and name.lower() not in self.scope.functions:
            raise Refused(f"the function {name}", UNKNOWN_FUNCTION, place(node))
        check_meaning(node, profile.name)
        if name in BY_ARRIVAL and not isinstance(node.parent, exp.Window) and not node.find(exp.Order):
            raise NotByEventTime(f"{name} without ORDER BY", ARRIVAL, place(node))
        if name == "ARRAY_POSITION" and profile.missing_is_null:
            return call("NULLIF", node.copy(), exp.Literal.number(0))
        if name in JOINING or isinstance(node, exp.DPipe):
            for part in [part for part in node.iter_expressions() if self.types.is_integer(part)]:
                part.replace(as_type(part.copy(), "TEXT"))
        if name in profile.functions:
            return time_call(call(profile.functions[name], *node.expressions))
        if profile.nulls_in_arrays:
            kept = with_nulls(node, in_frame=isinstance(with_clauses(node).parent, exp.Window))
            if kept is not node:
                return kept
        if name == "TO_TIMESTAMP" and len(node.expressions) == 1 and self.types.is_integer(node.expressions[0]):
            return time_call(call("TIMESTAMP_SECONDS", node.expressions[0]))
        computed = arithmetic(node, self.types)
        return time_call(aggregate_call(in_own_words(node))) if computed is None else computed

    def _clock(self, node: exp.Expr) -> exp.Expr:
        if clock_name(node) not in self.scope.profile.now:
            raise NotByEventTime(clock_name(node), PROCESSING_TIME, place(node))
        return self.scope.timestamp()

    def _column(self, node: exp.Column) -> exp.Expr:
        whole = self.of_struct(node)
        if whole is not node:
            return whole
        found = owner(self.items, node)
        row = None if found is not None else self._row(node)
        if row is not None:
            return exp.Dot(this=exp.paren(self._column(row), copy=False), expression=node.this.copy())
        reason = None if found is None else found.shape.hidden.get(node.name.lower())
        if reason is not None:
            raise of_column(node.name, reason, place(node))
        if found is not None and found.shape.elements and not found.shape.has(node.name):
            return exp.column(exp.to_identifier(found.alias), table=found.alias)
        other = None if found is None else self.renamed.get((found.alias.lower(), node.name.lower()))
        return node if other is None else exp.column(exp.to_identifier(other))

    def _row(self, node: exp.Column) -> exp.Column | None:
        """The column whose field `r.a` or `t.r.a` is, if it is one."""
        *before, _ = node.parts
        if not before:
            return None
        row = exp.Column(**dict(zip(("this", "table", "db"), [part.copy() for part in reversed(before)], strict=False)))
        return row if owner(self.items, row) is not None or self._row(row) is not None else None

    def of_struct(self, node: exp.Column) -> exp.Column:
        """`w.start`, where w is a window and no relation, as the column that it is; any other as it is."""
        if owner(self.items, node) is not None or not node.table:
            return node
        parts = exp.column(f"{node.table}.{node.name}", table=node.args.get("db"), quoted=True)
        return parts if owner(self.items, parts) is not None else node

    def items_of(self, select: exp.Select) -> list[exp.Expr]:
        """The items of SELECT with stars written out."""
        items = [self._with_relation(item) for item in select.expressions]
        shared = {name.name.lower(): name for j in select.args.get("joins") or [] for name in j.args.get("using") or []}
        return [one for item in items for one in self._expanded(item, shared)]

    def _with_relation(self, item: exp.Expr) -> exp.Expr:
        """A column that both sides of a join have under the names of its relation and its own, where that is usual."""
        if not self.scope.profile.names_say_relation or not isinstance(item, exp.Column) or not item.table:
            return item
        shared = sum(one.shape.has(item.name) for one in self.items) > 1
        return _renamed(item, f"{item.table}_{item.name}") if shared else item

    def _expanded(self, item: exp.Expr, shared: Mapping[str, exp.Identifier]) -> list[exp.Expr]:
        if isinstance(item, exp.Star):
            return self._once(self._all(self.items, item), shared) if shared else self._all(self.items, item)
        if isinstance(item, exp.Column) and isinstance(item.this, exp.Star):
            own = [one for one in self.items if one.alias.lower() == item.table.lower()]
            if not own:
                raise wrong(item, f"unknown table {item.table} before .*", "a table of FROM")
            return self._all(own, item.this)
        return [item]

    def _all(self, items: Iterable[Item], star: exp.Expr) -> list[exp.Expr]:
        left_out = {str(node.name).lower() for node in star.args.get("except_") or []}
        found: list[exp.Expr] = []
        for item in items:
            names = [name for name in item.shape.columns if name.lower() not in left_out]
            if item.shape.elements and not item.shape.columns:
                raise Refused("* over UNNEST without names of columns", "AS alias(column, …)", place(star))
            table = item.alias if len(self.items) > 1 else None
            columns = [exp.column(exp.to_identifier(name), table=table) for name in names]
            if table and self.scope.profile.names_say_relation:
                found += [_renamed(one, f"{table}_{one.name}") for one in columns]
            else:
                found += columns
        if not found:
            raise SqlError("* needs columns", "FROM, with tables that have some")
        return found

    def _once(self, columns: list[exp.Expr], shared: Mapping[str, exp.Identifier]) -> list[exp.Expr]:
        """The columns of `*` where USING has those of both sides only once: before all others, or in their places."""
        places = {name: next(i for i, one in enumerate(columns) if one.name.lower() == name) for name in shared}
        merged = {places[name]: exp.column(identifier.copy()) for name, identifier in shared.items()}
        others = {i: one for i, one in enumerate(columns) if one.name.lower() not in shared}
        if self.scope.profile.shared_in_place:
            return [one for _, one in sorted({**merged, **others}.items(), key=lambda pair: pair[0])]
        return [*merged.values(), *others.values()]

    def role(self, node: exp.Expr) -> str | None:
        """What a column holds of a window, perhaps as a count of milliseconds."""
        if COUNTED_BOUND in node.meta:
            node = exp.column(node.meta[COUNTED_BOUND])
        column = self.of_struct(node) if isinstance(node, exp.Column) else None
        found = None if column is None else owner(self.items, column)
        return None if found is None or column is None else found.shape.window.get(column.name.lower())

    def equates_window(self, node: exp.Expr) -> bool:
        """Is it an equation with the end of a window, or with a start that determines the end, under its alias?"""
        sides = [side for side in (node.this, node.expression) if isinstance(side, exp.Column) and side.table]
        own = [side for side in sides if owner(self.items, side) is not None]
        by_start = all(item.shape.by_start for item in self.items)
        return any(self.role(side) in (("start", "end") if by_start else ("end",)) for side in own)

    def is_time(self, node: exp.Expr) -> bool:
        """Is it a column with the instant of its row?"""
        found = owner(self.items, node) if isinstance(node, exp.Column) else None
        return found is not None and node.name.lower() in found.shape.times


def _pass_over_nulls(call: exp.Expr) -> None:
    """FIRST_VALUE(x ORDER BY t) with NULL last, and LAST_VALUE with NULL first: here NULL is neither first nor last."""
    for item in call.find_all(exp.Ordered):
        nulls_first, descending = bool(item.args.get("nulls_first")), bool(item.args.get("desc"))
        if nulls_first == name_of(call).startswith("LAST") and nulls_first == descending:
            item.set("nulls_first", not descending)


def _renamed(column: exp.Column, name: str) -> exp.Alias:
    return exp.Alias(this=column, alias=exp.to_identifier(name))


def output_name(item: exp.Expr, place: int) -> str:
    """What a column of SELECT is called."""
    if isinstance(item, exp.Alias):
        return str(item.alias)
    if isinstance(item, exp.Column):
        return str(item.name)
    if isinstance(item, exp.Dot):
        return str(item.expression.name)
    name = name_of(item.this if isinstance(item, exp.Filter | exp.Window) else item)
    return name.lower() or f"column_{place}"


def conjuncts(node: exp.Expr | None) -> list[exp.Expr]:
    """The parts of a condition that AND joins."""
    if node is None:
        return []
    if isinstance(node, exp.Paren) and isinstance(node.this, exp.And | exp.Paren):
        return conjuncts(node.this)
    if isinstance(node, exp.And):
        return [*conjuncts(node.this), *conjuncts(node.expression)]
    return [node]


def conjunction(parts: Sequence[exp.Expr]) -> exp.Expr | None:
    """All of them; None if there are none."""
    return exp.and_(*parts, copy=False) if parts else None
