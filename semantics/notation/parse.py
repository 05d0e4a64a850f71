"""Reads the notation: `parse` for anything, `parse_expression` where the columns have names."""

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal

from semantics import aggregate as agg
from semantics import plan as op
from semantics.depth_limit import too_deep
from semantics.errors import NotationError
from semantics.expression import Expression
from semantics.multiset import Multiset
from semantics.notation.parse_aggregate import AggregateReader
from semantics.notation.parse_expression import Functions, T
from semantics.notation.show_expression import explained
from semantics.notation.tokens import Cursor
from semantics.ordering import Ranking, SortKey
from semantics.over import EdgeValue, Frame, FrameAggregate, NeighbourValue, OverFunction, RowPlace
from semantics.plan import Plan
from semantics.schema import Schema
from semantics.scope import Scope
from semantics.stream import IntervalStream, LogicalStream, RawStream
from semantics.time import FOREVER, End, Interval
from semantics.types import Type
from semantics.value import Row, brief

BINARY_NAMES: Final[dict[type, str]] = {
    op.Union: "union",
    op.Difference: "difference",
    op.Intersection: "intersection",
    op.Product: "product",
    op.Join: "join",
    op.LeftJoin: "leftjoin",
    op.RightJoin: "rightjoin",
    op.FullJoin: "fulljoin",
    op.Semijoin: "semijoin",
    op.Antijoin: "antijoin",
}
PLACES: Final[Mapping[str, Ranking]] = {"row_number": "rows", "rank": "rank", "dense_rank": "dense"}
NEIGHBOURS: Final[Mapping[str, int]] = {"lag": -1, "lead": 1}
EDGES: Final[tuple[Literal["first", "last"], ...]] = ("first", "last")
SOURCE_WORDS: Final = frozenset([*BINARY_NAMES.values(), "raw", "interval", "logical"])
"""Words that mean something where a source may stand."""

LARGEST_READ_NUMBER: Final = 1_000_000
"""The largest horizon and multiplicity that are read: both take memory, and a typo must not take all of it."""

_WITHOUT_CONDITION: Final = (op.Union, op.Difference, op.Intersection, op.Product)
_PLAIN_STEPS: Final[Mapping[str, Callable[[Plan], Plan]]] = {
    "distinct": op.Distinct,
    "istream": op.Istream,
    "dstream": op.Dstream,
    "rstream": op.Rstream,
}


def parse(text: str, functions: Functions = {}) -> Any:
    """Whatever this line of text denotes; user-defined functions in it are looked up by name.

    >>> parse("{(1)*2}"), parse("(1, 'a')")
    (Multiset({(1,): 2}), (1, 'a'))
    """
    return _parse(text, functions, lambda reader: reader.anything())


def parse_plan(text: str, functions: Functions = {}) -> Plan:
    """The plan that a line of text denotes."""
    return _parse(text, functions, lambda reader: reader.plan())


def parse_expression(text: str, scope: Scope, functions: Functions = {}) -> Expression:
    """The expression that a line of text denotes over the columns of a scope."""

    def read(reader: PlanReader) -> Expression:
        with explained("parse", scope):
            return reader.expression(scope)

    return _parse(text, functions, read)


def parse_type(text: str) -> Type:
    """The type that a text names.

    >>> parse_type("decimal(10, 2)"), parse_type("array<int>")
    (DECIMAL(10, 2), ARRAY<INT>)
    """
    return _parse(text, {}, lambda reader: reader.column_type())


def _parse(text: str, functions: Functions, read: "Callable[[PlanReader], T]") -> T:
    if not isinstance(text, str):
        raise NotationError(f"parse: expected a text, got {brief(text)}")
    cursor = Cursor(text)
    try:
        result = read(PlanReader(cursor, functions))
        deep = not isinstance(result, RawStream | IntervalStream | LogicalStream) and too_deep(result)
    except RecursionError:
        deep = True
    if deep:
        raise NotationError(f"the text is nested too deeply: {text[:40]}…")
    cursor.take_end()
    return result


