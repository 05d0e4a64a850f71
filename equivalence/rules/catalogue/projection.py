"""Maps and projections: composed, pruned, and moved through the other operators."""

from typing import Final

from equivalence.rules.idioms import after, aggregate_after, extended, in_order, pair, twins
from equivalence.rules.literature import BAGS, OURS, TEXTBOOK
from equivalence.rules.statement import Free, Sides, rule
from semantics import Type, col, count


@rule("μ_g(μ_f(A)) ≐ μ_{g∘f}(A)", source=TEXTBOOK)
def map_after_map(free: Free) -> Sides:
    a = free.stream("A")
    f, h = free.function("f", a), free.function("h", a)
    mapped = a.select(y=f, z=h)
    g = free.function("g", mapped)
    return mapped.select(x=g), a.select(x=after(g, mapped, y=f, z=h))


@rule("π_L(π_M(A)) ≐ π_L(A), L ⊆ M", source=TEXTBOOK)
def projection_after_projection(free: Free) -> Sides:
    a = free.stream("A", types=(Type.INT, Type.STR, Type.INT))
    some = a.select(*free.columns("M", a))
    fewer = free.columns("L", some)
    return some.select(*fewer), a.select(*fewer)


@rule("π_{all columns}(A) ≐ A", source=TEXTBOOK)
def projection_on_everything(free: Free) -> Sides:
    a = free.stream("A")
    return a.select(*a.schema.names), a


@rule("μ_f(A ∪ B) ≐ μ_f(A) ∪ μ_f(B)", source=TEXTBOOK)
def map_through_union(free: Free) -> Sides:
    a, b = twins(free)
    f = free.function("f", a)
    return a.union(b).select(y=f), a.select(y=f).union(b.select(y=f))


@rule("μ_{f,g}(A × B) ≐ μ_f(A) × μ_g(B), f over A, g over B", source=TEXTBOOK)
def map_through_product(free: Free) -> Sides:
    a, b = free.stream("A"), free.stream("B")
    f, g = free.function("f", a), free.function("g", b)
    return a.product(b).select(y=f, z=g), a.select(y=f).product(b.select(z=g))


@rule("π_L(A ⋈_θ B) ≐ π_L(π_M(A) ⋈_θ B), L and θ within M and B", source=TEXTBOOK)
def projection_into_join(free: Free) -> Sides:
    a, b = free.stream("A", types=(Type.INT, Type.STR, Type.INT)), free.stream("B")
    some = a.select(*free.columns("M", a))
    on, fewer = free.predicate("θ", some, b), free.columns("L", some)
    return a.join(b, on).select(*fewer), some.join(b, on).select(*fewer)


@rule("π_{M ∪ B}(A ⟕_θ B) ≐ π_M(A) ⟕_θ B, θ within M and B", source=OURS)
def projection_into_left_join(free: Free) -> Sides:
    a, b = free.stream("A", types=(Type.INT, Type.STR, Type.INT)), free.stream("B")
    some = a.select(*free.columns("M", a))
    on = free.predicate("θ", some, b)
    return in_order(a.left_join(b, on), some, b), some.left_join(b, on)


@rule("π_L(A ⋉_θ B) ≐ π_L(π_M(A) ⋉_θ B), L and θ within M", source=TEXTBOOK)
def projection_into_semijoin(free: Free) -> Sides:
    a, b = free.stream("A", types=(Type.INT, Type.STR, Type.INT)), free.stream("B")
    some = a.select(*free.columns("M", a))
    on, fewer = free.predicate("θ", some, b), free.columns("L", some)
    return a.semijoin(b, on).select(*fewer), some.semijoin(b, on).select(*fewer)


@rule("A ⋉_θ B ≐ A ⋉_θ π_M(B), θ within A and M", source=TEXTBOOK)
def semijoin_needs_only_what_it_compares(free: Free) -> Sides:
    a, b = free.stream("A"), free.stream("B", types=(Type.INT, Type.STR))
    some = b.select(*free.columns("M", b))
    on = free.predicate("θ", a, some)
    return a.semijoin(b, on), a.semijoin(some, on)


@rule("A ▷_θ B ≐ A ▷_θ π_M(B), θ within A and M", source=TEXTBOOK)
def antijoin_needs_only_what_it_compares(free: Free) -> Sides:
    a, b = free.stream("A"), free.stream("B", types=(Type.INT, Type.STR))
    some = b.select(*free.columns("M", b))
    on = free.predicate("θ", a, some)
    return a.antijoin(b, on), a.antijoin(some, on)


@rule("δ(μ_f(A)) ≐ δ(μ_f(δ(A)))", source=TEXTBOOK)
def duplicates_before_map_do_not_matter(free: Free) -> Sides:
    a = free.stream("A")
    f = free.function("f", a)
    return a.select(y=f).distinct(), a.distinct().select(y=f).distinct()


