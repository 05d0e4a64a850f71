"""Tempting, and false: keys and references carried to where they no longer hold."""

from typing import Final

from equivalence.rules.catalogue.references import MATCH
from equivalence.rules.idioms import in_order, twins
from equivalence.rules.literature import OURS
from equivalence.rules.statement import Free, Sides, rule
from semantics import Query, Type, count, lit
from semantics.constraint import Key, NotNull, References


def _led(free: Free) -> tuple[Query, Query]:
    """A refers to B by a column that is never NULL, and B has it as its key."""
    a, b = free.stream("A", types=(Type.INT,)), free.stream("B", types=(Type.INT,))
    free.given(Key("B", ("b1",)))
    free.given(References("A", ("a1",), "B", ("b1",)))
    free.given(NotNull("A", ("a1",)))
    return a, b


@rule("δ(ω_w(A)) ≐ ω_w(A), A having a key", source=OURS, valid=False)
def key_within_a_window(free: Free) -> Sides:
    a, w = free.stream("A", types=(Type.INT,)), free.number("w")
    free.given(Key("A", ("a1",)))
    return a.window(w).distinct(), a.window(w)


@rule("δ(A ∪ B) ≐ A ∪ B, A and B each having a key", source=OURS, valid=False)
def key_of_a_union(free: Free) -> Sides:
    a, b = twins(free)
    free.given(Key("A", a.schema.names))
    free.given(Key("B", a.schema.names))
    return a.union(b).distinct(), a.union(b)


@rule("γ_{x; COUNT(*)}(A ⋈_{x=y} B) ≐ μ_{x,1}(A ⋉_{x=y} B), x being the key of A", source=OURS, valid=False)
def key_after_a_join(free: Free) -> Sides:
    a, b = free.stream("A", types=(Type.INT,)), free.stream("B", types=(Type.INT,))
    free.given(Key("A", ("a1",)))
    counted = a.join(b, MATCH).group_by("a1").aggregate(n=count())
    return counted, a.semijoin(b, MATCH).select("a1", n=lit(1))


@rule("B ⋉_{x=y} A ≐ B, A referring to B", source=OURS, valid=False)
def reference_read_backwards(free: Free) -> Sides:
    a, b = _led(free)
    return b.semijoin(a, MATCH), b


@rule("ω_w(A) ⋉_{x=y} B ≐ ω_w(A), A referring to B", source=OURS, valid=False)
def reference_out_of_a_window(free: Free) -> Sides:
    a, b = _led(free)
    windowed = a.window(free.number("w"))
    return windowed.semijoin(b, MATCH), windowed


@rule("π_A(ω_w(A) ⋈_{x=y} ω_w(B)) ≐ ω_w(A), A referring to the key of B", source=OURS, valid=False)
def join_with_the_referenced_within_windows(free: Free) -> Sides:
    a, b = _led(free)
    w = free.number("w")
    return in_order(a.window(w).join(b.window(w), MATCH), a), a.window(w)


@rule("A ⋉_{x=y} σ_q(B) ≐ A, A referring to B", source=OURS, valid=False)
def reference_to_what_is_filtered(free: Free) -> Sides:
    a, b = _led(free)
    return a.semijoin(b.filter(free.predicate("q", b)), MATCH), a


FALSE: Final = (
    key_within_a_window,
    key_of_a_union,
    key_after_a_join,
    reference_read_backwards,
    reference_out_of_a_window,
    join_with_the_referenced_within_windows,
    reference_to_what_is_filtered,
)
