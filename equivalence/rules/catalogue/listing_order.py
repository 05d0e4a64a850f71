"""Rules about the order of lists, each with the strongest of the six equivalences that it keeps."""

from typing import Final

from equivalence.lists.list_query import ListQuery, listed
from equivalence.rules.statement import Free, Rule, Sides, rule
from semantics import Query

ORDER: Final = "Slivinskas, Jensen & Snodgrass 2001 (order)"


def everything(of: Query) -> tuple[str, ...]:
    """All there is to sort by."""
    return (*of.schema.names, "_start", "_end")


def swapped(pairs: ListQuery, first: Query, second: Query) -> ListQuery:
    """The columns of a product in the other order."""
    return pairs.select(*second.schema.names, *first.schema.names)


@rule("sort_K(A) is A, as multisets", source=ORDER, equivalence="multiset")
def sort_only_moves(free: Free) -> Sides:
    a = free.stream("A")
    return listed(a).sort(*free.columns("K", a)), listed(a)


@rule("sort_start(A) is A, as multisets", source=ORDER, equivalence="multiset")
def sort_by_time_only_moves(free: Free) -> Sides:
    a = listed(free.stream("A"))
    return a.sort("_start", "_end"), a


@rule("sort_K(sort_K(A)) is sort_K(A), as lists", source=ORDER, equivalence="list")
def sort_twice(free: Free) -> Sides:
    a = free.stream("A")
    by = free.columns("K", a)
    return listed(a).sort(*by).sort(*by), listed(a).sort(*by)


@rule("sort_K(sort_{K,start}(A)) is sort_{K,start}(A), as lists", source=ORDER, equivalence="list")
def sorted_by_more_already(free: Free) -> Sides:
    a = free.stream("A")
    by = free.columns("K", a)
    finer = listed(a).sort(*by, "_start")
    return finer.sort(*by), finer


@rule("sort_K(sort_start(A)) is sort_{K,start}(A), as lists", source="snapeq", equivalence="list")
def sort_by_the_minor_key_first(free: Free) -> Sides:
    a = free.stream("A")
    by = free.columns("K", a)
    return listed(a).sort("_start").sort(*by), listed(a).sort(*by, "_start")


@rule("sort_K(sort_L(A)) is sort_K(A), as multisets", source=ORDER, equivalence="multiset")
def the_last_sort_counts(free: Free) -> Sides:
    a = free.stream("A")
    by, other = free.columns("K", a), free.columns("L", a)
    return listed(a).sort(*other, "_end").sort(*by), listed(a).sort(*by)


@rule("sort_K(sort_L(A)) is sort_K(A), as lists, where K is everything", source=ORDER, equivalence="list")
def the_last_sort_by_everything_counts(free: Free) -> Sides:
    a = free.stream("A")
    before = listed(a).sort(*free.columns("L", a))
    return before.sort(*everything(a)), listed(a).sort(*everything(a))


@rule("sort_K(σ_p(A)) is σ_p(sort_K(A)), as lists", source=ORDER, equivalence="list")
def sort_through_filter(free: Free) -> Sides:
    a = free.stream("A")
    by, p = free.columns("K", a), free.predicate("p", a)
    return listed(a).filter(p).sort(*by), listed(a).sort(*by).filter(p)


@rule("sort_K(μ_{K,f}(A)) is μ_{K,f}(sort_K(A)), as lists", source=ORDER, equivalence="list")
def sort_through_map(free: Free) -> Sides:
    a = free.stream("A")
    by, f = free.columns("K", a), free.function("f", a)
    return listed(a).select(*by, y=f).sort(*by), listed(a).sort(*by).select(*by, y=f)


@rule("sort_K(A ⧺ B) is sort_K(sort_K(A) ⧺ sort_K(B)), as lists", source="snapeq", equivalence="list")
def sort_parts_first(free: Free) -> Sides:
    a = free.stream("A")
    b, by = free.stream("B", like=a), free.columns("K", a)
    parts = listed(a).sort(*by).append(listed(b).sort(*by))
    return listed(a).append(listed(b)).sort(*by), parts.sort(*by)


@rule("sort_K(A ⧺ B) is sort_K(A) ⧺ sort_K(B), as multisets", source=ORDER, equivalence="multiset")
def sort_through_append(free: Free) -> Sides:
    a = free.stream("A")
    b, by = free.stream("B", like=a), free.columns("K", a)
    return listed(a).append(listed(b)).sort(*by), listed(a).sort(*by).append(listed(b).sort(*by))


