"""The plan of a row: its operator directly above sources, whose windows are as the row says."""

from collections.abc import Callable, Sequence
from functools import cached_property, reduce
from typing import Any, Final

from equivalence.cases.choices import Choices
from equivalence.cases.dimensions.dimension import FUNCTIONS, JOINS, Row, slide_of
from equivalence.cases.dimensions.pools import (
    FLOATS,
    FRAMES,
    GAPS,
    INSTANTS,
    INTEGERS,
    KEYS,
    PLACES,
    RESETS,
    ROWS,
    TEXTS,
    WINDOWS,
)
from equivalence.cases.random_aggregates import AGGREGATE_KINDS, ALL_KINDS, OF_SEVERAL, Kinds, of_several
from semantics import FOREVER, Column, Expression, Plan, Schema, Type, Value
from semantics import plan as op
from semantics.aggregate import Aggregate, CountDistinct, CountRows
from semantics.expression import And, Arithmetic, Coalesce, Comparison, ComparisonSymbol, Constant, Like, Now, Or, Ref
from semantics.ordering import Ranking, SortKey
from semantics.over import EdgeValue, FrameAggregate, NeighbourValue, OverFunction, RowPlace
from semantics.time import End

PAYLOAD: Final = (("x", Type.INT), ("f", Type.FLOAT), ("s", Type.STR))
RANKINGS: Final[dict[str, Ranking]] = {"rows": "rows", "rank": "rank", "dense": "dense"}
_SYMBOLS: Final[tuple[ComparisonSymbol, ...]] = ("=", "<", "<=", ">", ">=", "<>")


def schema_of(row: Row, prefix: str = "") -> Schema:
    """Key columns, and a column each of integers, floats and texts."""
    keys = [(f"k{i}", KEYS[row["keys"]]) for i in range(key_columns(row))]
    return Schema(tuple(Column(prefix + name, type_) for name, type_ in (*keys, *PAYLOAD)))


def key_columns(row: Row) -> int:
    return int(row["key columns"])


def choose_plan_of(choices: Choices, operator: type[Plan], row: Row) -> Plan:
    """A plan with this operator on top, over the sources S and, if it has two inputs, T."""
    return _PlanOfRow(choices, row).rooted(operator)


