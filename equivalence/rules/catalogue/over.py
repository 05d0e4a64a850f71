"""OVER: κ_{f,P} gives each row, at its own instant, f of the rows of its group of P so far, in the order of time."""

from functools import reduce
from operator import and_
from typing import Final

from equivalence.rules.literature import OURS
from equivalence.rules.statement import Free, Rule, Sides, rule
from semantics import col, count, dense_rank, max_, rank, row_number
from semantics.builder.over_functions import first_value
from semantics.time import FOREVER


@rule("σ_p(κ_{f,P}(A)) ≐ κ_{f,P}(σ_p(A)) where p is about P", source=OURS)
def filter_of_groups_through_over(free: Free) -> Sides:
    a, n = free.stream("A"), free.number("n")
    by, f = free.columns("P", a), free.aggregate("f", a)
    p = free.predicate("p", a.select(*by))
    return a.over(by=by, r=f.over(rows=n)).filter(p), a.filter(p).over(by=by, r=f.over(rows=n))


@rule("κ_{f over RANGE w,P}(A) ≐ A ⋈_P γ_{P;f}(ω_{w+1}(A)), NULL matching NULL", source=OURS)
def range_frame_as_a_join(free: Free) -> Sides:
    """The frame of an instant is the window that ends there, peers of the instant included."""
    a, w = free.stream("A"), free.number("w")
    by, f = free.columns("P", a), free.aggregate("f", a)
    groups = a.window(w + 1).group_by(*by).aggregate(r=f).prefix("g_")
    on = reduce(and_, [~col(name).is_distinct_from(col(f"g_{name}")) for name in by])
    joined = a.join(groups, on).select(*a.schema.names, r=col("g_r"))
    return a.over(by=by, r=f.over(range_=w)), joined


@rule("κ_{f over RANGE UNBOUNDED,P}(A) ≐ A ⋈_P γ_{P;f}(ω_∞(A)), NULL matching NULL", source=OURS)
def unbounded_frame_as_a_join(free: Free) -> Sides:
    a = free.stream("A")
    by, f = free.columns("P", a), free.aggregate("f", a)
    groups = a.window(FOREVER).group_by(*by).aggregate(r=f).prefix("g_")
    on = reduce(and_, [~col(name).is_distinct_from(col(f"g_{name}")) for name in by])
    return a.over(by=by, r=f.over()), a.join(groups, on).select(*a.schema.names, r=col("g_r"))


@rule("κ_{max(x) over ROWS 0,P}(A) ≐ μ_{A,x}(A)", source=OURS)
def frame_of_one_row(free: Free) -> Sides:
    a = free.stream("A")
    x = a.schema.names[-1]
    return a.over(by=free.columns("P", a), m=max_(x).over(rows=0)), a.select(*a.schema.names, m=col(x))


@rule("κ_{count(*) over ROWS UNBOUNDED,P}(A) ≐ κ_{row_number,P}(A)", source=OURS)
def counting_rows_is_numbering_them(free: Free) -> Sides:
    a = free.stream("A")
    by = free.columns("P", a)
    return a.over(by=by, n=count().over(rows=FOREVER)), a.over(by=by, n=row_number())


@rule("κ_{first(x) over ROWS UNBOUNDED,P}(A) ≐ κ_{first(x) over RANGE UNBOUNDED,P}(A)", source=OURS)
def the_first_row_of_all_frames(free: Free) -> Sides:
    a = free.stream("A")
    by, x = free.columns("P", a), a.schema.names[-1]
    return a.over(by=by, f=first_value(x, rows=FOREVER)), a.over(by=by, f=first_value(x))


@rule("σ_{dense ≤ rank ≤ number}(κ_{row_number,rank,dense_rank,P}(A)) ≐ the same without σ", source=OURS)
def places_in_their_order(free: Free) -> Sides:
    a = free.stream("A")
    places = a.over(by=free.columns("P", a), n=row_number(), r=rank(), d=dense_rank())
    return places.filter(col("d") <= col("r"), col("r") <= col("n")), places


RULES: Final[tuple[Rule, ...]] = (
    filter_of_groups_through_over,
    range_frame_as_a_join,
    unbounded_frame_as_a_join,
    frame_of_one_row,
    counting_rows_is_numbering_them,
    the_first_row_of_all_frames,
    places_in_their_order,
)
