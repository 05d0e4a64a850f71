"""The builder says the same as the notation, for every operator."""

import pytest

from semantics import (
    FOREVER,
    AggregateFunction,
    Query,
    ScalarFunction,
    Type,
    TypeMismatch,
    aggregated,
    avg,
    bit_and,
    bit_or,
    bit_xor,
    call,
    case,
    cast,
    coalesce,
    col,
    corr,
    count,
    count_distinct,
    covar_pop,
    covar_samp,
    dense_rank,
    first_value,
    fn,
    lag,
    last_value,
    lead,
    left,
    lit,
    max_,
    max_by,
    median,
    min_,
    min_by,
    mode,
    null,
    parse_plan,
    percentile_cont,
    percentile_disc,
    rank,
    right,
    row_number,
    show,
    source,
    stddev_pop,
    stddev_samp,
    string_agg,
    sum_,
    top,
    try_cast,
    var_pop,
    var_samp,
)

A = source("A", x=int, f=float, s=str)
B = source("B", y=int)
HALVE = ScalarFunction("halve", (Type.FLOAT,), Type.FLOAT, lambda number: number / 2)
PRODUCT = AggregateFunction("product", Type.INT, Type.INT, init=int, merge=lambda p, v: p * v, eval=int)
x = col("x")

SAME: list[tuple[Query, str]] = [
    (A.filter(x > 1), "A | filter(x > 1)"),
    (A.filter(x > 1, col("s") == "a"), "A | filter(x > 1 and s = 'a')"),
    (A.filter(lit(True)), "A | filter(true)"),
    (A.select("s", "x"), "A | map(s as s, x as x)"),
    (
        A.select(a=x + 1, b=1 + x, c=x - 1, d=1 - x),
        "A | map(x + 1 as a, 1 + x as b, x - 1 as c, 1 - x as d)",
    ),
    (
        A.select(a=x * 2, b=2 * x, c=x / 2, d=2 / x),
        "A | map(x * 2 as a, 2 * x as b, x / 2 as c, 2 / x as d)",
    ),
    (A.select(a=x % 2, b=2 % x, c=-x, d=7), "A | map(x mod 2 as a, 2 mod x as b, -(x) as c, 7 as d)"),
    (A.filter((x == 1) | (x != 2) & ~(x < 3)), "A | filter(x = 1 or x <> 2 and not x < 3)"),
    (A.filter((x <= 1) & (x >= 0)), "A | filter(x <= 1 and x >= 0)"),
    (A.filter(x.between(1, 2)), "A | filter(x between 1 and 2)"),
    (A.filter(x.is_null() | x.is_distinct_from(None)), "A | filter(x is null or x is distinct from null:int)"),
    (A.filter(x.is_in(1, None, col("f"))), "A | filter(x in (1, null:int, f))"),
    (A.filter(col("s").like("a%", escape="!")), "A | filter(s like 'a%' escape '!')"),
    (A.filter(x == None), "A | filter(x = null:int)"),  # noqa: E711  # a comparison with NULL is what is meant
    (A.select(a=case((x > 1, "big"), default=None)), "A | map(case when x > 1 then 'big' else null:str end as a)"),
    (A.select(a=coalesce(x, None, 0)), "A | map(coalesce(x, null:int, 0) as a)"),
    (A.select(a=call(HALVE, x), b=null(float)), "A | map(halve(x) as a, null:float as b)"),
    (A.rename(x="z"), "A | map(x as z, f as f, s as s)"),
    (B.prefix("b_"), "B | map(y as b_y)"),
    (A.distinct(), "A | distinct"),
    (A.aggregate(n=count(), m=count("x")), "A | aggregate(count(*) as n, count(x) as m)"),
    (A.aggregate(on_empty=True, n=sum_(x + 1)), "A | total(sum(x + 1) as n)"),
    (A.aggregate(a=count_distinct("s"), b=avg("x")), "A | aggregate(count(distinct s) as a, avg(x) as b)"),
    (A.aggregate(a=min_("s"), b=max_("f"), c=median("x")), "A | aggregate(min(s) as a, max(f) as b, median(x) as c)"),
    (A.aggregate(a=var_pop("x"), b=stddev_pop("f")), "A | aggregate(var_pop(x) as a, stddev_pop(f) as b)"),
    (A.aggregate(t=top("x", 2)), "A | aggregate(top(x, 1) as t_1, top(x, 2) as t_2)"),
    (A.aggregate(t=top("x", 1)), "A | aggregate(top(x, 1) as t)"),
    (A.aggregate(p=aggregated(PRODUCT, "x")), "A | aggregate(product(x) as p)"),
    (A.group_by("s", "x").aggregate(n=count()), "A | group(s, x; count(*) as n)"),
    (A.group_by("s").aggregate(), "A | group(s)"),
    (A.union(A), "union(A, A)"),
    (A.difference(A), "difference(A, A)"),
    (A.intersection(A), "intersection(A, A)"),
    (A.product(B), "product(A, B)"),
    (A.join(B, x == col("y")), "join(A, B; x = y)"),
    (A.left_join(B, x == col("y")), "leftjoin(A, B; x = y)"),
    (A.right_join(B, x == col("y")), "rightjoin(A, B; x = y)"),
    (A.full_join(B, x == col("y"), x > 1), "fulljoin(A, B; x = y and x > 1)"),
    (A.semijoin(A, left("x") == right("x")), "semijoin(A, A; left.x = right.x)"),
    (A.antijoin(B, x == right("y")), "antijoin(A, B; x = y)"),
    (A.window(10), "A | window(range 10)"),
    (A.window(FOREVER, slide=3), "A | window(range unbounded slide 3)"),
    (A.rows(5, slide=2), "A | window(rows 5 slide 2)"),
    (A.rows(5, ties=True), "A | window(rows 5 with ties)"),
    (A.rows(5, by=("s", "x")), "A | window(partition by s, x rows 5)"),
    (A.landmark(3), "A | window(landmark 3)"),
    (A.landmark(3, reset=4), "A | window(landmark 3 reset 4)"),
    (A.istream().dstream().rstream(), "A | istream | dstream | rstream"),
    (A.aggregate(a=var_samp("x"), b=stddev_samp("f")), "A | aggregate(var_samp(x) as a, stddev_samp(f) as b)"),
    (A.aggregate(a=covar_pop("x", "f"), b=corr(x, "f")), "A | aggregate(covar_pop(x, f) as a, corr(x, f) as b)"),
    (A.aggregate(a=covar_samp("x", "f"), b=mode("s")), "A | aggregate(covar_samp(x, f) as a, mode(s) as b)"),
    (
        A.aggregate(a=percentile_disc("s", 0.25), b=percentile_cont("x", 0.75)),
        "A | aggregate(percentile_disc(s, 0.25) as a, percentile_cont(x, 0.75) as b)",
    ),
    (
        A.aggregate(a=bit_and("x"), b=bit_or(x + 1), c=bit_xor("x")),
        "A | aggregate(bit_and(x) as a, bit_or(x + 1) as b, bit_xor(x) as c)",
    ),
    (A.aggregate(a=min_by("s", "x"), b=max_by("x", "f")), "A | aggregate(min_by(s, x) as a, max_by(x, f) as b)"),
    (A.aggregate(a=string_agg("s", ", ")), "A | aggregate(string_agg(s, ', ') as a)"),
    (
        A.aggregate(a=string_agg("s", "-", "x", "f", descending=True)),
        "A | aggregate(string_agg(s, '-'; x desc, f desc) as a)",
    ),
    (
        A.aggregate(a=sum_("x").distinct(), b=count().filter(col("f") > 1.5)),
        "A | aggregate(sum(distinct x) as a, count(case when f > 1.5 then 1 else null:int end) as b)",
    ),
    (A.select(a=cast(x, str), b=try_cast(col("s"), int)), "A | map(cast(x as str) as a, try_cast(s as int) as b)"),
    (A.select(a=fn.upper(col("s")), b=fn.if_(x > 1, 2, None)), "A | map(upper(s) as a, if(x > 1, 2, null:int) as b)"),
    (A.session(5, by="s"), "A | window(partition by s session 5)"),
    (A.session(5, touching=True, names=("a", "b")), "A | window(session 5 touching as a, b)"),
    (
        A.over(by="s", order="x desc", a=lag("x", 2), b=lead("f"), c=sum_("x").over(range_=4)),
        "A | over(lag(x, 2) as a, lead(f, 1) as b, sum(x) range 4 as c per s; x desc)",
    ),
    (
        A.over(a=first_value("x", rows=3), b=last_value("f", range_=0), c=count().over()),
        "A | over(first(x) rows 3 as a, last(f) range 0 as b, count(*) range unbounded as c)",
    ),
    (
        A.over(order=("x", "s"), a=row_number(), b=rank(), c=dense_rank()),
        "A | over(row_number() as a, rank() as b, dense_rank() as c; x, s)",
    ),
]


