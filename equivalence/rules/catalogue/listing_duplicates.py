"""Rules about the two duplicate eliminations: rdup keeps every element once, rdupT every row once at every instant.

Each is stated with the strongest of the six equivalences that it keeps; where two are kept of which neither implies the
other, there are two rules.
"""

from typing import Final

from equivalence.lists.list_query import listed
from equivalence.rules.statement import Free, Rule, Sides, rule
from semantics.constraint import DuplicateFree

DUPLICATES: Final = "Slivinskas, Jensen & Snodgrass 2001 (duplicates)"


@rule("rdup(A) is A, as sets", source=DUPLICATES, equivalence="set")
def rdup_loses_nothing(free: Free) -> Sides:
    a = listed(free.stream("A"))
    return a.rdup(), a


@rule("rdupT(A) is A, as sets at every instant", source=DUPLICATES, equivalence="snapshot-set")
def rdup_t_loses_nothing(free: Free) -> Sides:
    a = listed(free.stream("A"))
    return a.rdup_t(), a


@rule("rdup(rdup(A)) is rdup(A), as lists", source=DUPLICATES, equivalence="list")
def rdup_twice(free: Free) -> Sides:
    a = listed(free.stream("A"))
    return a.rdup().rdup(), a.rdup()


@rule("rdupT(rdupT(A)) is rdupT(A), as lists", source=DUPLICATES, equivalence="list")
def rdup_t_twice(free: Free) -> Sides:
    a = listed(free.stream("A"))
    return a.rdup_t().rdup_t(), a.rdup_t()


@rule("rdupT(rdup(A)) is rdupT(A), as lists", source=DUPLICATES, equivalence="list")
def rdup_before_rdup_t(free: Free) -> Sides:
    a = listed(free.stream("A"))
    return a.rdup().rdup_t(), a.rdup_t()


@rule("rdup(rdupT(A)) is rdupT(A), as lists", source=DUPLICATES, equivalence="list")
def rdup_after_rdup_t(free: Free) -> Sides:
    a = listed(free.stream("A"))
    return a.rdup_t().rdup(), a.rdup_t()


@rule("rdup(A) is A, as lists, where A has no duplicates", source=DUPLICATES, equivalence="list")
def nothing_for_rdup(free: Free) -> Sides:
    a = listed(free.stream("A"))
    free.given(DuplicateFree("A"))
    return a.rdup(), a


@rule("rdupT(A) is A, as lists, where A has no duplicates", source=DUPLICATES, equivalence="list")
def nothing_for_rdup_t(free: Free) -> Sides:
    a = listed(free.stream("A"))
    free.given(DuplicateFree("A"))
    return a.rdup_t(), a


@rule("rdup(σ_p(A)) is σ_p(rdup(A)), as lists", source=DUPLICATES, equivalence="list")
def filter_through_rdup(free: Free) -> Sides:
    a = free.stream("A")
    p = free.predicate("p", a)
    return listed(a).filter(p).rdup(), listed(a).rdup().filter(p)


@rule("rdupT(σ_p(A)) is σ_p(rdupT(A)), as lists", source=DUPLICATES, equivalence="list")
def filter_through_rdup_t(free: Free) -> Sides:
    a = free.stream("A")
    p = free.predicate("p", a)
    return listed(a).filter(p).rdup_t(), listed(a).rdup_t().filter(p)


@rule("rdup(μ_f(rdup(A))) is rdup(μ_f(A)), as lists", source=DUPLICATES, equivalence="list")
def rdup_below_map_and_rdup(free: Free) -> Sides:
    a = free.stream("A")
    f = free.function("f", a)
    return listed(a).rdup().select(y=f).rdup(), listed(a).select(y=f).rdup()


@rule("rdupT(μ_f(rdupT(A))) is rdupT(μ_f(A)), as lists", source=DUPLICATES, equivalence="list")
def rdup_t_below_map_and_rdup_t(free: Free) -> Sides:
    a = free.stream("A")
    f = free.function("f", a)
    return listed(a).rdup_t().select(y=f).rdup_t(), listed(a).select(y=f).rdup_t()


@rule("μ_f(rdup(A)) is rdup(μ_f(A)), as sets", source=DUPLICATES, equivalence="set")
def map_through_rdup(free: Free) -> Sides:
    a = free.stream("A")
    f = free.function("f", a)
    return listed(a).rdup().select(y=f), listed(a).select(y=f).rdup()


@rule("μ_f(rdupT(A)) is rdupT(μ_f(A)), as sets at every instant", source=DUPLICATES, equivalence="snapshot-set")
def map_through_rdup_t(free: Free) -> Sides:
    a = free.stream("A")
    f = free.function("f", a)
    return listed(a).rdup_t().select(y=f), listed(a).select(y=f).rdup_t()


