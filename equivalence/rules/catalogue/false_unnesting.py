"""Tempting claims about arrays taken apart that are false: elements may be equal, NULL, or none."""

from typing import Final

from equivalence.rules.catalogue.unnesting import ELEMENT, array_in, with_array
from equivalence.rules.literature import OURS
from equivalence.rules.statement import Free, Rule, Sides, rule
from semantics import col


@rule("δ(υ_a(A)) ≐ υ_a(δ(A))", source=OURS, valid=False)
def unnest_of_distinct_is_distinct(free: Free) -> Sides:
    a = with_array(free)
    return a.unnest(array_in(a), ELEMENT).distinct(), a.distinct().unnest(array_in(a), ELEMENT)


@rule("δ(π_A(υ_a(A))) ≐ δ(A)", source=OURS, valid=False)
def unnest_loses_nobody(free: Free) -> Sides:
    a = with_array(free)
    return a.unnest(array_in(a), ELEMENT).select(*a.schema.names).distinct(), a.distinct()


@rule("σ_{x IS NOT NULL}(υ⁺_a(A)) ≐ υ_a(A)", source=OURS, valid=False)
def null_means_no_element(free: Free) -> Sides:
    a = with_array(free)
    x = array_in(a)
    return a.unnest(x, ELEMENT, outer=True).filter(~col(ELEMENT).is_null()), a.unnest(x, ELEMENT)


@rule("υ⁺_a(A) ≐ υ_a(A)", source=OURS, valid=False)
def outer_adds_nothing(free: Free) -> Sides:
    a = with_array(free)
    return a.unnest(array_in(a), ELEMENT, outer=True), a.unnest(array_in(a), ELEMENT)


FALSE: Final[tuple[Rule, ...]] = (
    unnest_of_distinct_is_distinct,
    unnest_loses_nobody,
    null_means_no_element,
    outer_adds_nothing,
)
