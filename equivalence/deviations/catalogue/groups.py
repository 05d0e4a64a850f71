"""Deviations of grouping and of aggregates: NULL groups, empty groups, what is counted and how it is divided."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from math import trunc
from typing import Any, Final

from equivalence.deviations.catalogue.plan_change import matching, on, plan_deviation, rewritten, without_null
from equivalence.deviations.deviation import Clue, Deviation, Parameter, Values
from equivalence.deviations.odd_operators import LooseWindow, loosened, odd
from equivalence.deviations.situation import Situation
from semantics import FOREVER, AggregateFunction, Multiset, Plan, Type
from semantics import aggregate as agg
from semantics.expression import Case, Cast, Coalesce, Comparison, Constant, Expression, Ref
from semantics.plan import Aggregation, Antijoin, Distinct, Grouping, Map, TimeWindow, Union

_GROUPED: Final = (Aggregation, Grouping)
AggregateChange = Callable[[agg.Aggregate], agg.Aggregate]


def _aggregates(situation: Situation) -> list[agg.Aggregate]:
    return [a for node in situation.plan.walk() if isinstance(node, _GROUPED) for a in node.aggregates]


def _having(*kinds: type[Any]) -> Values:
    return lambda situation, clue: (None,) if any(isinstance(a, kinds) for a in _aggregates(situation)) else ()


def each_aggregate(change: AggregateChange) -> Callable[[Plan, Parameter], Plan]:
    return on(*_GROUPED)(lambda node: replace(node, aggregates=tuple(map(change, node.aggregates))))


def of_all_values(argument: Expression, result: Type, function: Callable[[list[Any]], Any]) -> agg.Aggregate:
    """An aggregate that sees all values at once, those that are not NULL."""
    collect = AggregateFunction("deviating", argument.type, result, lambda v: [v], lambda vs, v: [*vs, v], function)
    return agg.UserDefined(collect, argument)


def _divided(function: agg.Aggregate) -> agg.Aggregate:
    """The mean of integers, cut to an integer."""
    argument = _whole(function.argument) if isinstance(function, agg.Avg) else None
    if argument is None:
        return function
    return of_all_values(argument, Type.FLOAT, lambda vs: float(trunc(sum(vs) / len(vs))))


def _whole(argument: Expression) -> Expression | None:
    """The integers of which a mean is taken, also behind a cast to FLOAT; None if there are none."""
    inner = argument.operand if isinstance(argument, Cast) and argument.type is Type.FLOAT else argument
    return inner if inner.type is Type.INT else None


def _zero(argument: Expression) -> Expression:
    return Coalesce((argument, Constant(0 if argument.type is Type.INT else 0.0, argument.type)))


def _counted_nulls(function: agg.Aggregate) -> agg.Aggregate:
    return agg.Avg(_zero(function.argument)) if isinstance(function, agg.Avg) else function


_COUNTING: Final = (agg.Sum, agg.Avg, agg.Median, agg.VarPop, agg.StddevPop)
"""Aggregates for which it matters how often a value is there, besides counts."""


def _counting(situation: Situation, clue: Clue) -> Iterable[Parameter]:
    """All aggregates of the query that count values, and each kind of them alone if there are several."""
    found = dict.fromkeys(
        type(a).__name__.upper() for a in _aggregates(situation) if isinstance(a, (agg.Count, *_COUNTING))
    )
    return () if not found else ("aggregates",) if len(found) == 1 else ("aggregates", *found)


def _distinct_in(node: Plan, which: Parameter) -> Plan:
    def change(function: agg.Aggregate) -> agg.Aggregate:
        return _distinct_values(function) if which in ("aggregates", type(function).__name__.upper()) else function

    return each_aggregate(change)(node, None)


def _distinct_values(function: agg.Aggregate) -> agg.Aggregate:
    """Equal values count once."""
    if isinstance(function, agg.Count):
        return agg.CountDistinct(function.argument)
    if isinstance(function, _COUNTING):
        return of_all_values(
            function.argument, function.type, lambda vs: agg.aggregate_values(function, sorted(set(vs)))
        )
    return function


def _sample(function: agg.Aggregate) -> agg.Aggregate:
    """Divided by n − 1."""
    if not isinstance(function, agg.VarPop | agg.StddevPop):
        return function
    root = 0.5 if isinstance(function, agg.StddevPop) else 1.0
    return of_all_values(
        function.argument,
        Type.FLOAT,
        lambda vs: (
            (float(agg.variance([agg.exact(v) for v in vs])) * len(vs) / (len(vs) - 1)) ** root if len(vs) > 1 else None
        ),
    )


def _lower_middle(function: agg.Aggregate) -> agg.Aggregate:
    if not isinstance(function, agg.Median):
        return function
    return of_all_values(function.argument, Type.FLOAT, lambda vs: float(sorted(vs)[(len(vs) - 1) // 2]))


def _first_column(node: Aggregation | Grouping) -> int:
    return len(node.schema) - len(node.aggregates)


def _sums_to_zero(node: Any) -> Plan:
    """The sum of no value is 0."""
    first, types = _first_column(node), node.schema.types
    refs: list[Expression] = [Ref(i, type_) for i, type_ in enumerate(types)]
    for i, function in enumerate(node.aggregates, first):
        if isinstance(function, agg.Sum):
            refs[i] = _zero(refs[i])
    return Map(node, tuple(refs), node.schema.names)


def _poisoned(node: Any) -> Plan:
    """A single NULL makes SUM and AVG NULL."""
    first, width = _first_column(node), len(node.schema)
    counts = [agg.Count(a.argument) if a.argument is not None else agg.CountRows() for a in node.aggregates]
    names = (*node.names, "_rows", *(f"_values{i}" for i in range(len(counts))))
    wider = replace(node, aggregates=(*node.aggregates, agg.CountRows(), *counts), names=names)
    refs: list[Expression] = [Ref(i, type_) for i, type_ in enumerate(node.schema.types)]
    for i, function in enumerate(node.aggregates):
        if isinstance(function, agg.Sum | agg.Avg):
            complete = Comparison("=", Ref(width, Type.INT), Ref(width + 1 + i, Type.INT))
            null = Constant(None, function.type)
            refs[first + i] = Case(((complete, refs[first + i]),), null)
    return Map(wider, tuple(refs), node.schema.names)


def _countable(situation: Situation, clue: Clue) -> Iterable[Parameter]:
    """The columns that COUNT(*) may be taken for the count of; those of the group are never NULL within it, or always."""
    nodes = [node for node in situation.plan.walk() if isinstance(node, _GROUPED)]
    counting = [node for node in nodes if any(isinstance(a, agg.CountRows) for a in node.aggregates)]
    return dict.fromkeys(
        name
        for node in counting
        for i, name in enumerate(node.input.schema.names)
        if i not in getattr(node, "keys", ())
    )


def _counts_column(node: Plan, column: Parameter) -> Plan:
    if not isinstance(node, _GROUPED) or column not in node.input.schema.names:
        return node
    place = node.input.schema.names.index(str(column))
    counted = agg.Count(Ref(place, node.input.schema.types[place]))
    return replace(node, aggregates=tuple(counted if isinstance(a, agg.CountRows) else a for a in node.aggregates))


def _windowed(situation: Situation, clue: Clue) -> Iterable[Parameter]:
    below = [n for node in situation.plan.walk() if isinstance(node, Grouping) for n in node.input.walk()]
    return (None,) if any(isinstance(node, TimeWindow | LooseWindow) and node.size != FOREVER for node in below) else ()


def _unbounded(node: Plan) -> Plan:
    window = loosened(node)
    return node if window is None else odd(replace(window, size=FOREVER))


def _with_ghosts(node: Grouping) -> Plan:
    """Every key that was ever there and is not there now, with what the aggregates give over nothing."""
    keys = tuple(Ref(key, node.input.schema.types[key]) for key in node.keys)
    names = node.schema.names[: len(keys)]
    known = Distinct(Map(rewritten(node.input, _unbounded), keys, names))
    here = Map(node, tuple(Ref(i, key.type) for i, key in enumerate(keys)), tuple(f"_{name}" for name in names))
    gone = Antijoin(known, here, matching(known, here))
    nothing = [Constant(agg.aggregate(a, Multiset()), a.type) for a in node.aggregates]
    refs = tuple(Ref(i, key.type) for i, key in enumerate(keys))
    return Union(node, Map(gone, (*refs, *nothing), node.schema.names))


def _gap(wanted: bool) -> Values:
    def values(situation: Situation, clue: Clue) -> Iterable[Parameter]:
        nodes = [node for node in situation.plan.walk() if isinstance(node, Aggregation)]
        return (None,) if any(node.on_empty is not wanted for node in nodes) else ()

    return values


GROUPS: Final[tuple[Deviation, ...]] = (
    plan_deviation("NULL groups dropped", "rows with NULL in a group column are lost", "NULL groups", (Grouping,), on(Grouping)(lambda node: replace(node, input=without_null(node.input, node.keys))), position="at the key", synonyms=("dropna", "NULL key skipped")),
    plan_deviation("ghost panes", "a group that was there once gets a row of nothing in every later empty window", "ghosts", (Grouping,), on(Grouping)(_with_ghosts), values=_windowed, locality="prefix", synonyms=("zero rows for known keys", "keys never forgotten")),
    plan_deviation("aggregation gap filled", "an empty input gets a row (COUNT 0) where there should be none", "gap", (Aggregation,), on(Aggregation)(lambda node: replace(node, on_empty=True)), values=_gap(True), locality="whole", synonyms=("0 row for empty windows",)),
    plan_deviation("aggregation gap", "an empty input gets no row where there should be one (COUNT 0)", "gap", (Aggregation,), on(Aggregation)(lambda node: replace(node, on_empty=False)), values=_gap(False), locality="whole", synonyms=("no row for empty windows",)),
    plan_deviation("COUNT(x) for COUNT(*)", "COUNT(*) leaves out rows in which {} is NULL", "count", _GROUPED, _counts_column, values=_countable, parameter="column", synonyms=("NULL values not counted",)),
    plan_deviation("COUNT(*) for COUNT(x)", "COUNT(x) counts NULLs, too", "count", _GROUPED, each_aggregate(lambda a: agg.CountRows() if isinstance(a, agg.Count) else a), values=_having(agg.Count)),
    plan_deviation("COUNT(x) for COUNT(DISTINCT x)", "COUNT(DISTINCT x) counts equal values again", "count", _GROUPED, each_aggregate(lambda a: agg.Count(a.argument) if isinstance(a, agg.CountDistinct) else a), values=_having(agg.CountDistinct)),
    plan_deviation("equal values counted once", "{} see each value of a group once", "values", _GROUPED, _distinct_in, values=_counting, parameter="function", synonyms=("SUM(DISTINCT x) for SUM(x)", "bag collapsed to set")),
    plan_deviation("equal rows aggregated once", "aggregates see equal rows once", "values", _GROUPED, on(*_GROUPED)(lambda node: replace(node, input=Distinct(node.input))), synonyms=("bag collapsed to set",)),
    plan_deviation("SUM of nothing is 0", "the sum of no value is 0, not NULL", "sum", _GROUPED, on(*_GROUPED)(_sums_to_zero), values=_having(agg.Sum), synonyms=("NULL as 0",)),
    plan_deviation("NULL poisons", "a single NULL makes a sum or mean NULL", "sum", _GROUPED, on(*_GROUPED)(_poisoned), values=_having(agg.Sum, agg.Avg)),
    plan_deviation("AVG by integer division", "the mean of integers is cut to an integer", "average", _GROUPED, each_aggregate(_divided), values=_having(agg.Avg), synonyms=("integer division",)),
    plan_deviation("AVG counts NULL", "NULLs count in the divisor of a mean", "average", _GROUPED, each_aggregate(_counted_nulls), values=_having(agg.Avg), synonyms=("NULL as 0",)),
    plan_deviation("MEDIAN is the lower middle", "of two middle values the lower one is taken", "median", _GROUPED, each_aggregate(_lower_middle), values=_having(agg.Median)),
    plan_deviation("variance of a sample", "variances are divided by n - 1", "variance", _GROUPED, each_aggregate(_sample), values=_having(agg.VarPop, agg.StddevPop), synonyms=("VAR_SAMP for VAR_POP",)),
)  # fmt: skip