@rule("rdup(rdup(A) ⧺ rdup(B)) is rdup(A ⧺ B), as lists", source=DUPLICATES, equivalence="list")
def rdup_below_append(free: Free) -> Sides:
    a = free.stream("A")
    b = listed(free.stream("B", like=a))
    return listed(a).rdup().append(b.rdup()).rdup(), listed(a).append(b).rdup()


@rule("rdupT(rdupT(A) ⧺ rdupT(B)) is rdupT(A ⧺ B), as lists", source=DUPLICATES, equivalence="list")
def rdup_t_below_append(free: Free) -> Sides:
    a = free.stream("A")
    b = listed(free.stream("B", like=a))
    return listed(a).rdup_t().append(b.rdup_t()).rdup_t(), listed(a).append(b).rdup_t()


@rule("rdup(A) ⧺ rdup(B) is rdup(A ⧺ B), as sets", source=DUPLICATES, equivalence="set")
def rdup_through_append(free: Free) -> Sides:
    a = free.stream("A")
    b = listed(free.stream("B", like=a))
    return listed(a).rdup().append(b.rdup()), listed(a).append(b).rdup()


@rule("rdupT(A) ⧺ rdupT(B) is rdupT(A ⧺ B), as sets at every instant", source=DUPLICATES, equivalence="snapshot-set")
def rdup_t_through_append(free: Free) -> Sides:
    a = free.stream("A")
    b = listed(free.stream("B", like=a))
    return listed(a).rdup_t().append(b.rdup_t()), listed(a).append(b).rdup_t()


@rule("A ⧺ A is A, as sets", source=DUPLICATES, equivalence="set")
def a_list_twice(free: Free) -> Sides:
    a = listed(free.stream("A"))
    return a.append(a), a


@rule("rdup(A ⧺ A) is rdup(A), as lists", source="snapeq", equivalence="list")
def rdup_of_a_list_twice(free: Free) -> Sides:
    a = listed(free.stream("A"))
    return a.append(a).rdup(), a.rdup()


@rule("rdupT(A) × rdupT(B) is rdupT(A × B), as multisets", source="snapeq", equivalence="multiset")
def rdup_t_through_product(free: Free) -> Sides:
    a, b = listed(free.stream("A")), listed(free.stream("B"))
    return a.rdup_t().product(b.rdup_t()), a.product(b).rdup_t()


@rule("rdupT(A) × rdupT(B) is rdupT(A × B), as lists at every instant", source="snapeq", equivalence="snapshot-list")
def rdup_t_through_product_at_every_instant(free: Free) -> Sides:
    a, b = listed(free.stream("A")), listed(free.stream("B"))
    return a.rdup_t().product(b.rdup_t()), a.product(b).rdup_t()


@rule("rdup(rdup(A) × rdup(B)) is rdup(A × B), as lists", source="snapeq", equivalence="list")
def rdup_below_product(free: Free) -> Sides:
    a, b = listed(free.stream("A")), listed(free.stream("B"))
    return a.rdup().product(b.rdup()).rdup(), a.product(b).rdup()


@rule("rdup(sort_K(A)) is sort_K(rdup(A)), as lists", source=DUPLICATES, equivalence="list")
def sort_through_rdup(free: Free) -> Sides:
    a = free.stream("A")
    by = (*free.columns("K", a), "_start")
    return listed(a).sort(*by).rdup(), listed(a).rdup().sort(*by)


@rule("rdupT(sort_K(A)) is sort_K(rdupT(A)), as lists", source=DUPLICATES, equivalence="list")
def sort_through_rdup_t(free: Free) -> Sides:
    a = free.stream("A")
    by = free.columns("K", a)
    return listed(a).sort(*by).rdup_t(), listed(a).rdup_t().sort(*by)


@rule(
    "rdupT(sort_start(A)) is sort_start(rdupT(A)), as multisets at every instant",
    source=DUPLICATES,
    equivalence="snapshot-multiset",
)
def sort_by_time_through_rdup_t(free: Free) -> Sides:
    a = listed(free.stream("A"))
    return a.sort("_start").rdup_t(), a.rdup_t().sort("_start")


RULES: Final[tuple[Rule, ...]] = (
    rdup_loses_nothing,
    rdup_t_loses_nothing,
    rdup_twice,
    rdup_t_twice,
    rdup_before_rdup_t,
    rdup_after_rdup_t,
    nothing_for_rdup,
    nothing_for_rdup_t,
    filter_through_rdup,
    filter_through_rdup_t,
    rdup_below_map_and_rdup,
    rdup_t_below_map_and_rdup_t,
    map_through_rdup,
    map_through_rdup_t,
    rdup_below_append,
    rdup_t_below_append,
    rdup_through_append,
    rdup_t_through_append,
    a_list_twice,
    rdup_of_a_list_twice,
    rdup_t_through_product,
    rdup_t_through_product_at_every_instant,
    rdup_below_product,
    sort_through_rdup,
    sort_through_rdup_t,
    sort_by_time_through_rdup_t,
)