@rule("δ(μ_{A,f}(A)) ≐ μ_{A,f}(δ(A)): a map that keeps all columns is injective", source=OURS)
def extension_through_distinct(free: Free) -> Sides:
    a = free.stream("A")
    f = free.function("f", a)
    return extended(a, y=f).distinct(), extended(a.distinct(), y=f)


@rule("μ_{A,f}(A − B) ≐ μ_{A,f}(A) − μ_{A,f}(B)", source=BAGS)
def extension_through_difference(free: Free) -> Sides:
    a, b = twins(free)
    f = free.function("f", a)
    return extended(a.difference(b), y=f), extended(a, y=f).difference(extended(b, y=f))


@rule("μ_{A,f}(A ∩ B) ≐ μ_{A,f}(A) ∩ μ_{A,f}(B)", source=BAGS)
def extension_through_intersection(free: Free) -> Sides:
    a, b = twins(free)
    f = free.function("f", a)
    return extended(a.intersection(b), y=f), extended(a, y=f).intersection(extended(b, y=f))


@rule("μ_{A,f,B}(A ⋈_θ B) ≐ μ_{A,f}(A) ⋈_θ B, f over A", source=OURS)
def extension_before_join(free: Free) -> Sides:
    a, b, on = pair(free)
    f = free.function("f", a)
    rest = {name: col(name) for name in b.schema.names}
    return a.join(b, on).select(*a.schema.names, y=f, **rest), extended(a, y=f).join(b, on)


@rule("μ_{A,f,B}(A ⟕_θ B) ≐ μ_{A,f}(A) ⟕_θ B, f over A", source=OURS)
def extension_before_left_join(free: Free) -> Sides:
    a, b, on = pair(free)
    f = free.function("f", a)
    rest = {name: col(name) for name in b.schema.names}
    return a.left_join(b, on).select(*a.schema.names, y=f, **rest), extended(a, y=f).left_join(b, on)


@rule("A ⋈_{f=g} B ≐ π_{A,B}(μ_{A,f}(A) ⋈_{y=z} μ_{B,g}(B)): a join on computed columns", source=OURS)
def join_on_computed_columns(free: Free) -> Sides:
    a, b = free.stream("A"), free.stream("B")
    f, g = free.function("f", a, type_=Type.INT), free.function("g", b, type_=Type.INT)
    computed = extended(a, y=f).join(extended(b, z=g), col("y") == col("z"))
    return a.join(b, f == g), in_order(computed, a, b)


@rule("π_{G,x}(γ_{G; x=f, y=g}(A)) ≐ γ_{G; x=f}(A)", source=TEXTBOOK)
def unused_aggregate(free: Free) -> Sides:
    a = free.stream("A")
    groups = free.columns("G", a)
    f, g = free.aggregate("f", a), free.aggregate("g", a)
    return a.group_by(*groups).aggregate(x=f, y=g).select(*groups, "x"), a.group_by(*groups).aggregate(x=f)


@rule("γ_{G;f}(A) ≐ γ_{G;f}(π_M(A)), G and f within M", source=TEXTBOOK)
def grouping_needs_only_what_it_uses(free: Free) -> Sides:
    a = free.stream("A", types=(Type.INT, Type.STR, Type.INT))
    some = a.select(*free.columns("M", a))
    groups, f = free.columns("G", some), free.aggregate("f", some)
    return a.group_by(*groups).aggregate(x=f), some.group_by(*groups).aggregate(x=f)


@rule("α_f(μ_e(A)) ≐ α_{f∘e}(A)", source=OURS)
def expression_into_aggregate(free: Free) -> Sides:
    a = free.stream("A")
    e = free.function("e", a)
    mapped = a.select(y=e)
    f = free.aggregate("f", mapped)
    return mapped.aggregate(x=f), a.aggregate(x=aggregate_after(f, mapped, y=e))


@rule("δ(μ_c(A)) ≐ μ_c(α_{COUNT(*)}(A)): is anything there?", source=OURS)
def constant_for_presence(free: Free) -> Sides:
    a = free.stream("A")
    c = free.constant("c", Type.STR)
    return a.select(y=c).distinct(), a.aggregate(n=count()).select(y=c)


RULES: Final = (
    map_after_map,
    projection_after_projection,
    projection_on_everything,
    map_through_union,
    map_through_product,
    projection_into_join,
    projection_into_left_join,
    projection_into_semijoin,
    semijoin_needs_only_what_it_compares,
    antijoin_needs_only_what_it_compares,
    duplicates_before_map_do_not_matter,
    extension_through_distinct,
    extension_through_difference,
    extension_through_intersection,
    extension_before_join,
    extension_before_left_join,
    join_on_computed_columns,
    unused_aggregate,
    grouping_needs_only_what_it_uses,
    expression_into_aggregate,
    constant_for_presence,
)
