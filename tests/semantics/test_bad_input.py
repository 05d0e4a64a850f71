"""Every kind of bad input, with the exception and the message it gets."""

from collections.abc import Callable
from typing import Any

import pytest

from semantics import (
    FOREVER,
    AggregateFunction,
    ArithmeticOverflow,
    Column,
    FunctionError,
    Interval,
    IntervalStream,
    LogicalStream,
    Multiset,
    NotationError,
    Query,
    RawStream,
    ScalarFunction,
    Schema,
    SchemaError,
    Scope,
    SnapeqError,
    StreamError,
    TooManyChanges,
    Type,
    TypeMismatch,
    WindowError,
    aggregated,
    array_of,
    call,
    case,
    coalesce,
    col,
    count,
    equivalent,
    evaluate,
    evaluate_sparse,
    lag,
    left,
    lit,
    median,
    now,
    null,
    parse,
    parse_expression,
    percentile_cont,
    show,
    source,
    sum_,
    to_logical,
    top,
)
from semantics import aggregate as agg
from semantics.comparable_plans import check_comparable
from semantics.evaluate import apply
from semantics.expression import Arithmetic, Case, Cast, Coalesce, Comparison, Constant, In, Like, Ref
from semantics.ordering import SortKey
from semantics.over import Frame
from semantics.plan import Filter, Grouping, Limit, Map, Over, Source, Unnest

