"""Groups of groups and groups of one value: what is proved of them, and what must not be."""

import pytest

from equivalence.prover.confirmation import proved
from equivalence.prover.prove import prove
from semantics import Query, RawStream, col, count, evaluate, lit, max_, min_, source, sum_
from semantics.constraint import NotNull

E = source("E", k=int, e=int, s=int)
INNER = E.group_by("e", "k")
EQUAL: dict[str, tuple[Query, Query]] = {
    "SUM and MIN of groups at once": (
        INNER.aggregate(x=sum_("s"), y=min_("s")).group_by("e").aggregate(x=sum_("x"), y=min_("y")),
        E.group_by("e").aggregate(x=sum_("s"), y=min_("s")),
    ),
    "COUNT and MAX of groups at once": (
        INNER.aggregate(x=count(), y=max_("s")).group_by("e").aggregate(x=sum_("x"), y=max_("y")),
        E.group_by("e").aggregate(x=count(), y=max_("s")),
    ),
    "a key that is fixed": (
        E.filter(col("e") == 3).group_by("e", "k").aggregate(n=count()),
        E.filter(col("e") == 3).group_by("k").aggregate(n=count()).select(e=lit(3), k=col("k"), n=col("n")),
    ),
}


@pytest.mark.parametrize("name", EQUAL)
def test_proved(name: str) -> None:
    assert prove(*EQUAL[name]).kind == "proved"


def beside(extremes: Query, *others: Query) -> Query:
    """The extremes where the other queries hold something, so that only the values may differ."""
    for number, other in enumerate(others):
        extremes = extremes.product(other.aggregate(n=count()).rename(n=f"n{number}"))
    return extremes


LARGEST, LEAST = (E.group_by("k").aggregate(y=extreme("s")) for extreme in (max_, min_))
EXTREMES_THAT_PASS: dict[str, tuple[Query, Query]] = {
    "largest below 5": (LARGEST.filter(col("y") < 5), E.filter(col("s") < 5)),
    "largest other than 7": (LARGEST.filter(col("y") != 7), E.filter(col("s") != 7)),
    "least above 2": (LEAST.filter(col("y") > 2), E.filter(col("s") > 2)),
    "largest below a row": (
        LARGEST.semijoin(E.select(z=col("e")), col("y") < col("z")).select("k", "y"),
        E.semijoin(E.select(z=col("e")), col("s") < col("z")),
    ),
}
ROWS = ((1, 7), (1, 4), (2, 1), (3, 2), (4, 0), (4, 3))
CASE = RawStream(E.schema, [((k, 5, s), 0) for k, s in ROWS])


@pytest.mark.parametrize("name", EXTREMES_THAT_PASS)
def test_extremes_that_pass_are_not_those_of_what_passes(name: str) -> None:
    """NEST holds only if nothing is asked of the extremes: of {7, 4} the largest is not below 5, but 4 is."""
    groups, rows = EXTREMES_THAT_PASS[name]
    extreme = min_ if name.startswith("least") else max_
    left = beside(groups.aggregate(y=extreme("y")), groups, rows)
    right = beside(rows.aggregate(y=extreme("s")), groups, rows)
    assert not proved(left.plan, right.plan, [NotNull("E", ("k", "e", "s"))])
    one, other = (evaluate(query, {"E": CASE}, 1).at(0) for query in (left, right))
    assert one != other
