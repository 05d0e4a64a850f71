"""Rules about how intervals are cut: split cuts them, coalesce joins them; neither changes what is there at an instant.

Each is stated with the strongest of the six equivalences that it keeps.
"""

from typing import Final

from equivalence.lists.list_query import listed
from equivalence.rules.statement import Free, Rule, Sides, rule
from semantics.constraint import DuplicateFree

INTERVALS: Final = "Slivinskas, Jensen & Snodgrass 2001 (coalescing)"


@rule("split_l(A) is A, as lists at every instant", source="snapeq", equivalence="snapshot-list")
def split_only_cuts(free: Free) -> Sides:
    a = listed(free.stream("A"))
    return a.split(free.number("l")), a


@rule("coalesce_l(A) is A, as multisets at every instant", source=INTERVALS, equivalence="snapshot-multiset")
def coalesce_only_joins(free: Free) -> Sides:
    a = listed(free.stream("A"))
    return a.coalesce(free.number("l")), a


@rule("coalesce(coalesce(A)) is coalesce(A), as lists", source=INTERVALS, equivalence="list")
def coalesce_twice(free: Free) -> Sides:
    a = listed(free.stream("A"))
    return a.coalesce().coalesce(), a.coalesce()


@rule("coalesce_1(A) is A, as lists", source="snapeq", equivalence="list")
def nothing_to_coalesce(free: Free) -> Sides:
    a = listed(free.stream("A"))
    return a.coalesce(1), a