@rule("A ⧺ B is B ⧺ A, as multisets", source=ORDER, equivalence="multiset")
def append_commutes(free: Free) -> Sides:
    a = free.stream("A")
    b = free.stream("B", like=a)
    return listed(a).append(listed(b)), listed(b).append(listed(a))


@rule("sort_K(A ⧺ B) is sort_K(B ⧺ A), as lists, where K is everything", source="snapeq", equivalence="list")
def append_commutes_under_a_sort(free: Free) -> Sides:
    a = free.stream("A")
    b, by = free.stream("B", like=a), everything(a)
    return listed(a).append(listed(b)).sort(*by), listed(b).append(listed(a)).sort(*by)


@rule("(A ⧺ B) ⧺ C is A ⧺ (B ⧺ C), as lists", source=ORDER, equivalence="list")
def append_associates(free: Free) -> Sides:
    a = free.stream("A")
    b, c = free.stream("B", like=a), free.stream("C", like=a)
    return listed(a).append(listed(b)).append(listed(c)), listed(a).append(listed(b).append(listed(c)))


@rule("σ_p(A ⧺ B) is σ_p(A) ⧺ σ_p(B), as lists", source=ORDER, equivalence="list")
def filter_through_append(free: Free) -> Sides:
    a = free.stream("A")
    b, p = free.stream("B", like=a), free.predicate("p", a)
    return listed(a).append(listed(b)).filter(p), listed(a).filter(p).append(listed(b).filter(p))


@rule("sort_K(A) × B is sort_K(A × B), as lists, where K is of A", source=ORDER, equivalence="list")
def sort_through_left_of_product(free: Free) -> Sides:
    a, b = free.stream("A"), free.stream("B")
    by = free.columns("K", a)
    return listed(a).sort(*by).product(listed(b)), listed(a).product(listed(b)).sort(*by)


@rule("A × sort_K(B) is sort_K(A × B), as multisets, where K is of B", source=ORDER, equivalence="multiset")
def sort_through_right_of_product(free: Free) -> Sides:
    a, b = free.stream("A"), free.stream("B")
    by = free.columns("K", b)
    return listed(a).product(listed(b).sort(*by)), listed(a).product(listed(b)).sort(*by)


@rule("A × B is B × A with its columns swapped, as multisets", source=ORDER, equivalence="multiset")
def list_product_commutes(free: Free) -> Sides:
    a, b = free.stream("A"), free.stream("B")
    return listed(a).product(listed(b)), swapped(listed(b).product(listed(a)), b, a)


@rule("(A × B) × C is A × (B × C), as lists", source=ORDER, equivalence="list")
def list_product_associates(free: Free) -> Sides:
    a, b, c = listed(free.stream("A")), listed(free.stream("B")), listed(free.stream("C"))
    return a.product(b).product(c), a.product(b.product(c))


@rule("(A ⧺ B) × C is (A × C) ⧺ (B × C), as lists", source=ORDER, equivalence="list")
def product_of_append(free: Free) -> Sides:
    a = free.stream("A")
    b, c = listed(free.stream("B", like=a)), listed(free.stream("C"))
    return listed(a).append(b).product(c), listed(a).product(c).append(b.product(c))


@rule("A × (B ⧺ C) is (A × B) ⧺ (A × C), as multisets", source=ORDER, equivalence="multiset")
def product_with_append(free: Free) -> Sides:
    a, b = listed(free.stream("A")), free.stream("B")
    c = listed(free.stream("C", like=b))
    return a.product(listed(b).append(c)), a.product(listed(b)).append(a.product(c))


RULES: Final[tuple[Rule, ...]] = (
    sort_only_moves,
    sort_by_time_only_moves,
    sort_twice,
    sorted_by_more_already,
    sort_by_the_minor_key_first,
    the_last_sort_counts,
    the_last_sort_by_everything_counts,
    sort_through_filter,
    sort_through_map,
    sort_parts_first,
    sort_through_append,
    append_commutes,
    append_commutes_under_a_sort,
    append_associates,
    filter_through_append,
    sort_through_left_of_product,
    sort_through_right_of_product,
    list_product_commutes,
    list_product_associates,
    product_of_append,
    product_with_append,
)
