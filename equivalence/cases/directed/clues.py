"""What plans speak of: the constants, sizes and thresholds around which cases should be drawn."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import chain, product
from math import ceil, floor, isfinite
from typing import Final

from equivalence.cases.directed.around import around
from equivalence.cases.directed.called import called, made_long
from equivalence.cases.directed.comparisons import compared, constants, parts
from equivalence.cases.directed.inverse import columns_for
from equivalence.cases.directed.nested import arrays_as_long_as, parts_holding, repeated_as_long
from equivalence.cases.directed.resolve import TRIED_FOR_NOW, Condition, input_of, over_sources
from semantics import FOREVER, Plan, Type, Value
from semantics.aggregate import (
    Aggregate,
    Avg,
    Count,
    CountDistinct,
    CountRows,
    Largest,
    Listed,
    OfDistinct,
    Percentile,
    Sum,
    decimal_text,
)
from semantics.expression import Arithmetic, Constant, Expression, conjuncts, mentions_now, refs
from semantics.now_in_expressions import replace_now, thresholds
from semantics.over import EdgeValue, FrameAggregate, NeighbourValue
from semantics.plan import (
    Aggregation,
    CountWindow,
    Filter,
    Filtering,
    Grouping,
    Joined,
    LandmarkWindow,
    Limit,
    Map,
    Over,
    PartitionedWindow,
    SessionWindow,
    SetOperation,
    Source,
    TimeWindow,
    Unnest,
)

MOST_COPIES: Final = 10_000
"""Thresholds of counts beyond it are not reached: a case would be too large to be read or saved."""
LARGEST_SHARED_SUM: Final = 100
"""A threshold of SUM up to it is also reached by as many rows that hold 1."""
MOST_ROWS_OF_A_MEAN: Final = 100
"""A threshold of AVG is also reached by so many rows of the integers on both sides of it."""
MOST_SPANS: Final = 8
"""Sums and differences are taken of this many sizes: of more there would be too many to try."""
PARTS_OF_A_SUM: Final = (2, 3)
LATEST_ANCHOR: Final = 2**61
"""Larger numbers beside now are no instants that a case could be about."""

Column = tuple[str, int]
"""A source and a position in its schema."""


@dataclass(frozen=True, eq=False)  # identity is enough: `clues_of` makes them once for the same plans
class Clues:
    """What some plans speak of."""

    columns: Mapping[Column, frozenset[Value]]
    """Values for a column of a source, at and around which some predicate changes."""
    types: Mapping[Type, frozenset[Value]]
    """Constants that are compared with nothing, and their neighbours."""
    spans: tuple[int, ...]
    """Sizes, slides and resets, their sums and their differences."""
    anchors: tuple[int, ...]
    """Instants at which windows move: slide boundaries and landmarks."""
    counts: tuple[int, ...]
    """How many rows or copies a ROWS n, a LIMIT n or a threshold of COUNT needs."""
    conditions: tuple[Condition, ...]
    """Conjuncts of predicates that are about one row of one source."""
    links: tuple[Condition, ...]
    """Conjuncts that are about several rows, as those of joins."""
    computed: frozenset[Column]
    """Columns that are computed with: the largest integers would overflow there, and a case would show nothing."""
    windowed: frozenset[str]
    """Sources below windows. Long intervals there make every instant a change."""


@lru_cache(maxsize=256)
def clues_of(*plans: Plan) -> Clues:
    """What the plans speak of, taken together.

    >>> from semantics import parse_plan
    >>> clues = clues_of(parse_plan("S(x int) | window(range 600) | filter(x * 3 > 10000)"))
    >>> 3333 in clues.columns["S", 0], 3334 in clues.columns["S", 0], clues.spans
    (True, True, (600, 1200))
    """
    search = _Search()
    for plan in plans:
        for node in plan.walk():
            search.look(node)
    return search.clues()


class _Search:
    """The clues found so far."""

    def __init__(self) -> None:
        self.columns: dict[Column, set[Value]] = defaultdict(set)
        self.types: dict[Type, set[Value]] = defaultdict(set)
        self.sizes: set[int] = set()
        self.anchors: set[int] = set()
        self.counts: set[int] = set()
        self.conditions: dict[Condition, None] = {}
        self.computed: set[Column] = set()
        self.windowed: set[str] = set()

    def clues(self) -> Clues:
        return Clues(
            {
                column: frozenset(values | made_long(values) | repeated_as_long(values))
                for column, values in self.columns.items()
            },
            {type_: frozenset(values) for type_, values in self.types.items()},
            tuple(sorted(spans_of(self.sizes))),
            tuple(sorted(self.anchors)),
            tuple(sorted(self.counts)),
            tuple(condition for condition in self.conditions if len(condition.rows) == 1),
            tuple(condition for condition in self.conditions if len(condition.rows) > 1),
            frozenset(self.computed),
            frozenset(self.windowed),
        )

    def look(self, node: Plan) -> None:
        self._window(node)
        for asked in node.own_expressions:
            self._now(asked)
            for expression in at_some_instants(asked):
                self._expression(node, expression)
        if isinstance(node, Filter | Joined | Filtering):
            self._predicate(node, node.predicate if isinstance(node, Filter) else node.condition)
        if isinstance(node, Aggregation | Grouping):
            self.counts |= {count for aggregate in node.aggregates for count in rows_of_interest(aggregate)}
            for aggregate in node.aggregates:
                if isinstance(aggregate, Sum):
                    self._computes(node, aggregate.argument)

    def _window(self, node: Plan) -> None:
        match node:
            case TimeWindow(size=size, slide=slide):
                self.sizes |= {int(span) for span in (size, slide) if span != FOREVER and span > 1}
                self.anchors |= {slide, 2 * slide}
            case LandmarkWindow(start=start, reset=reset):
                self.sizes |= {reset} if reset else set()
                self.anchors |= {start, start + (reset or 0), start + 2 * (reset or 0)}
            case CountWindow(rows=rows, slide=slide) | PartitionedWindow(rows=rows, slide=slide):
                self.counts |= {count for count in (rows, slide, rows + slide) if 1 < count <= MOST_COPIES}
            case SessionWindow(gap=gap):
                self.sizes |= {gap, gap + 1}
            case Over(functions=functions):
                frames = [f.frame for f in functions if isinstance(f, FrameAggregate | EdgeValue)]
                finite = [(frame.unit, int(frame.preceding)) for frame in frames if frame.preceding != FOREVER]
                self.sizes |= {span + 1 for unit, span in finite if unit == "range"}
                self.counts |= {rows + 1 for unit, rows in finite if unit == "rows" and 0 < rows < MOST_COPIES}
                distances = {abs(f.distance) for f in functions if isinstance(f, NeighbourValue)}
                self.counts |= {distance + 1 for distance in distances if distance < MOST_COPIES}
                aggregates = [f.aggregate for f in functions if isinstance(f, FrameAggregate)]
                self.counts |= {count for aggregate in aggregates for count in rows_of_interest(aggregate)}
            case Limit(count=count, offset=offset):
                places = (count or 0, offset, (count or 0) + offset)
                self.counts |= {number for number in places if 1 < number <= MOST_COPIES}
        if not node.computable or thresholds(node.own_expressions) is None:
            self.windowed |= set(node.sources())

    def _now(self, expression: Expression) -> None:
        """Constants beside now are instants, or distances from them."""
        if mentions_now(expression):
            numbers = {c.value for c in constants(expression) if type(c.value) is int and 0 <= c.value < LATEST_ANCHOR}
            self.anchors |= numbers
            self.sizes |= {number for number in numbers if number > 1}

    def _expression(self, node: Plan, expression: Expression) -> None:
        for constant in constants(expression):
            self.types[constant.type] |= around(constant.value)
        for operand, values in chain(compared(expression), called(expression)):
            self._needed(node, operand, values)
        for part in parts(expression):
            if isinstance(part, Arithmetic):
                self._computes(node, part)

    def _computes(self, node: Plan, expression: Expression) -> None:
        about = over_sources(node, expression)
        if about is not None:
            self.computed |= {about.column(ref) for ref in refs(about.expression)}

    def _needed(self, node: Plan, expression: Expression, values: set[Value]) -> None:
        """The expression, over the columns below a node, should take these values."""
        if values:
            for index, hints in columns_for(expression, values):
                self._wanted(*input_of(node, index), hints)

    def _wanted(self, plan: Plan, index: int, values: set[Value]) -> None:
        """A column of a plan should have these values."""
        match plan:
            case Source(name=name):
                self.columns[name, index] |= values
            case Map(expressions=expressions):
                self._needed(plan, expressions[index], values)
            case Grouping(keys=keys) if index < len(keys):
                self._wanted(plan.input, keys[index], values)
            case Grouping(keys=keys, aggregates=aggregates):
                self._aggregated(plan, aggregates[index - len(keys)], values)
            case Aggregation(aggregates=aggregates):
                self._aggregated(plan, aggregates[index], values)
            case SetOperation():
                for side in plan.inputs:
                    self._wanted(side, index, values)
            case SessionWindow() if index >= len(plan.input.schema):
                self.anchors |= _whole_numbers(values, LATEST_ANCHOR)
            case Over(functions=functions) if index >= len(plan.input.schema):
                for argument in functions[index - len(plan.input.schema)].arguments[:1]:
                    self._needed(plan, argument, values)
            case Unnest(array=array) if index == len(plan.input.schema):
                self._needed(plan, array, values | parts_holding(array.type, values))
            case Unnest(array=array) if index > len(plan.input.schema):
                self._needed(plan, array, arrays_as_long_as(array.type, values))
            case _:
                self._wanted(*input_of(plan, index), values)

    def _aggregated(self, node: Plan, aggregate: Aggregate, values: set[Value]) -> None:
        """An aggregate should have these values: by its rows, by their number, or by both."""
        if isinstance(aggregate, OfDistinct):
            return self._aggregated(node, aggregate.function, values)
        if isinstance(aggregate, CountRows | Count | CountDistinct):
            self.counts |= _whole_numbers(values, MOST_COPIES)
            return None
        if isinstance(aggregate, Avg):
            means = [Fraction(v) for v in values if isinstance(v, int | float | Decimal) and isfinite(v)]
            self.counts |= _whole_numbers({mean.denominator for mean in means}, MOST_ROWS_OF_A_MEAN)
            values = values | {whole for mean in means for whole in (floor(mean), ceil(mean))}
        if isinstance(aggregate, Sum):
            self.counts |= _whole_numbers(values, LARGEST_SHARED_SUM)
            values = values | {part for value in values for part in _shares(value)}
        self._needed(node, aggregate.argument, values)

    def _predicate(self, node: Plan, predicate: Expression) -> None:
        for conjunct in conjuncts(predicate):
            about = over_sources(node, conjunct)
            if about is not None:
                self.conditions[about] = None


def rows_of_interest(aggregate: Aggregate) -> Iterator[int]:
    """How many rows it takes to tell a parameter from the next one: a rank, or the steps in which a fraction goes.

    >>> from fractions import Fraction
    >>> from semantics.expression import Ref
    >>> list(rows_of_interest(Percentile(Ref(0, Type.INT), Fraction("0.95"), discrete=True)))
    [20, 100]
    """
    match aggregate:
        case OfDistinct(function=function):
            yield from rows_of_interest(function)
        case Largest(rank=rank):
            yield from (count for count in (rank, rank + 1) if 1 < count <= MOST_COPIES)
        case Percentile(fraction=fraction):
            digits = max(2, len(decimal_text(fraction).split(".")[1]))
            yield from (count for count in (fraction.denominator, 10**digits) if 1 < count <= MOST_COPIES)
        case Listed():
            yield 2
        case _:
            return


def at_some_instants(expression: Expression) -> Iterator[Expression]:
    """The expression as it is; one that asks for now at instants at which cases begin, so that values lie near them."""
    if not mentions_now(expression):
        yield expression
        return
    for instant in TRIED_FOR_NOW:
        yield replace_now(expression, Constant(instant, Type.INT))


def spans_of(sizes: set[int]) -> set[int]:
    """The sizes, and the sums and differences of any two of them.

    >>> sorted(spans_of({60, 600}))
    [60, 120, 540, 600, 660, 1200]
    """
    some = sorted(sizes)[:MOST_SPANS]
    return sizes | {span for a, b in product(some, some) for span in (a + b, a - b) if span > 0}


def _whole_numbers(values: set[Value], at_most: int) -> set[int]:
    return {value for value in values if type(value) is int and 1 < value <= at_most}


def _shares(value: Value) -> Iterator[Value]:
    """What several rows have to hold each for their sum to reach a value."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        yield from (value // number if isinstance(value, int) else value / number for number in PARTS_OF_A_SUM)