class _PlanOfRow:
    def __init__(self, choices: Choices, row: Row) -> None:
        self.choices = choices
        self.row = row
        self.keys = key_columns(row)

    def rooted(self, operator: type[Plan]) -> Plan:
        if operator in JOINS or operator is op.Product:
            left, right = self.windowed("S"), self.windowed("T", prefix="r")
            made: Callable[..., Plan] = operator
            return made(left, right, self.condition()) if operator in JOINS else made(left, right)
        if issubclass(operator, op.Binary):
            pair: Callable[..., Plan] = operator
            return pair(self.windowed("S"), self.windowed("T"))
        return self.unary(operator)

    def unary(self, operator: type[Plan]) -> Plan:
        source = op.Source("S", schema_of(self.row))
        if operator is op.TimeWindow:
            return self.windowed("S", always=True)
        if operator is op.CountWindow:
            return op.CountWindow(source, *self.rows())
        if operator is op.PartitionedWindow:
            return op.PartitionedWindow(source, self.key_indices(), *self.rows())
        if operator is op.LandmarkWindow:
            return op.LandmarkWindow(source, self.landmark(), self.choices.of(RESETS[self.row["reset"]]))
        if operator is op.SessionWindow:
            gap = self.choices.of(GAPS[self.row["gap"]])
            return op.SessionWindow(source, gap, self.groups(), touching=self.row["a gap apart"] == "one session")
        if operator is op.Over:
            functions = self.over_function(self.row["function"]), self.over_function(self.choices.of(FUNCTIONS))
            return op.Over(source, functions, ("over", "beside"), self.groups(), self.order())
        return self.standard(operator, self.windowed("S"))

    def groups(self) -> tuple[int, ...]:
        return self.key_indices() if self.row["groups"] == "by key" else ()

    def over_function(self, kind: str) -> OverFunction:
        """A function of this kind, in a frame as the row says, of any column but the keys."""
        frame, argument = self.choices.of(FRAMES[self.row["frame"]]), self.column(self.choices.of("xfs"))
        match kind:
            case "aggregate":
                return FrameAggregate(self.aggregate(AGGREGATE_KINDS), frame)
            case "first" | "last" as edge:
                return EdgeValue(edge, argument, frame)
            case "before" | "after" as side:
                counted = frame.unit == "rows" and frame.preceding != FOREVER
                distance = int(frame.preceding) if counted else self.choices.of((1, 2, 10))
                return NeighbourValue(argument, distance if side == "after" else -distance)
            case _:
                return RowPlace(self.choices.of(tuple(RANKINGS.values())))

    def standard(self, operator: type[Plan], child: Plan) -> Plan:
        if operator is op.Filter:
            return op.Filter(child, self.predicate())
        if operator is op.Map:
            return self.map(child)
        if operator is op.Aggregation:
            return op.Aggregation(child, *self.aggregates(), on_empty=self.choices.chance(1, 4))
        if operator is op.Grouping:
            return op.Grouping(child, self.key_indices(), *self.aggregates())
        if operator is op.Limit:
            return self.limit(child)
        made: Callable[..., Plan] = operator
        return made(child)

    def limit(self, child: Plan) -> Plan:
        offset, count = PLACES[self.row["places"]]
        keys = self.key_indices() if self.row["groups"] == "by key" else ()
        return op.Limit(child, count, self.order(), keys, offset, RANKINGS[self.row["ranking"]])

    def order(self) -> tuple[SortKey, ...]:
        """What the row says of an order, by any column but the keys."""
        first, second = (self.column(name).index for name in self.choices.of(("xf", "fs", "sx")))
        match self.row["order"]:
            case "none":
                return ()
            case "falling":
                return (SortKey(first, descending=True),)
            case "NULLs elsewhere":
                descending = self.choices.chance(1, 2)
                return (SortKey(first, descending, nulls_last=not descending),)
            case "two columns":
                return (
                    SortKey(first, descending=True),
                    SortKey(second, nulls_last=self.choices.chance(2, 3)),
                )
            case _:
                return (SortKey(first),)

    def windowed(self, name: str, prefix: str = "", always: bool = False) -> Plan:
        source = op.Source(name, schema_of(self.row, prefix))
        slide = self.slide(size := self.size)
        return source if (size, slide) == (1, 1) and not always else op.TimeWindow(source, size, slide)

    @cached_property
    def size(self) -> End:
        """One of the sizes that the row allows, the same for all windows of the plan."""
        size = self.choices.of(WINDOWS[self.row["window"]])
        return size - size % 2 if self.row["slide"] == "divides" else size

    def slide(self, size: End) -> int:
        return slide_of(self.row["slide"], size) or 1

    def rows(self) -> tuple[int, int, bool]:
        rows = ROWS[self.row["ROWS"]]
        slide = self.slide(rows)
        return rows, slide, slide == 1 and self.choices.chance(1, 4)

    def landmark(self) -> int:
        """Before everything, between the first elements, or where the last of them start."""
        return {"first": 0, "amid": INSTANTS[self.row["instants"]] + 2, "last": INSTANTS[self.row["instants"]] + 5}[
            self.row["landmark"]
        ]

    def key_indices(self) -> tuple[int, ...]:
        return tuple(range(self.keys))

    # Expressions -------------------------------------------------------------------------------------------------

    def column(self, name: str, right: bool = False) -> Ref:
        names = [*(f"k{i}" for i in range(self.keys)), *(name for name, _ in PAYLOAD)]
        types = [*[KEYS[self.row["keys"]]] * self.keys, *(type_ for _, type_ in PAYLOAD)]
        index = names.index(name)
        return Ref(index + (len(names) if right else 0), types[index])

    def constant(self, name: str) -> Constant:
        """One of the values that the column may hold."""
        pools: dict[str, tuple[Sequence[Value], Type]] = {
            "x": (INTEGERS[self.row["integers"]], Type.INT),
            "f": (FLOATS[self.row["floats"]], Type.FLOAT),
            "s": (TEXTS[self.row["texts"]], Type.STR),
        }
        pool, type_ = pools[name]
        return Constant(self.choices.of(pool), type_)

    def comparison(self, right: bool = False) -> Expression:
        name = self.choices.of("xfs")
        if name == "s" and not right and self.choices.chance(1, 3):
            return Like(self.column(name), self.pattern())
        return Comparison(self.choices.of(_SYMBOLS), self.column(name, right), self.constant(name))

    def pattern(self) -> Constant:
        """One of the texts with a wildcard in the place of a character, or alone."""
        text = self.choices.of(TEXTS[self.row["texts"]])
        place = self.choices.below(max(len(text), 1))
        return Constant(text[:place] + self.choices.of("_%") + text[place + 1 :], Type.STR)

    def predicate(self) -> Expression:
        """One comparison of a column with a value, or two; or one of now with an instant."""
        first = self.comparison()
        if self.choices.chance(1, 8):
            soon = INSTANTS[self.row["instants"]] + self.choices.below(8)
            return Comparison(self.choices.of(_SYMBOLS), Now(), Constant(soon, Type.INT))
        if self.choices.chance(1, 2):
            return (And if self.choices.chance(1, 2) else Or)(first, self.comparison())
        return first

    def condition(self) -> Expression:
        """What the row says of a join."""
        kind = self.row["condition"]
        name = self.choices.of("xfs")
        inequality = Comparison(
            self.choices.of(("<=", "<=", ">=", "<>")), self.column(name), self.column(name, right=True)
        )
        match kind:
            case "inequality":
                return inequality
            case "and an inequality":
                return And(self.equalities(), inequality)
            case "left only" | "right only":
                return And(self.equalities(), self.comparison(right=kind == "right only"))
            case "column = expression":
                return self.equalities(computed=True)
            case _:
                return self.equalities()

    def equalities(self, computed: bool = False) -> Expression:
        """The keys are equal; or the last one is equal to what an expression makes of the other side's."""
        sides = [(self.column(f"k{i}"), self.column(f"k{i}", right=True)) for i in range(self.keys)]
        found: list[Expression] = [Comparison("=", left, right) for left, right in sides]
        if computed:
            found[-1] = Comparison("=", sides[-1][0], self.computed(sides[-1][1]))
        return reduce(And, found)

    def computed(self, key: Ref) -> Expression:
        if key.type is Type.STR:
            return Coalesce((key, Constant("", Type.STR)))
        if (
            self.row["keys"] == "equal as doubles" and self.row["ends"] == "any"
        ):  # then an INT meets the double that several have become
            return Arithmetic("*", key, Constant(1.0, Type.FLOAT))
        number = 1 if self.choices.chance(1, 4) else 0
        return Arithmetic("+", key, Constant(float(number) if key.type is Type.FLOAT else number, key.type))

    def map(self, child: Plan) -> Plan:
        """Some columns as they are, and some computed ones."""
        computed: list[Expression] = [
            self.column("s"),
            self.column("x"),
            self.column("k0"),
            Arithmetic(self.choices.of(("+", "-", "*")), self.column("f"), self.constant("f")),
            Arithmetic(self.choices.of(("-", "+", "*")), self.column("x"), self.constant("x")),
            self.comparison(),
        ]
        made = [self.choices.of(computed) for _ in range(self.choices.between(1, 4))]
        return op.Map(child, tuple(made), tuple("pqrt"[: len(made)]))

    def aggregates(self) -> tuple[tuple[Any, ...], tuple[str, ...]]:
        number = int(self.row["aggregates"])
        made = self.further_aggregate if self.choices.chance(1, 4) else lambda: self.aggregate(AGGREGATE_KINDS)
        return tuple(made() for _ in range(number)), tuple(f"a{i}" for i in range(number))

    def further_aggregate(self) -> Aggregate:
        """One of any kind, as often of several columns as of one."""
        if self.choices.chance(1, 2):
            return self.aggregate(ALL_KINDS)
        return of_several(self.choices, self.choices.of(OF_SEVERAL), self.any_column)

    def any_column(self, types: tuple[Type, ...]) -> Ref:
        """A column of one of these types that is no key."""
        return self.column(self.choices.of([name for name, type_ in PAYLOAD if type_ in types]))

    def aggregate(self, known: Kinds) -> Aggregate:
        if self.choices.chance(1, 8):  # of the keys there may be hundreds
            return CountDistinct(self.column("k0"))
        column = self.column(self.choices.of("xfs"))
        kinds = [make for allowed, make in known.values() if column.type in allowed]
        which = self.choices.below(len(kinds) + 1)
        return kinds[which - 1](column) if which else CountRows()