@rule("split_l(split_k(A)) is split_l(A), as lists, where l divides k", source="snapeq", equivalence="list")
def split_pieces(free: Free) -> Sides:
    a, k, l = listed(free.stream("A")), free.number("k"), free.number("l")
    free.require("l divides k", k // l * l == k)
    return a.split(k).split(l), a.split(l)


@rule("split_l(split_k(A)) is split_k(A), as lists, where k ≤ l", source="snapeq", equivalence="list")
def split_short_pieces(free: Free) -> Sides:
    a, k, l = listed(free.stream("A")), free.number("k"), free.number("l")
    free.require("k ≤ l", k <= l)
    return a.split(k).split(l), a.split(k)


@rule("split_l(σ_p(A)) is σ_p(split_l(A)), as lists", source="snapeq", equivalence="list")
def filter_through_split(free: Free) -> Sides:
    a, l = free.stream("A"), free.number("l")
    p = free.predicate("p", a)
    return listed(a).filter(p).split(l), listed(a).split(l).filter(p)


@rule("split_l(μ_f(A)) is μ_f(split_l(A)), as lists", source="snapeq", equivalence="list")
def map_through_split(free: Free) -> Sides:
    a, l = free.stream("A"), free.number("l")
    f = free.function("f", a)
    return listed(a).select(y=f).split(l), listed(a).split(l).select(y=f)


@rule("split_l(A ⧺ B) is split_l(A) ⧺ split_l(B), as lists", source="snapeq", equivalence="list")
def split_through_append(free: Free) -> Sides:
    a, l = free.stream("A"), free.number("l")
    b = listed(free.stream("B", like=a))
    return listed(a).append(b).split(l), listed(a).split(l).append(b.split(l))


@rule("split_l(A) × B is A × B, as lists at every instant", source="snapeq", equivalence="snapshot-list")
def split_below_product(free: Free) -> Sides:
    a, b = listed(free.stream("A")), listed(free.stream("B"))
    return a.split(free.number("l")).product(b), a.product(b)


@rule("split_l(sort_K(A)) is sort_K(split_l(A)), as lists", source="snapeq", equivalence="list")
def sort_through_split(free: Free) -> Sides:
    a, l = free.stream("A"), free.number("l")
    by = free.columns("K", a)
    return listed(a).sort(*by).split(l), listed(a).split(l).sort(*by)


@rule("split_l(sort_start(A)) is sort_start(split_l(A)), as multisets", source="snapeq", equivalence="multiset")
def sort_by_time_through_split(free: Free) -> Sides:
    a, l = listed(free.stream("A")), free.number("l")
    return a.sort("_start").split(l), a.split(l).sort("_start")


@rule("split_1(A) is split_1(coalesce(A)), as multisets", source="snapeq", equivalence="multiset")
def chronons_are_the_same(free: Free) -> Sides:
    a = listed(free.stream("A"))
    return a.split(1), a.coalesce().split(1)


@rule("rdup(split_1(A)) is rdupT(split_1(A)), as lists", source="snapeq", equivalence="list")
def both_eliminations_are_one_on_chronons(free: Free) -> Sides:
    a = listed(free.stream("A")).split(1)
    return a.rdup(), a.rdup_t()


@rule("split_1(rdupT(A)) is rdupT(split_1(A)), as lists", source="snapeq", equivalence="list")
def chronons_through_rdup_t(free: Free) -> Sides:
    a = listed(free.stream("A"))
    return a.rdup_t().split(1), a.split(1).rdup_t()


@rule("rdupT(split_l(A)) is rdupT(A), as lists at every instant", source="snapeq", equivalence="snapshot-list")
def split_below_rdup_t(free: Free) -> Sides:
    a = listed(free.stream("A"))
    return a.split(free.number("l")).rdup_t(), a.rdup_t()


@rule("coalesce(split_l(A)) is coalesce(A), as lists, where A has no duplicates", source="snapeq", equivalence="list")
def coalesce_undoes_split(free: Free) -> Sides:
    a = listed(free.stream("A"))
    free.given(DuplicateFree("A"))
    return a.split(free.number("l")).coalesce(), a.coalesce()


@rule("coalesce(rdupT(split_l(A))) is coalesce(rdupT(A)), as lists", source="snapeq", equivalence="list")
def coalesce_undoes_split_without_duplicates(free: Free) -> Sides:
    a = listed(free.stream("A"))
    return a.split(free.number("l")).rdup_t().coalesce(), a.rdup_t().coalesce()


@rule("coalesce(rdupT(sort_start(A))) is coalesce(rdupT(A)), as multisets", source=INTERVALS, equivalence="multiset")
def order_does_not_matter_below_coalesce(free: Free) -> Sides:
    a = listed(free.stream("A"))
    return a.sort("_start").rdup_t().coalesce(), a.rdup_t().coalesce()


@rule("coalesce(rdupT(coalesce(A))) is coalesce(rdupT(A)), as lists", source=INTERVALS, equivalence="list")
def coalesce_below_rdup_t_and_coalesce(free: Free) -> Sides:
    a = listed(free.stream("A"))
    return a.coalesce().rdup_t().coalesce(), a.rdup_t().coalesce()


@rule(
    "rdupT(coalesce(A)) is rdupT(A), as multisets at every instant", source=INTERVALS, equivalence="snapshot-multiset"
)
def coalesce_below_rdup_t(free: Free) -> Sides:
    a = listed(free.stream("A"))
    return a.coalesce().rdup_t(), a.rdup_t()


@rule("coalesce(rdupT(A)) is A, as sets at every instant", source=INTERVALS, equivalence="snapshot-set")
def canonical_without_duplicates(free: Free) -> Sides:
    a = listed(free.stream("A"))
    return a.rdup_t().coalesce(), a


@rule("coalesce(σ_p(A)) is σ_p(coalesce(A)), as lists", source=INTERVALS, equivalence="list")
def filter_through_coalesce(free: Free) -> Sides:
    a = free.stream("A")
    p = free.predicate("p", a)
    return listed(a).filter(p).coalesce(), listed(a).coalesce().filter(p)


@rule(
    "coalesce(π_K(coalesce(A))) is coalesce(π_K(A)), as multisets at every instant",
    source=INTERVALS,
    equivalence="snapshot-multiset",
)
def coalesce_below_projection(free: Free) -> Sides:
    a = free.stream("A")
    kept = free.columns("K", a)
    return listed(a).coalesce().select(*kept).coalesce(), listed(a).select(*kept).coalesce()


@rule("coalesce(sort_K(A)) is sort_K(coalesce(A)), as lists", source=INTERVALS, equivalence="list")
def sort_through_coalesce(free: Free) -> Sides:
    a = free.stream("A")
    by = free.columns("K", a)
    return listed(a).sort(*by).coalesce(), listed(a).coalesce().sort(*by)


@rule(
    "coalesce(A) ⧺ coalesce(B) is coalesce(A ⧺ B), as multisets at every instant",
    source=INTERVALS,
    equivalence="snapshot-multiset",
)
def coalesce_through_append(free: Free) -> Sides:
    a = free.stream("A")
    b = listed(free.stream("B", like=a))
    return listed(a).coalesce().append(b.coalesce()), listed(a).append(b).coalesce()


@rule(
    "coalesce(A) × coalesce(B) is coalesce(A × B), as multisets at every instant",
    source=INTERVALS,
    equivalence="snapshot-multiset",
)
def coalesce_through_product(free: Free) -> Sides:
    a, b = listed(free.stream("A")), listed(free.stream("B"))
    return a.coalesce().product(b.coalesce()), a.product(b).coalesce()


RULES: Final[tuple[Rule, ...]] = (
    split_only_cuts,
    coalesce_only_joins,
    coalesce_twice,
    nothing_to_coalesce,
    split_pieces,
    split_short_pieces,
    filter_through_split,
    map_through_split,
    split_through_append,
    split_below_product,
    sort_through_split,
    sort_by_time_through_split,
    chronons_are_the_same,
    both_eliminations_are_one_on_chronons,
    chronons_through_rdup_t,
    split_below_rdup_t,
    coalesce_undoes_split,
    coalesce_undoes_split_without_duplicates,
    order_does_not_matter_below_coalesce,
    coalesce_below_rdup_t_and_coalesce,
    coalesce_below_rdup_t,
    canonical_without_duplicates,
    filter_through_coalesce,
    coalesce_below_projection,
    sort_through_coalesce,
    coalesce_through_append,
    coalesce_through_product,
)