@pytest.mark.parametrize(("query", "text"), SAME, ids=[text for _, text in SAME])
def test_builder_and_notation_agree(query: Query, text: str) -> None:
    full = text.replace("A", show(A.plan)).replace("B", show(B.plan))
    assert query.plan == parse_plan(full, {"halve": HALVE, "product": PRODUCT})


def test_a_source_takes_a_schema_too() -> None:
    assert source("A", A.schema) == A


def test_left_joins_of_a_stream_with_itself_need_new_names() -> None:
    joined = A.select("x").left_join(A.select("x").prefix("r_"), col("r_x") == x)
    assert joined.schema.names == ("x", "r_x")


def test_a_frame_is_of_rows_or_of_a_range() -> None:
    with pytest.raises(TypeMismatch, match="a frame is of rows or of a range, got both: 2 and 3"):
        sum_("x").over(rows=2, range_=3)


def test_over_takes_one_aggregate() -> None:
    with pytest.raises(TypeMismatch, match="Over: expected one aggregate, got 2"):
        A.over(a=top("x", 2).over(rows=1))


def test_built_in_functions_are_listed_by_name() -> None:
    assert {"upper", "date_trunc", "nullif"} <= set(dir(fn))
    with pytest.raises(AttributeError, match="there is no built-in function uper"):
        fn.uper(x)
