"""What would make a proof: assumptions that suffice, and no more of them than that takes; and where plans differ."""

import pytest

from equivalence.prover.differing_parts import by_parts, differing_parts
from equivalence.prover.missing_assumptions import candidates, compared_columns, missing_assumptions
from equivalence.prover.prove import prove
from equivalence.verdicts.counterexample import Counterexample
from semantics import Query, col, count, median, source
from semantics.constraint import Constraint, Key, NotNull, References

D = source("D", d=int)
E = source("E", k=int, e=int)
JOIN = E.join(D, col("e") == col("d")).select("k")
CASES: dict[str, tuple[Query, Query, list[set[str]]]] = {
    "a key of the other side": (
        E.left_join(D, col("e") == col("d")).select("k"),
        E.select("k"),
        [{"d is a key of D"}],
    ),
    "a key of its own": (E.select("k").distinct(), E.select("k"), [{"k is a key of E"}]),
    "not NULL, which a key would be, too": (E.filter(col("e") == col("e")), E, [{"e of E is not NULL"}]),
    "several together": (
        JOIN,
        E.select("k"),
        [{"d is a key of D", "e of E references D(d)", "e of E is not NULL"}],
    ),
    "nothing that is tried": (E.union(E), E, []),
}


def proved_if(left: Query, right: Query, *known: Constraint) -> list[set[str]]:
    found = prove(left, right, constraints=known).counterexample
    assert isinstance(found, Counterexample)
    several = missing_assumptions(left.plan, right.plan, known, found)
    assert several == missing_assumptions(left.plan, right.plan, known)
    for more in several:
        assert prove(left, right, constraints=(*known, *more)).kind == "proved"
    return [set(map(str, more)) for more in several]


@pytest.mark.parametrize("name", CASES)
def test_what_would_prove_it(name: str) -> None:
    left, right, expected = CASES[name]
    assert proved_if(left, right) == expected


def test_what_is_known_need_not_be_said() -> None:
    assert proved_if(JOIN, E.select("k"), Key("D", ("d",)), NotNull("E", ("e",))) == [{"e of E references D(d)"}]
    known = (Key("D", ("d",)),)
    assert not {NotNull("D", ("d",)), *known} & {*candidates([JOIN.plan], known)}


def test_columns_that_are_compared_are_followed_to_their_sources() -> None:
    below = D.filter(col("d") > 1).window(5).select(y=col("d"))
    joined = E.group_by("e").aggregate(n=count()).join(below, col("e") == col("y"))
    assert compared_columns([joined.plan]) == [(("E", "e"), ("D", "d"))]
    assert References("E", ("e",), "D", ("d",)) in candidates([joined.plan], ())
    assert compared_columns([E.select(e=col("e") + 1).join(D, col("e") == col("d")).plan]) == []


def test_parts_that_differ_below_the_same_operators() -> None:
    late, early = D.window(3).filter(col("d") > 1), D.filter(col("d") > 1).window(3)
    left, right = (D.union(part).distinct().plan for part in (late, early))
    assert differing_parts(left, right) == [(late.plan, early.plan)]
    assert differing_parts(left, left) == []
    certificate = by_parts(left, right)
    assert certificate is not None
    assert [(step.before, step.after) for step in certificate.steps] == [(late.plan, early.plan)]
    assert by_parts(late.plan, early.plan) is None


def test_plans_are_proved_part_by_part() -> None:
    """Of the median nothing is known, and the whole is too long for one attempt; but its parts are the same."""
    late, early = D.window(3).filter(col("d") > 1), D.filter(col("d") > 1).window(3)
    left, right = late, early
    for _ in range(31):
        left, right = left.window(2).distinct(), right.window(2).distinct()
    verdict = prove(left.aggregate(m=median("d")), right.aggregate(m=median("d")))
    assert (verdict.kind, verdict.evidence["how"]) == ("proved", "rewriting")


def test_unknown_says_which_parts_are_not_proved() -> None:
    minus = D.select(d=-col("d")).aggregate(m=median("d")).select(m=-col("m"))
    plain = D.aggregate(m=median("d"))
    verdict = prove(plain.filter(col("m") > 1.0).distinct(), minus.filter(col("m") > 1.0).distinct())
    assert verdict.kind == "unknown"
    assert verdict.evidence["stopped_at"] == [
        "D(d int) | aggregate(median(d) as m)  against  "
        "D(d int) | map(-(d) as d) | aggregate(median(d) as m) | map(-(m) as m)"
    ]
