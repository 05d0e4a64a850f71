"""What a foreign key makes possible: every row has its partner, so joins come and go."""

from typing import Final

from equivalence.rules.idioms import in_order
from equivalence.rules.literature import OURS, TEXTBOOK
from equivalence.rules.statement import Free, Sides, rule
from semantics import Query, Type, col, count
from semantics.constraint import Key, NotNull, References

MATCH: Final = col("a1") == col("b1")


def _referring(free: Free) -> tuple[Query, Query]:
    """A stream with a foreign key x, perhaps NULL, and the one it refers to by its column y."""
    a, b = free.stream("A", types=(Type.INT, Type.INT)), free.stream("B", types=(Type.INT, Type.INT))
    free.given(References("A", ("a1",), "B", ("b1",)))
    return a, b


def _always_referring(free: Free) -> tuple[Query, Query]:
    """The same, and x is never NULL."""
    a, b = _referring(free)
    free.given(NotNull("A", ("a1",)))
    return a, b


def _led(free: Free) -> tuple[Query, Query]:
    """The same, and y is a key: every row has one partner."""
    a, b = _always_referring(free)
    free.given(Key("B", ("b1",)))
    return a, b


@rule("A ⋉_{x=y} B ≐ A", source=TEXTBOOK)
def semijoin_with_the_referenced(free: Free) -> Sides:
    a, b = _always_referring(free)
    return a.semijoin(b, MATCH), a


@rule("A ⋉_{x=y} B ≐ σ_{x is not NULL}(A)", source=OURS)
def semijoin_with_the_referenced_or_null(free: Free) -> Sides:
    a, b = _referring(free)
    return a.semijoin(b, MATCH), a.filter(~col("a1").is_null())


@rule("A ▷_{x=y} B ≐ σ_{x is NULL}(A)", source=OURS)
def antijoin_with_the_referenced(free: Free) -> Sides:
    a, b = _referring(free)
    return a.antijoin(b, MATCH), a.filter(col("a1").is_null())


@rule("π_A(A ⋈_{x=y} B) ≐ A", source=TEXTBOOK)
def join_with_the_referenced(free: Free) -> Sides:
    a, b = _led(free)
    return in_order(a.join(b, MATCH), a), a


@rule("π_A(A ⋈_{x=y} B) ≐ σ_{x is not NULL}(A)", source=OURS)
def join_with_the_referenced_or_null(free: Free) -> Sides:
    a, b = _referring(free)
    free.given(Key("B", ("b1",)))
    return in_order(a.join(b, MATCH), a), a.filter(~col("a1").is_null())


@rule("π_{A,C}((A ⋈_{x=y} B) ⋈_φ C) ≐ A ⋈_φ C, φ over A and C", source=TEXTBOOK)
def join_with_the_referenced_among_others(free: Free) -> Sides:
    a, b = _led(free)
    c = free.stream("C")
    also = free.predicate("φ", a, c)
    return in_order(a.join(b, MATCH).join(c, also), a, c), a.join(c, also)


@rule("π_A((A ⋈_{x=y} B) ⋈_{b=z} C) ≐ A: along a chain of references", source=OURS)
def join_along_references(free: Free) -> Sides:
    a, b = _led(free)
    c = free.stream("C", types=(Type.INT,))
    free.given(References("B", ("b2",), "C", ("c1",)))
    free.given(NotNull("B", ("b2",)))
    free.given(Key("C", ("c1",)))
    return in_order(a.join(b, MATCH).join(c, col("b2") == col("c1")), a), a


@rule("A ⟕_{x=y} B ≐ A ⋈_{x=y} B", source=TEXTBOOK)
def left_join_with_the_referenced(free: Free) -> Sides:
    a, b = _always_referring(free)
    return a.left_join(b, MATCH), a.join(b, MATCH)


@rule("A ⟗_{x=y} B ≐ A ⟖_{x=y} B", source=OURS)
def full_join_with_the_referenced(free: Free) -> Sides:
    a, b = _always_referring(free)
    return a.full_join(b, MATCH), a.right_join(b, MATCH)


@rule("δ(π_x(A)) ∩ π_y(B) ≐ δ(π_x(A))", source=OURS)
def references_are_among_the_referenced(free: Free) -> Sides:
    a, b = _always_referring(free)
    return a.select("a1").distinct().intersection(b.select("b1")), a.select("a1").distinct()


@rule("γ_{y;f}(A ⋈_{x=y} B) ≐ γ_{x;f}(A), f over A", source=OURS)
def grouping_by_the_referenced(free: Free) -> Sides:
    a, b = _led(free)
    f = free.aggregate("f", a)
    return a.join(b, MATCH).group_by("b1").aggregate(x=f), a.group_by("a1").aggregate(x=f)


@rule("α_{COUNT(*)}(A ⋈_{x=y} B) ≐ α_{COUNT(*)}(A)", source=OURS)
def count_of_a_join_with_the_referenced(free: Free) -> Sides:
    a, b = _led(free)
    return a.join(b, MATCH).aggregate(n=count()), a.aggregate(n=count())


@rule("ω_w(A) ⋉_{x=y} ω_v(B) ≐ ω_w(A)", source=OURS)
def semijoin_with_the_referenced_within_windows(free: Free) -> Sides:
    a, b = _always_referring(free)
    w, v = free.number("w"), free.number("v")
    free.require("v ≥ w", v >= w)
    return a.window(w).semijoin(b.window(v), MATCH), a.window(w)


RULES: Final = (
    semijoin_with_the_referenced,
    semijoin_with_the_referenced_or_null,
    antijoin_with_the_referenced,
    join_with_the_referenced,
    join_with_the_referenced_or_null,
    join_with_the_referenced_among_others,
    join_along_references,
    left_join_with_the_referenced,
    full_join_with_the_referenced,
    references_are_among_the_referenced,
    grouping_by_the_referenced,
    count_of_a_join_with_the_referenced,
    semijoin_with_the_referenced_within_windows,
)