class PlanReader(AggregateReader):
    """Reads streams and plans as well."""

    def anything(self) -> object:
        cursor = self.cursor
        for word, read in (("raw", self._raw), ("interval", self._interval), ("logical", self._logical)):
            if cursor.sees(word, "("):
                cursor.take(word)
                return read()
        if cursor.sees("{"):
            return Multiset.sum(self._items())
        return self._first_fit([self.row, self.schema, self.plan, lambda: self.expression(None)])

    def _first_fit(self, readings: list[Callable[[], object]]) -> object:
        """The first reading that takes the whole text; if none does, the error of the last that got furthest."""
        failures: list[tuple[int, NotationError]] = []
        for read in readings:
            self.cursor.index = 0
            try:
                result = read()
                self.cursor.take_end()
                return result
            except NotationError as error:
                failures.append((self.cursor.index, error))
        raise max(reversed(failures), key=lambda failure: failure[0])[1]

    def _raw(self) -> RawStream:
        schema = self.schema()
        self.cursor.take(":")
        return RawStream(schema, self._elements(lambda: self.cursor.take_int("an instant")))

    def _interval(self) -> IntervalStream:
        schema = self.schema()
        self.cursor.take(":")
        return IntervalStream(schema, self._elements(self._span))

    def _elements(self, time: Callable[[], T]) -> list[tuple[Row, T]]:
        elements = []
        while self.cursor.sees("("):
            row, n = self._item()
            self.cursor.take("@")
            elements += [(row, time())] * n
        return elements

    def _span(self) -> Interval:
        self.cursor.take("[")
        start = self.cursor.take_int("an instant")
        self.cursor.take(",")
        end: End = FOREVER if self.cursor.skip("∞") else self.cursor.take_int("an instant or ∞")
        self.cursor.take(")")
        return Interval(start, end)

    def _logical(self) -> LogicalStream:
        schema = self.schema()
        self.cursor.take("to")
        horizon = self.cursor.take_int("a horizon")
        if horizon > LARGEST_READ_NUMBER:
            raise NotationError(f"logical: the horizon may be {LARGEST_READ_NUMBER} at most, got {horizon}")
        self.cursor.take(":")
        snapshots = self.snapshots(schema, horizon)
        return LogicalStream(schema, tuple(snapshots.get(t, Multiset()) for t in range(horizon)))

    def snapshots(self, schema: Schema, horizon: int) -> dict[int, Multiset]:
        """Instants with the multisets they hold: `1{(3)*2} 4{(1)}`."""
        found: dict[int, Multiset] = {}
        last = -1
        while self.cursor.here.kind == "int":
            if not last < int(self.cursor.here.text[:30]) < horizon:
                self.cursor.fail(f"a later instant before the horizon {horizon}")
            last = self.cursor.take_int()
            rows = self._items()
            found[last] = Multiset.sum((schema.row(row, f"logical: instant {last}"), n) for row, n in rows)
        return found

    def _items(self) -> tuple[tuple[Row, int], ...]:
        self.cursor.take("{")
        if self.cursor.skip("}"):
            return ()
        items = self.separated(",", self._item)
        self.cursor.take("}")
        return items

    def _item(self) -> tuple[Row, int]:
        row = self.row()
        n = self.cursor.take_int("a multiplicity") if self.cursor.skip("*") else 1
        if n > LARGEST_READ_NUMBER:
            raise NotationError(f"a multiplicity may be {LARGEST_READ_NUMBER} at most, got {n}")
        return (row, n)

    def plan(self) -> Plan:
        node = self._operand()
        while self.cursor.skip("|"):
            node = self._step(node)
        return node

    def _operand(self) -> Plan:
        for kind, name in BINARY_NAMES.items():
            if self.cursor.skip(name, "("):
                node = self._binary(kind)
                self.cursor.take(")")
                return node
        return op.Source(self.cursor.take_name("a source or a two-sided operator"), self.schema())

    def _binary(self, kind: type) -> Plan:
        left = self.plan()
        self.cursor.take(",")
        right = self.plan()
        if kind in _WITHOUT_CONDITION:
            node: Plan = kind(left, right)
            return node
        self.cursor.take(";")
        joined: Plan = kind(left, right, self._condition(kind.__name__, Scope(left.schema, right.schema)))
        return joined

    def _explained(self, operator: str, scope: Scope) -> Expression:
        with explained(operator, scope):
            return self.expression(scope)

    def _condition(self, operator: str, scope: Scope) -> Expression:
        """An expression up to the closing parenthesis: what cannot be read is told before its beginning is judged."""
        condition = self._explained(operator, scope)
        if not self.cursor.sees(")"):
            self.cursor.fail("an operator or ')'")
        return condition

    def _step(self, node: Plan) -> Plan:
        for name, make in _PLAIN_STEPS.items():
            if self.cursor.skip(name):
                return make(node)
        steps: dict[str, Callable[[Plan], Plan]] = {
            "filter": self._filter,
            "map": self._map,
            "unnest": self._unnest,
            "aggregate": lambda n: op.Aggregation(n, *self._aggregates("Aggregation", n)),
            "total": lambda n: op.Aggregation(n, *self._aggregates("Aggregation", n), on_empty=True),
            "group": self._group,
            "limit": self._limit,
            "over": self._over,
            "window": self._window,
        }
        for name, read in steps.items():
            if self.cursor.skip(name, "("):
                result = read(node)
                self.cursor.take(")")
                return result
        self.cursor.fail(f"an operator: {', '.join([*steps, *_PLAIN_STEPS])}")

    def _filter(self, node: Plan) -> op.Filter:
        return op.Filter(node, self._condition("Filter", Scope(node.schema)))

    def _map(self, node: Plan) -> op.Map:
        columns = self.separated(",", lambda: (self._explained("Map", Scope(node.schema)), self._alias()))
        return op.Map(node, tuple(e for e, _ in columns), tuple(name for _, name in columns))

    def _unnest(self, node: Plan) -> op.Unnest:
        """unnest(expression as name [numbered name] [or null])"""
        array, name = self._explained("Unnest", Scope(node.schema)), self._alias()
        names = (name, self.cursor.take_name()) if self.cursor.skip("numbered") else (name,)
        return op.Unnest(node, array, names, self.cursor.skip("or", "null"))

    def _alias(self) -> str:
        self.cursor.take("as")
        return self.cursor.take_name()

    def _aggregates(self, operator: str, node: Plan) -> tuple[tuple[agg.Aggregate, ...], tuple[str, ...]]:
        def read() -> tuple[agg.Aggregate, str]:
            with explained(operator, Scope(node.schema)):
                return (self.aggregate(Scope(node.schema)), self._alias())

        pairs = self.separated(",", read)
        return tuple(a for a, _ in pairs), tuple(name for _, name in pairs)

    def _group(self, node: Plan) -> op.Grouping:
        keys = self._keys("Grouping", node)
        aggregates, names = self._aggregates("Grouping", node) if self.cursor.skip(";") else ((), ())
        return op.Grouping(node, keys, aggregates, names)

    def _keys(self, operator: str, node: Plan) -> tuple[int, ...]:
        return self.separated(",", lambda: node.schema.index(self.cursor.take_name("a column name"), operator))

    def _limit(self, node: Plan) -> op.Limit:
        cursor = self.cursor
        count = None if cursor.skip("all") else cursor.take_int("a number of rows or 'all'")
        ranking: Ranking = "rank" if cursor.skip("with", "ties") else "dense" if cursor.skip("values") else "rows"
        offset = cursor.take_int("an offset") if cursor.skip("after") else 0
        keys = self._keys("Limit", node) if cursor.skip("per") else ()
        order = self.separated(",", lambda: self._sort_key(node)) if cursor.skip(";") else ()
        return op.Limit(node, count, order, keys, offset, ranking)

    def _over(self, node: Plan) -> op.Over:
        pairs = self.separated(",", lambda: (self._over_function(Scope(node.schema)), self._alias()))
        keys = self._keys("Over", node) if self.cursor.skip("per") else ()
        order = self.separated(",", lambda: self._sort_key(node)) if self.cursor.skip(";") else ()
        return op.Over(node, tuple(f for f, _ in pairs), tuple(name for _, name in pairs), keys, order)

    def _over_function(self, scope: Scope) -> OverFunction:
        cursor = self.cursor
        for word, ranking in PLACES.items():
            if cursor.skip(word, "(", ")"):
                return RowPlace(ranking)
        with explained("Over", scope):
            for name, sign in NEIGHBOURS.items():
                if cursor.skip(name, "("):
                    argument = self.expression(scope)
                    cursor.take(",")
                    distance = sign * cursor.take_int("a number of rows")
                    cursor.take(")")
                    return NeighbourValue(argument, distance)
            for edge in EDGES:
                if cursor.skip(edge, "("):
                    argument = self.expression(scope)
                    cursor.take(")")
                    return EdgeValue(edge, argument, self._frame())
            return FrameAggregate(self.aggregate(scope), self._frame())

    def _frame(self) -> Frame:
        unit: Literal["rows", "range"] = "rows" if self.cursor.skip("rows") else "range"
        if unit == "range":
            self.cursor.take("range")
        return Frame(
            unit, FOREVER if self.cursor.skip("unbounded") else self.cursor.take_int("a number or 'unbounded'")
        )

    def _sort_key(self, node: Plan) -> SortKey:
        return self.direction(node.schema.index(self.cursor.take_name("a column name"), "Limit"))

    def _window(self, node: Plan) -> Plan:
        cursor = self.cursor
        if cursor.skip("range"):
            size: End = FOREVER if cursor.skip("unbounded") else cursor.take_int("a size or 'unbounded'")
            return op.TimeWindow(node, size, self._slide())
        if cursor.skip("landmark"):
            start = cursor.take_int("an instant")
            return op.LandmarkWindow(node, start, cursor.take_int() if cursor.skip("reset") else None)
        if cursor.skip("partition", "by"):
            keys = self._keys("PartitionedWindow", node)
            return (
                self._session(node, keys) if cursor.skip("session") else op.PartitionedWindow(node, keys, *self._rows())
            )
        return self._session(node, ()) if cursor.skip("session") else op.CountWindow(node, *self._rows())

    def _session(self, node: Plan, keys: tuple[int, ...]) -> op.SessionWindow:
        gap, touching = self.cursor.take_int("a gap"), self.cursor.skip("touching")
        if not self.cursor.skip("as"):
            return op.SessionWindow(node, gap, keys, touching)
        first = self.cursor.take_name()
        self.cursor.take(",")
        return op.SessionWindow(node, gap, keys, touching, (first, self.cursor.take_name()))

    def _rows(self) -> tuple[int, int, bool]:
        if not self.cursor.skip("rows"):
            self.cursor.fail("'range', 'rows', 'partition by', 'landmark' or 'session'")
        rows = self.cursor.take_int("a number of rows")
        ties = self.cursor.skip("with", "ties")
        return (rows, self._slide(), ties)

    def _slide(self) -> int:
        return self.cursor.take_int("a slide") if self.cursor.skip("slide") else 1