BIDS = source("Bid", id=int, price=int, name=str)
OTHER = source("Other", id=int, note=str)
SCHEMA = Schema.of(x=int)
SHOUT = ScalarFunction("shout", (Type.STR,), Type.STR, str.upper)
BROKEN = ScalarFunction("broken", (Type.INT,), Type.INT, str)
FAILS = ScalarFunction("fails", (Type.INT,), Type.INT, lambda number: number // 0)
FAILING = AggregateFunction("failing", Type.INT, Type.INT, init=int, merge=lambda n, v: n // 0, eval=int)
LONGEST = AggregateFunction("longest", Type.STR, Type.INT, init=len, merge=lambda n, v: max(n, len(v)), eval=int)
COLUMNS = "columns: id INT, price INT, name STR"
BIG = 2**63 - 1


def wrong(value: Any) -> Any:
    """A value whose type is wrong, as somebody without a type checker gives it."""
    return value


def run(query: Any, *values: int) -> LogicalStream:
    """Evaluate a query over Bid with these prices."""
    stream = RawStream(BIDS.schema, [((1, value, "a"), 0) for value in values])
    return evaluate(query, {"Bid": stream}, 1)


def nested(depth: int) -> Query:
    query = BIDS
    for _ in range(depth):
        query = query.distinct()
    return query


WRONG: list[tuple[str, Callable[[], object], type[SnapeqError], str]] = [
    # names
    ("unknown column", lambda: BIDS.filter(col("cost") > 1), SchemaError, f"Filter: unknown column 'cost'; {COLUMNS}"),
    ("unknown key", lambda: BIDS.group_by("cost"), SchemaError, f"Grouping: unknown column 'cost'; {COLUMNS}"),
    ("unknown partition", lambda: BIDS.rows(2, by=("cost",)), SchemaError, f"PartitionedWindow: unknown column 'cost'; {COLUMNS}"),
    ("unknown renamed", lambda: BIDS.rename(cost="c"), SchemaError, f"Map: unknown column 'cost'; {COLUMNS}"),
    (
        "ambiguous column",
        lambda: BIDS.semijoin(OTHER, col("id") > 1),
        SchemaError,
        "Semijoin: ambiguous column 'id', say left or right of it; "
        "left columns: id INT, price INT, name STR; right columns: id INT, note STR",
    ),
    ("side without sides", lambda: BIDS.filter(left("id") > 1), SchemaError, f"Filter: left.id: there is only one input here, write id; {COLUMNS}"),
    (
        "duplicate output names",
        lambda: BIDS.join(OTHER, col("price") > 1),
        SchemaError,
        "Join: output names must differ, got id more than once in: id, price, name, id, note",
    ),
    ("duplicate in product", lambda: BIDS.product(BIDS), SchemaError, "Product: output names must differ, got id, price, name more than once in: id, price, name, id, price, name"),
    ("duplicate in select", lambda: BIDS.select("id", id=1), SchemaError, "Map: output names must differ, got: id, id"),
    ("duplicate in group", lambda: BIDS.group_by("id").aggregate(id=count()), SchemaError, "Grouping: output names must differ, got id more than once in: id, id"),
    ("duplicate in schema", lambda: Schema((Column("x", Type.INT),) * 2), SchemaError, "Schema: column names must differ, got x more than once in: x INT, x INT"),
    ("no columns", lambda: Schema(()), SchemaError, "Schema: at least one column is needed, got none"),
    ("no columns selected", lambda: BIDS.select(), SchemaError, "Map: one name per output column, at least one, got 0 for 0"),
    ("names missing", lambda: Map(BIDS.plan, (Ref(0, Type.INT),), ()), SchemaError, "Map: one name per output column, at least one, got 0 for 1"),
    ("empty name", lambda: Column("", Type.INT), SchemaError, "Column: name must be a non-empty text, got ''"),
    ("unknown type", lambda: Schema.of(x=list), SchemaError, "Column: type of 'x' must be a Type, or one of int, float, bool, str, datetime, date, time, timedelta, got <class 'list'>"),
    ("no type", lambda: Column("x", int), SchemaError, "Column: type of 'x' must be a Type such as INT, FLOAT, BOOL, STR, got <class 'int'>"),  # type: ignore[arg-type]  # on purpose
    ("unnamed source", lambda: source("", x=int), SchemaError, "Source: name must be a non-empty text, got ''"),
    ("source without columns", lambda: source("S"), SchemaError, "source S: give the columns as one schema or as keywords"),
    ("no keys", lambda: BIDS.group_by().aggregate(n=count()), SchemaError, f"Grouping: keys must be different column positions, at least one, got (); {COLUMNS}"),
    ("key twice", lambda: Grouping(BIDS.plan, (0, 0), (), ()), SchemaError, f"Grouping: keys must be different column positions, at least one, got (0, 0); {COLUMNS}"),
    ("position beyond", lambda: Filter(BIDS.plan, Ref(7, Type.BOOL)), SchemaError, f"Filter: expression needs a BOOL column at position 7 ($7:bool); {COLUMNS}"),
    ("position of another type", lambda: Filter(BIDS.plan, Ref(0, Type.BOOL)), SchemaError, f"Filter: expression needs a BOOL column at position 0 ($0:bool); {COLUMNS}"),
    ("no aggregates", lambda: BIDS.aggregate(), SchemaError, "Aggregation: one name per output column, at least one, got 0 for 0"),
    ("no condition", lambda: BIDS.join(OTHER), SchemaError, "Join: at least one condition is needed, got none"),
    # schemas that do not fit
    *(
        (
            f"incompatible {name}",
            (lambda method: lambda: getattr(BIDS.select("id", "name"), method)(OTHER.select("note", "id")))(name.lower()),
            SchemaError,
            f"{name}: both inputs must have the same column types, got "
            "left columns: id INT, name STR; right columns: note STR, id INT",
        )
        for name in ("Union", "Difference", "Intersection")
    ),
    # types
    ("predicate", lambda: BIDS.filter(col("price") + 1), TypeMismatch, f"Filter: predicate must be BOOL, got INT (price + 1); {COLUMNS}"),
    ("condition", lambda: OTHER.antijoin(BIDS, col("price")), TypeMismatch, "Antijoin: condition must be BOOL, got INT (price); left columns: id INT, note STR; right columns: id INT, price INT, name STR"),
    ("text plus int", lambda: BIDS.select(a=col("name") + 1), TypeMismatch, f"Map: +: operand must be INT or FLOAT, got STR (name); {COLUMNS}"),
    ("negated text", lambda: BIDS.select(a=-col("name")), TypeMismatch, f"Map: -: operand must be INT or FLOAT, got STR (name); {COLUMNS}"),
    ("int compared with text", lambda: BIDS.filter(col("price") < "a"), TypeMismatch, f"Filter: <: operands must have one type, got INT and STR (price, 'a'); {COLUMNS}"),
    ("AND of an int", lambda: BIDS.filter((col("id") > 1) & col("price")), TypeMismatch, f"Filter: AND: operand must be BOOL, got INT (price); {COLUMNS}"),
    ("OR of an int", lambda: BIDS.filter((col("id") > 1) | col("price")), TypeMismatch, f"Filter: OR: operand must be BOOL, got INT (price); {COLUMNS}"),
    ("NOT of an int", lambda: BIDS.filter(~col("price")), TypeMismatch, f"Filter: NOT: operand must be BOOL, got INT (price); {COLUMNS}"),
    ("IN of other types", lambda: BIDS.filter(col("price").is_in(1, "a")), TypeMismatch, f"Filter: IN: operands must have one type, got INT and STR (price, 'a'); {COLUMNS}"),
    ("IN nothing", lambda: In(Ref(0, Type.INT), ()), TypeMismatch, "IN: at least one option is needed, got none"),
    ("LIKE an int", lambda: BIDS.filter(col("price").like("a")), TypeMismatch, f"Filter: LIKE: operand must be STR, got INT (price); {COLUMNS}"),
    ("LIKE with a long escape", lambda: Like(Ref(0, Type.STR), Ref(0, Type.STR), "ab"), TypeMismatch, "LIKE: escape must be one character, got 'ab'"),
    ("DISTINCT FROM another type", lambda: BIDS.filter(col("id").is_distinct_from("a")), TypeMismatch, f"Filter: IS DISTINCT FROM: operands must have one type, got INT and STR (id, 'a'); {COLUMNS}"),
    ("CASE of mixed results", lambda: BIDS.select(a=case((col("id") > 1, 1), default="a")), TypeMismatch, f"Map: CASE: operands must have one type, got INT and STR (1, 'a'); {COLUMNS}"),
    ("CASE on an int", lambda: BIDS.select(a=case((col("id"), 1))), TypeMismatch, f"Map: CASE: WHEN: operand must be BOOL, got INT (id); {COLUMNS}"),
    ("CASE without WHEN", lambda: Case((), Constant(1, Type.INT)), TypeMismatch, "CASE: at least one WHEN is needed, got none"),
    ("COALESCE of nothing", lambda: Coalesce(()), TypeMismatch, "COALESCE: at least one operand is needed, got none"),
    ("NULL without a type", lambda: BIDS.select(a=coalesce(None, None)), TypeMismatch, f"Map: NULL alone has no type here: write null(type) for one of them; {COLUMNS}"),
    ("literal NULL", lambda: lit(None), TypeMismatch, "lit: value must be an int, float, bool or str (NULL is null(type)), got None"),
    ("null of no type", lambda: null(list).resolve(Scope(SCHEMA)), SchemaError, "Column: type of 'null' must be a Type, or one of int, float, bool, str, datetime, date, time, timedelta, got <class 'list'>"),
    ("unknown symbol", lambda: Arithmetic("^", Ref(0, Type.INT), Ref(0, Type.INT)), TypeMismatch, "expression: operator must be one of + - * / MOD, got '^'"),  # type: ignore[arg-type]  # on purpose
    ("unknown comparison", lambda: Comparison("==", Ref(0, Type.INT), Ref(0, Type.INT)), TypeMismatch, "expression: operator must be one of = <> < <= > >=, got '=='"),  # type: ignore[arg-type]  # on purpose
    ("truth of a column expression", lambda: bool(col("x") > 1), TypeMismatch, "a column expression has no truth value: write & | ~ instead of and or not, and ( ) around comparisons"),
    ("SUM of text", lambda: BIDS.aggregate(a=sum_("name")), TypeMismatch, f"Aggregation: SUM: argument must be INT or FLOAT, got STR (name); {COLUMNS}"),
    ("MEDIAN of text", lambda: BIDS.group_by("id").aggregate(a=median("name")), TypeMismatch, f"Grouping: MEDIAN: argument must be INT or FLOAT, got STR (name); {COLUMNS}"),
    ("TOP 0", lambda: BIDS.aggregate(a=top("id", 0)), TypeMismatch, "top: k must be an integer ≥ 1, got 0"),
    ("percentile beyond 1", lambda: parse("S(x int) | aggregate(percentile_cont(x, 1.5) as a)"), TypeMismatch, "Aggregation: PERCENTILE: expected a fraction from 0 to 1 with at most 9 decimal digits, got 3/2; columns: x INT"),
    ("percentile of digits", lambda: BIDS.aggregate(a=percentile_cont("id", 0.1234567891)), TypeMismatch, "Aggregation: PERCENTILE: expected a fraction from 0 to 1 with at most 9 decimal digits, got 1234567891/10000000000; columns: id INT, price INT, name STR"),
    ("percentile of nothing", lambda: percentile_cont("id", float("nan")), TypeMismatch, "PERCENTILE: expected a number from 0 to 1, got nan"),
    ("BIT_AND of text", lambda: parse("S(x str) | aggregate(bit_and(x) as a)"), TypeMismatch, "Aggregation: BIT_AND: argument must be INT, got STR (x); columns: x STR"),
    ("unknown bits", lambda: agg.Bitwise("nand", Ref(0, Type.INT)), TypeMismatch, "BIT: symbol must be one of and, or, xor, got 'nand'"),  # type: ignore[arg-type]  # on purpose
    ("CORR of text", lambda: parse("S(x str, y int) | aggregate(corr(y, x) as a)"), TypeMismatch, "Aggregation: CORR: argument must be INT or FLOAT, got STR (x); columns: x STR, y INT"),
    ("unknown pairs", lambda: agg.Paired("slope", Ref(0, Type.INT), Ref(0, Type.INT)), TypeMismatch, "pairs: name must be one of covar_pop, covar_samp, corr, got 'slope'"),  # type: ignore[arg-type]  # on purpose
    ("STRING_AGG of ints", lambda: parse("S(x int) | aggregate(string_agg(x, ',') as a)"), TypeMismatch, "Aggregation: STRING_AGG: argument must be STR, got INT (x); columns: x INT"),
    ("separator 1", lambda: agg.Listed(Ref(0, Type.STR), 1), TypeMismatch, "STRING_AGG: separator must be a text, got 1"),  # type: ignore[arg-type]  # on purpose
    ("order of nothing", lambda: agg.Listed(Ref(0, Type.STR), "", (), (SortKey(1),)), TypeMismatch, "STRING_AGG: order must name the columns 1 to 0, and may name 0, got [1]"),
    ("DISTINCT twice", lambda: agg.OfDistinct(agg.CountDistinct(Ref(0, Type.INT))), TypeMismatch, "DISTINCT: count has a form of its own, see of_distinct"),
    ("DISTINCT of no argument", lambda: agg.of_distinct(agg.CountRows()), TypeMismatch, "COUNT: DISTINCT needs an argument"),
    ("rank 0", lambda: parse("S(x int) | aggregate(top(x, 0) as a)"), TypeMismatch, "Aggregation: TOP: rank must be an integer ≥ 1, got 0; columns: x INT"),
    ("arguments too many", lambda: BIDS.select(a=call(SHOUT, "a", "b")), TypeMismatch, f"Map: shout: 1 argument needed, got 2; {COLUMNS}"),
    ("argument of another type", lambda: BIDS.select(a=call(SHOUT, col("id"))), TypeMismatch, f"Map: shout: operand must be STR, got INT (id); {COLUMNS}"),
    ("aggregated another type", lambda: BIDS.aggregate(a=aggregated(LONGEST, "id")), TypeMismatch, f"Aggregation: longest: argument must be STR, got INT (id); {COLUMNS}"),
    ("function returns another type", lambda: run(BIDS.select(a=call(BROKEN, col("id"))), 1), TypeMismatch, "broken: result must be INT, got '1'"),
    ("column expression as a name", lambda: BIDS.select(col("id")), SchemaError, "Map: expected the names of columns, got ColumnExpression("),  # type: ignore[arg-type]  # on purpose
    ("column expression as a key", lambda: BIDS.group_by(col("id")), SchemaError, "Grouping: expected the names of columns, got ColumnExpression("),  # type: ignore[arg-type]  # on purpose
    ("no aggregate", lambda: BIDS.aggregate(n=5), TypeMismatch, "Aggregation: n must be an aggregate like count() or sum_(…), got 5"),  # type: ignore[arg-type]  # on purpose
    ("aggregate of a number", lambda: sum_(5), TypeMismatch, "aggregate: expected a column's name or a column expression, got 5"),  # type: ignore[arg-type]  # on purpose
    ("no query", lambda: BIDS.union(None), SchemaError, "Union: the other input must be a query, got None"),  # type: ignore[arg-type]  # on purpose
    ("no function", lambda: BIDS.select(a=call("f", 1)), TypeMismatch, f"Map: call: expected a ScalarFunction, got 'f'; {COLUMNS}"),  # type: ignore[arg-type]  # on purpose
    ("no aggregate function", lambda: BIDS.aggregate(a=aggregated("f", "id")), TypeMismatch, f"Aggregation: aggregated: expected an AggregateFunction, got 'f'; {COLUMNS}"),  # type: ignore[arg-type]  # on purpose
    ("case without pairs", lambda: case(col("id") > 1, 1), TypeMismatch, "case: expected pairs (condition, result), got (ColumnExpression("),  # type: ignore[arg-type]  # on purpose
    ("no expression", lambda: Filter(BIDS.plan, "id"), TypeMismatch, f"Filter: expected an expression, got 'id'; {COLUMNS}"),  # type: ignore[arg-type]  # on purpose
    ("no position", lambda: Ref(-1, Type.INT), TypeMismatch, "Ref: expected a position ≥ 0 and a Type, got -1 and INT"),
    ("no type of a constant", lambda: Constant(1, int), TypeMismatch, "Constant: expected a Type, got <class 'int'>"),  # type: ignore[arg-type]  # on purpose
    ("function fails", lambda: run(BIDS.select(a=call(FAILS, col("id"))), 1), FunctionError, "fails: failed for (1,): ZeroDivisionError('integer division or modulo by zero')"),
    ("aggregate fails", lambda: run(BIDS.aggregate(a=aggregated(FAILING, "price")), 1, 2), FunctionError, "failing: failed for [1, 2]: ZeroDivisionError('integer division or modulo by zero')"),
    # windows
    *((f"window {w!r}", (lambda w: lambda: BIDS.window(w))(w), WindowError, f"TimeWindow: size must be an integer ≥ 1, got {w!r}") for w in (0, -3, 2.5, True)),
    ("slide 0", lambda: BIDS.window(5, slide=0), WindowError, "TimeWindow: slide must be an integer ≥ 1, got 0"),
    ("rows 0", lambda: BIDS.rows(0), WindowError, "CountWindow: rows must be an integer ≥ 1, got 0"),
    ("rows for ever", lambda: BIDS.rows(FOREVER), WindowError, "CountWindow: rows must be an integer ≥ 1, got inf"),  # type: ignore[arg-type]  # on purpose
    ("partitioned rows 0", lambda: BIDS.rows(0, by=("id",)), WindowError, "PartitionedWindow: rows must be an integer ≥ 1, got 0"),
    ("ties with a slide", lambda: BIDS.rows(2, slide=2, ties=True), WindowError, "CountWindow: a window with ties has no slide, got slide 2"),
    ("landmark before time", lambda: BIDS.landmark(-1), WindowError, "LandmarkWindow: start must be an instant ≥ 0, got -1"),
    ("landmark reset 0", lambda: BIDS.landmark(0, reset=0), WindowError, "LandmarkWindow: reset must be an integer ≥ 1, got 0"),
    # streams
    ("unsorted raw stream", lambda: RawStream(SCHEMA, [((1,), 5), ((1,), 3)]), StreamError, "RawStream: elements must be in the order of time, got 3 after 5 at 1"),
    ("unsorted interval stream", lambda: IntervalStream(SCHEMA, [((1,), Interval(5, 6)), ((1,), Interval(3, 9))]), StreamError, "IntervalStream: elements must be in the order of time, got 3 after 5 at 1"),
    ("negative time", lambda: RawStream(SCHEMA, [((1,), -1)]), StreamError, "RawStream: time of element 0 must be an instant 0, 1, 2, …, got -1"),
    ("fractional time", lambda: RawStream(SCHEMA, [((1,), 1.5)]), StreamError, "RawStream: time of element 0 must be an instant 0, 1, 2, …, got 1.5"),  # type: ignore[list-item]  # on purpose
    ("time for ever", lambda: Interval(FOREVER, FOREVER), StreamError, "Interval: start must be an instant 0, 1, 2, …, got inf"),  # type: ignore[arg-type]  # on purpose
    ("empty interval", lambda: Interval(4, 4), StreamError, "Interval: end must be after start 4, got 4"),
    ("row too short", lambda: RawStream(BIDS.schema, [((1,), 0)]), StreamError, "RawStream: element 0 must have 3 values (id INT, price INT, name STR), got (1,)"),
    ("row is no row", lambda: RawStream(SCHEMA, [("1", 0)]), StreamError, "RawStream: element 0 must have 1 value (x INT), got '1'"),
    ("value of another type", lambda: RawStream(SCHEMA, [((1,), 0), (("a",), 1)]), TypeMismatch, "RawStream: element 1: column x must be INT, got 'a'"),
    ("bool for int", lambda: RawStream(SCHEMA, [((True,), 0)]), TypeMismatch, "RawStream: element 0: column x must be INT, got True"),
    ("int beyond 64 bits", lambda: RawStream(SCHEMA, [((2**63,), 0)]), ArithmeticOverflow, "RawStream: element 0: column x must fit into 64 bits, got 9223372036854775808"),
    ("negative multiplicity", lambda: Multiset({(1,): -1}), StreamError, "Multiset: expected row tuples with multiplicities ≥ 0, got (1,): -1"),
    ("missing source", lambda: evaluate(BIDS, {"Other": RawStream(SCHEMA)}, 1), StreamError, "evaluate: no stream is given for source 'Bid'; given: Other"),
    ("no sources", lambda: evaluate(BIDS, {}, 1), StreamError, "evaluate: no stream is given for source 'Bid'; given: none"),
    ("source of another schema", lambda: evaluate(BIDS, {"Bid": RawStream(SCHEMA)}, 1), StreamError, "evaluate: source 'Bid' must have columns id INT, price INT, name STR, got x INT"),
    ("horizon too far", lambda: evaluate(BIDS, {}, 99999999999), StreamError, "evaluate: horizon must be at most 1000000, one snapshot for each instant, got 99999999999; evaluate_sparse takes any"),
    ("horizon of a stream too far", lambda: to_logical(RawStream(SCHEMA), 99999999999), StreamError, "to_logical: horizon must be at most 1000000, one snapshot for each instant, got 99999999999; evaluate_sparse takes any"),
    ("negative sparse horizon", lambda: evaluate_sparse(BIDS, {}, -1), StreamError, "evaluate_sparse: horizon must be an instant 0, 1, 2, …, got -1"),
    ("no sparse plan", lambda: evaluate_sparse("x", {}), StreamError, "evaluate_sparse: expected a query and streams by name, got 'x' and {}"),  # type: ignore[arg-type]  # on purpose
    ("sparse plan nested too deeply", lambda: evaluate_sparse(nested(2000), {"Bid": RawStream(BIDS.schema)}), StreamError, "evaluate_sparse: the plan is nested too deeply"),
    ("too many changes", lambda: evaluate_sparse(BIDS.distinct(), {"Bid": RawStream(BIDS.schema, [((1, 1, "a"), 0)])}, limit=1), TooManyChanges, "evaluate_sparse: Distinct brings the plan to 2 changes or more; expected at most 1: take a nearer horizon or a higher limit"),
    ("negative horizon", lambda: evaluate(BIDS, {}, -1), StreamError, "evaluate: horizon must be an instant 0, 1, 2, …, got -1"),
    ("beyond the horizon", lambda: run(BIDS).at(1), StreamError, "at: time must be before the horizon 1, got 1"),
    ("before time", lambda: run(BIDS).at(-1), StreamError, "at: time must be an instant 0, 1, 2, …, got -1"),
    ("a logical source known too short", lambda: evaluate(BIDS, {"Bid": run(BIDS)}, 2), StreamError, "until: the stream is known up to horizon 1, got 2"),
    ("a source computed", lambda: apply(Source("S", SCHEMA), ()), StreamError, "apply: S is a source, it has no inputs to be computed from"),
    ("elements are no pairs", lambda: RawStream(SCHEMA, [5]), StreamError, "RawStream: element 0 must be a pair of row and time, got 5"),  # type: ignore[list-item]  # on purpose
    ("no elements", lambda: RawStream(SCHEMA, 5), StreamError, f"RawStream: expected a Schema and elements, got {SCHEMA!r} and 5"),  # type: ignore[arg-type]  # on purpose
    ("no interval", lambda: IntervalStream(SCHEMA, [((1,), (0, 5))]), StreamError, "IntervalStream: element 0 must have an Interval, got (0, 5)"),  # type: ignore[list-item]  # on purpose
    ("no rows", lambda: Multiset(5), StreamError, "Multiset: expected rows, or a mapping from rows to multiplicities, got 5"),  # type: ignore[arg-type]  # on purpose
    ("strange row", lambda: LogicalStream(SCHEMA, (Multiset([("a",)]),)), StreamError, "LogicalStream: instant 0 must hold rows of x INT, got ('a',)"),
    ("no plan", lambda: evaluate("x", {}, 1), StreamError, "evaluate: expected a query and streams by name, got 'x' and {}"),  # type: ignore[arg-type]  # on purpose
    ("no stream", lambda: evaluate(BIDS, {"Bid": 5}, 1), StreamError, "evaluate: source 'Bid' must be a stream, got 5"),  # type: ignore[dict-item]  # on purpose
    ("other types", lambda: equivalent(RawStream(SCHEMA), RawStream(OTHER.schema)), StreamError, "equivalent: streams must have the same types, got x INT and id INT, note STR"),
    ("negative horizon of a stream", lambda: to_logical(RawStream(SCHEMA), -1), StreamError, "to_logical: horizon must be an instant 0, 1, 2, …, got -1"),
    ("a huge number", lambda: RawStream(SCHEMA, [((10**5000,), 0)]), ArithmeticOverflow, "RawStream: element 0: column x must fit into 64 bits, got an integer of 16610 bits"),
    ("plan nested too deeply", lambda: evaluate(nested(2000), {"Bid": RawStream(BIDS.schema)}, 1), StreamError, "evaluate: the plan is nested too deeply"),
    # overflow
    ("+ overflows", lambda: run(BIDS.select(a=col("price") + 1), BIG), ArithmeticOverflow, "9223372036854775807 + 1 must fit into 64 bits, got 9223372036854775808"),
    ("- overflows", lambda: run(BIDS.select(a=-2 - col("price")), BIG), ArithmeticOverflow, "-2 - 9223372036854775807 must fit into 64 bits, got -9223372036854775809"),
    ("* overflows", lambda: run(BIDS.select(a=4 * col("price")), 2**61), ArithmeticOverflow, "4 * 2305843009213693952 must fit into 64 bits, got 9223372036854775808"),
    ("unary minus overflows", lambda: run(BIDS.select(a=-col("price")), -BIG - 1), ArithmeticOverflow, "-(-9223372036854775808) must fit into 64 bits, got 9223372036854775808"),
    ("SUM overflows", lambda: run(BIDS.aggregate(a=sum_("price")), BIG, BIG), ArithmeticOverflow, "SUM must fit into 64 bits, got 18446744073709551614"),
    # notation
    ("no place", lambda: BIDS.limit(0, "price"), WindowError, "Limit: count must be an integer ≥ 1, got 0"),
    ("an offset below 0", lambda: BIDS.limit(1, "price", offset=-1), WindowError, "Limit: offset must be an integer ≥ 0, got -1"),
    ("another ranking", lambda: BIDS.limit(1, "price", ranking="best"), WindowError, "Limit: ranking must be one of rows, rank, dense, got 'best'"),  # type: ignore[arg-type]
    ("another direction", lambda: BIDS.limit(1, "price up"), SchemaError, "Limit: 'price up': expected a column and one of: nulls first, nulls last, asc, asc nulls first, asc nulls last, desc, desc nulls first, desc nulls last"),
    ("sorted by nothing", lambda: Limit(BIDS.plan, 1, ("price",)), SchemaError, "Limit: order must be sort keys, got ('price',); columns: id INT, price INT, name STR"),  # type: ignore[arg-type]
    ("sorted twice", lambda: BIDS.limit(1, ["price", "price desc"]), SchemaError, "Limit: order must be by different column positions, got [1, 1]; columns: id INT, price INT, name STR"),
    ("unknown operator", lambda: parse("S(x int) | fliter(x > 1)"), NotationError, "column 12: expected an operator: filter, map, unnest, aggregate, total, group, limit, over, window, distinct, istream, dstream, rstream, got 'fliter' in: S(x int) | ▶fliter(x > 1)"),
    ("unknown word", lambda: parse("S(x int) | filter(x >)"), NotationError, "column 22: expected an expression, got ')' in: (x int) | filter(x >▶)"),
    ("no end", lambda: parse("S(x int) | distinct distinct"), NotationError, "column 21: expected the end, got 'distinct' in: S(x int) | distinct ▶distinct"),
    ("nothing", lambda: parse(""), NotationError, "column 1: expected an expression, with columns as $position:type, got the end in: ▶"),
    ("wrong character", lambda: parse("raw(x int): (1)@0 §"), NotationError, "column 19: expected the end, got '§' in: raw(x int): (1)@0 ▶§"),
    ("unknown type word", lambda: parse("S(x number)"), NotationError, "column 5: expected a type: int, float, bool, str, timestamp, date, time, decimal(10, 2), array<int> …, got 'number' in: S(x ▶number)"),
    ("a frame of groups", lambda: Frame(wrong("groups"), 1), WindowError, "Over: a frame is of rows or range, 0 or more preceding, got Frame(unit='groups', preceding=1)"),
    ("a frame of half a row", lambda: Frame("rows", 0.5), WindowError, "Over: a frame is of rows or range, 0 or more preceding, got Frame(unit='rows', preceding=0.5)"),
    ("LAG by nothing", lambda: BIDS.over(a=lag("price", 0)), WindowError, "Over: LAG and LEAD go by an integer ≥ 1, got 0"),
    ("unnest of no array", lambda: BIDS.unnest("price", "x"), TypeMismatch, "Unnest: expected an ARRAY, got INT (price); columns: id INT, price INT, name STR"),
    ("unnest with three names", lambda: Unnest(BIDS.plan, Constant((1,), array_of(Type.INT)), ("a", "b", "c")), SchemaError, "Unnest: expected a name, or two with the number, got ('a', 'b', 'c'); columns: id INT, price INT, name STR"),
    ("a field that is not there", lambda: parse("S(r row<a int>) | map(field(r, 'b') as b)"), TypeMismatch, "Map: FIELD: arguments must be (ROW<…>, field) → its type, got (ROW<a INT>, STR) (r, 'b'); columns: r ROW<a INT>"),
    ("no function over rows", lambda: Over(BIDS.plan, wrong((Over,)), ("a",)), SchemaError, "Over: expected functions over rows, got <class 'semantics.plan.across_time.Over'>; columns: id INT, price INT, name STR"),
    ("OVER asks for now", lambda: BIDS.over(a=lag(now())), SchemaError, "Over: a function cannot ask for now; make it a column below; columns: id INT, price INT, name STR"),
    ("a session without a gap", lambda: BIDS.session(0), WindowError, "SessionWindow: gap must be an integer ≥ 1, got 0"),
    ("CAST to a Python type", lambda: Cast(Constant(1, Type.INT), wrong(int)), TypeMismatch, "CAST: expected a Type, got <class 'int'>"),
    ("plans with other columns", lambda: check_comparable(BIDS, BIDS.select("id")), SchemaError, "plans with different columns cannot be equivalent: id INT, price INT, name STR; id INT"),
    ("unknown window", lambda: parse("S(x int) | window(10)"), NotationError, "column 19: expected 'range', 'rows', 'partition by', 'landmark' or 'session', got '10' in: S(x int) | window(▶10)"),
    ("rank of sum", lambda: parse("S(x int) | aggregate(sum(x, 1) as a)"), NotationError, "column 27: expected ')', got ',' in: t) | aggregate(sum(x▶, 1) as a)"),
    ("unknown function", lambda: parse("S(x int) | map(f(x) as y)"), NotationError, "column 16: expected a ScalarFunction (known: none), got 'f' in: S(x int) | map(▶f(x) as y)"),
    ("unknown aggregate", lambda: parse("S(x int) | aggregate(f(x) as y)", {"f": SHOUT}), NotationError, "column 22: expected a AggregateFunction (known: none), got 'f' in: (x int) | aggregate(▶f(x) as y)"),
    ("unknown column in text", lambda: parse("S(x int) | filter(y > 1)"), SchemaError, "Filter: unknown column 'y'; columns: x INT"),
    ("wrong type in text", lambda: parse("S(x int) | filter(x > 'a')"), TypeMismatch, "Filter: >: operands must have one type, got INT and STR (x, 'a'); columns: x INT"),
    ("name without a scope", lambda: parse("x + 1"), NotationError, "column 3: expected '(', got '+' in: x ▶+ 1"),
    ("named expression", lambda: parse_expression("y + 1", Scope(SCHEMA)), SchemaError, "parse: unknown column 'y'; columns: x INT"),
    ("instants backwards", lambda: parse("logical(x int) to 5: 3{(1)} 2{(1)}"), NotationError, "column 29: expected a later instant before the horizon 5, got '2' in: x int) to 5: 3{(1)} ▶2{(1)}"),
    ("horizon too long", lambda: parse("logical(x int) to 9999999: "), NotationError, "logical: the horizon may be 1000000 at most, got 9999999"),
    ("too many digits", lambda: parse("raw(x int): (1)@" + "9" * 40), NotationError, f"column 17: expected an instant of at most 30 digits, got '{'9' * 40}' in: raw(x int): (1)@▶{'9' * 20}"),
    ("no such character", lambda: parse(r"'\u{ffffff}'"), NotationError, "column 1: expected a text whose character codes go up to 10ffff, got \"'\\\\u{ffffff}'\" in: ▶'\\u{ffffff}'"),
    ("no text", lambda: parse(5), NotationError, "parse: expected a text, got 5"),  # type: ignore[arg-type]  # on purpose
    ("unclosed quote", lambda: parse("S(x int) | filter(x = 'a"), NotationError, "column 23: expected an expression, got \"'a\" in: x int) | filter(x = ▶'a"),
    ("multiplicity too large", lambda: parse("{(1)*99999999999}"), NotationError, "a multiplicity may be 1000000 at most, got 99999999999"),
    ("nothing to show", lambda: show(5), NotationError, "show: expected a stream, a row, an expression or a plan, got 5"),  # type: ignore[arg-type]  # on purpose
    ("nested too deeply", lambda: parse("(" * 10_000), NotationError, f"the text is nested too deeply: {'(' * 40}…"),
]  # fmt: skip


@pytest.mark.parametrize(("attempt", "kind", "message"), [w[1:] for w in WRONG], ids=[w[0] for w in WRONG])
def test_bad_input_is_named(attempt: Callable[[], object], kind: type[SnapeqError], message: str) -> None:
    with pytest.raises(kind) as caught:
        attempt()
    assert type(caught.value) is kind
    assert str(caught.value) == message or (
        message.endswith("ColumnExpression(") and str(caught.value).startswith(message)
    )
