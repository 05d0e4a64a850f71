"""Arrays taken apart: υ_a makes a row for each element of a, υ⁺_a also one for a row without any."""

from typing import Final

from equivalence.rules.literature import OURS, TEXTBOOK
from equivalence.rules.statement import Free, Rule, Sides, rule
from semantics import Type, array_of, col, fn
from semantics.builder.query import Query

NUMBERS: Final = array_of(Type.INT)
ELEMENT: Final = "element"


def with_array(free: Free, name: str = "A") -> Query:
    """A stream with an array and a number."""
    return free.stream(name, types=(NUMBERS, Type.INT))


def array_in(a: Query) -> str:
    return a.schema.names[0]


@rule("υ_a(A ∪ B) ≐ υ_a(A) ∪ υ_a(B)", source=TEXTBOOK)
def unnest_of_union(free: Free) -> Sides:
    a = with_array(free)
    b = free.stream("B", a)
    x = array_in(a)
    return a.union(b).unnest(x, ELEMENT), a.unnest(x, ELEMENT).union(b.unnest(x, ELEMENT))


@rule("υ_a(A − B) ≐ υ_a(A) − υ_a(B)", source=OURS)
def unnest_of_difference(free: Free) -> Sides:
    a = with_array(free)
    b = free.stream("B", a)
    x = array_in(a)
    return a.difference(b).unnest(x, ELEMENT), a.unnest(x, ELEMENT).difference(b.unnest(x, ELEMENT))


@rule("υ_a(A ∩ B) ≐ υ_a(A) ∩ υ_a(B)", source=OURS)
def unnest_of_intersection(free: Free) -> Sides:
    a = with_array(free)
    b = free.stream("B", a)
    x = array_in(a)
    return a.intersection(b).unnest(x, ELEMENT), a.unnest(x, ELEMENT).intersection(b.unnest(x, ELEMENT))


@rule("σ_p(υ_a(A)) ≐ υ_a(σ_p(A)) where p is about A", source=TEXTBOOK)
def filter_through_unnest(free: Free) -> Sides:
    a = with_array(free)
    p = free.predicate("p", a)
    return a.unnest(array_in(a), ELEMENT).filter(p), a.filter(p).unnest(array_in(a), ELEMENT)


@rule("σ_p(υ⁺_a(A)) ≐ υ⁺_a(σ_p(A)) where p is about A", source=OURS)
def filter_through_outer_unnest(free: Free) -> Sides:
    a = with_array(free)
    p, x = free.predicate("p", a), array_in(a)
    return a.unnest(x, ELEMENT, outer=True).filter(p), a.filter(p).unnest(x, ELEMENT, outer=True)


@rule("υ_a(A × B) ≐ υ_a(A) × B, columns in another order", source=TEXTBOOK)
def unnest_of_product(free: Free) -> Sides:
    a, b = with_array(free), free.stream("B", types=(Type.INT,))
    x = array_in(a)
    wanted = (*a.schema.names, *b.schema.names, ELEMENT)
    return a.product(b).unnest(x, ELEMENT), a.unnest(x, ELEMENT).product(b).select(*wanted)


@rule("υ_a(ω_w(A)) ≐ ω_w(υ_a(A))", source=OURS)
def unnest_through_window(free: Free) -> Sides:
    a, w = with_array(free), free.number("w")
    return a.window(w).unnest(array_in(a), ELEMENT), a.unnest(array_in(a), ELEMENT).window(w)


@rule("δ(υ_a(A)) ≐ δ(υ_a(δ(A)))", source=OURS)
def distinct_below_unnest(free: Free) -> Sides:
    a = with_array(free)
    x = array_in(a)
    return a.unnest(x, ELEMENT).distinct(), a.distinct().unnest(x, ELEMENT).distinct()


@rule("υ_b(υ_a(A)) ≐ υ_a(υ_b(A)), columns in another order", source=OURS)
def unnest_in_any_order(free: Free) -> Sides:
    a = free.stream("A", types=(NUMBERS, NUMBERS))
    first, second = a.schema.names
    left = a.unnest(first, ELEMENT).unnest(second, "other")
    right = a.unnest(second, "other").unnest(first, ELEMENT)
    return left, right.select(*a.schema.names, ELEMENT, "other")


@rule("δ(π_A(υ_a(A))) ≐ δ(σ_{CARDINALITY(a) > 0}(A))", source=OURS)
def rows_with_elements(free: Free) -> Sides:
    a = with_array(free)
    x = array_in(a)
    left = a.unnest(x, ELEMENT).select(*a.schema.names).distinct()
    return left, a.filter(fn.cardinality(col(x)) > 0).distinct()


RULES: Final[tuple[Rule, ...]] = (
    unnest_of_union,
    unnest_of_difference,
    unnest_of_intersection,
    filter_through_unnest,
    filter_through_outer_unnest,
    unnest_of_product,
    unnest_through_window,
    distinct_below_unnest,
    unnest_in_any_order,
    rows_with_elements,
)
