"""Plant a bug in an operator and see it caught: the commuting square must refute it, or the golden corpus must."""

from collections.abc import Callable
from typing import Any

import pytest

from equivalence.corpus import corpus_folder, load_corpus
from equivalence.reducibility import check_irreducible, check_reducible
from equivalence.verification.operators import check_golden
from semantics import Multiset, Plan, SnapeqError, algebra, scalar
from semantics import plan as nodes
from semantics.expression import evaluate

RIGHT = {name: getattr(algebra, name) for name in dir(algebra)}
ORIGINAL = {name: getattr(scalar, name) for name in dir(scalar)}
CORPUS = load_corpus(corpus_folder())


def first_only(rows: Multiset) -> Multiset:
    return Multiset(list(rows)[:1])


STANDARD: list[tuple[str, type[Plan], str, Callable[..., Multiset]]] = [
    ("unknown is kept", nodes.Filter, "filter", lambda p, s: s.filter(lambda row: evaluate(p, row) is not False)),
    ("duplicates collapse", nodes.Filter, "filter", lambda p, s: algebra.distinct(RIGHT["filter"](p, s))),
    ("duplicates collapse", nodes.Map, "map", lambda e, s: algebra.distinct(RIGHT["map"](e, s))),
    ("union is a set", nodes.Union, "union", lambda l, r: algebra.distinct(RIGHT["union"](l, r))),
    ("union takes the maximum", nodes.Union, "union", lambda l, r: l.combine(r, max)),
    ("right multiplicity lost", nodes.Product, "product", lambda l, r: RIGHT["product"](l, algebra.distinct(r))),
    ("sides swapped", nodes.Product, "product", lambda l, r: RIGHT["product"](r, l).map(lambda row: row)),
    ("difference of sets", nodes.Difference, "difference", lambda l, r: l.filter(lambda row: row not in r)),
    ("difference loses duplicates", nodes.Difference, "difference", lambda l, r: algebra.distinct(l - r)),
    ("difference is symmetric", nodes.Difference, "difference", lambda l, r: (l - r) + (r - l)),
    ("intersection of sets", nodes.Intersection, "intersection", lambda l, r: algebra.distinct(l & r)),
    ("intersection keeps the left", nodes.Intersection, "intersection", lambda l, r: l.filter(lambda row: row in r)),
    ("distinct does nothing", nodes.Distinct, "distinct", lambda s: s),
    ("distinct keeps one row", nodes.Distinct, "distinct", first_only),
    ("join on unknown", nodes.Join, "join", lambda c, l, r: RIGHT["product"](l, r).filter(lambda row: evaluate(c, row) is not False)),
    ("semijoin multiplies", nodes.Semijoin, "semijoin", lambda c, l, r: RIGHT["join"](c, l, r).map(lambda row: row[: len(next(iter(l)))])),
    ("antijoin keeps unknown out", nodes.Antijoin, "antijoin", lambda c, l, r: l.filter(lambda a: all(evaluate(c, a + b) is False for b in r.support))),
    ("antijoin is a semijoin", nodes.Antijoin, "antijoin", lambda c, l, r: RIGHT["semijoin"](c, l, r)),
    ("left join drops the lonely", nodes.LeftJoin, "left_join", lambda c, w, l, r: RIGHT["join"](c, l, r)),
    ("left join pads everyone", nodes.LeftJoin, "left_join", lambda c, w, l, r: RIGHT["join"](c, l, r) + l.map(lambda row: row + (None,) * w)),
    ("right join drops the lonely", nodes.RightJoin, "right_join", lambda c, w, l, r: RIGHT["join"](c, l, r)),
    ("full join forgets the right", nodes.FullJoin, "full_join", lambda c, w, l, r: RIGHT["left_join"](c, w[1], l, r)),
    ("full join joins twice", nodes.FullJoin, "full_join", lambda c, w, l, r: RIGHT["left_join"](c, w[1], l, r) + RIGHT["right_join"](c, w[0], l, r)),
    ("the aggregation gap", nodes.Aggregation, "aggregation", lambda a, e, s: RIGHT["aggregation"](a, True, s)),
    ("total aggregation has the gap", nodes.Aggregation, "aggregation", lambda a, e, s: RIGHT["aggregation"](a, False, s)),
    ("aggregates ignore duplicates", nodes.Aggregation, "aggregation", lambda a, e, s: RIGHT["aggregation"](a, e, algebra.distinct(s))),
    ("NULL groups vanish", nodes.Grouping, "grouping", lambda k, a, s: RIGHT["grouping"](k, a, s.filter(lambda row: None not in k(row)))),
    ("groups ignore duplicates", nodes.Grouping, "grouping", lambda k, a, s: RIGHT["grouping"](k, a, algebra.distinct(s))),
]  # fmt: skip

WINDOWS: list[tuple[str, str, Callable[..., Multiset]]] = [
    ("time window too long", "time_window", lambda w, s, h: RIGHT["time_window"](w + 1, s, h)),
    ("time window too short", "time_window", lambda w, s, h: RIGHT["time_window"](max(w - 1, 1), s, h)),
    ("slide ignored", "time_window", lambda w, s, h: RIGHT["time_window"](w, 1, h)),
    ("slide one too late", "time_window", lambda w, s, h: RIGHT["time_window"](w, s, h[:-1]) if len(h) > 1 else Multiset()),
    ("time window forgets duplicates", "time_window", lambda w, s, h: algebra.distinct(RIGHT["time_window"](w, s, h))),
    ("unbounded is long", "time_window", lambda w, s, h: RIGHT["time_window"](min(w, 4), s, h)),
    ("count window too long", "count_window", lambda n, s, h: RIGHT["count_window"](n + 1, s, h)),
    ("count window ignores slide", "count_window", lambda n, s, h: RIGHT["count_window"](n, 1, h)),
    ("count window counts instants", "count_window", lambda n, s, h: RIGHT["time_window"](n, s, h)),
    ("count window keeps ties", "count_window", lambda n, s, h: RIGHT["ties_window"](n, h) if s == 1 else RIGHT["count_window"](n, s, h)),
    ("ties are split", "ties_window", lambda n, h: RIGHT["count_window"](n, 1, h)),
    ("ties one instant more", "ties_window", lambda n, h: RIGHT["ties_window"](n + 1, h)),
    ("partitions are one", "partitioned", lambda k, w, h: w(h)),
    ("NULL partition lost", "partitioned", lambda k, w, h: RIGHT["partitioned"](k, w, [s.filter(lambda row: None not in k(row)) for s in h])),
    ("landmark never resets", "landmark_window", lambda a, r, h: RIGHT["landmark_window"](a, None, h)),
    ("landmark one late", "landmark_window", lambda a, r, h: RIGHT["landmark_window"](a + 1, r, h)),
    ("landmark before its start", "landmark_window", lambda a, r, h: RIGHT["landmark_window"](0, r, h)),
    ("Istream of sets", "istream", lambda h: h[-1].filter(lambda row: len(h) < 2 or row not in h[-2])),
    ("Istream silent at 0", "istream", lambda h: RIGHT["istream"](h) if len(h) > 1 else Multiset()),
    ("Dstream is Istream", "dstream", RIGHT["istream"]),
    ("Rstream is distinct", "rstream", RIGHT["distinct"]),
]  # fmt: skip

SCALARS: list[tuple[str, str, Callable[..., Any]]] = [
    ("NULL equals NULL", "comparison", lambda s, a, b: scalar.distinct(a, b) is False if s == "=" else ORIGINAL["comparison"](s, a, b)),
    ("unknown AND false is unknown", "kleene_and", lambda a, b: None if a is None or b is None else a and b),
    ("unknown OR true is unknown", "kleene_or", lambda a, b: None if a is None or b is None else a or b),
    ("NOT unknown is true", "kleene_not", lambda a: not a),
    ("MOD like Python", "arithmetic", lambda s, a, b: a % b if s == "MOD" and None not in (a, b) and b else ORIGINAL["arithmetic"](s, a, b)),
    ("ints divide to ints", "arithmetic", lambda s, a, b: a // b if s == "/" and None not in (a, b) and b else ORIGINAL["arithmetic"](s, a, b)),
    ("division by zero is zero", "arithmetic", lambda s, a, b: 0.0 if s == "/" and b == 0 else ORIGINAL["arithmetic"](s, a, b)),
    ("LIKE ignores case", "like", lambda t, p, e=None: None if None in (t, p) else ORIGINAL["like"](t.lower(), p.lower(), e)),
    ("LIKE knows no escape", "like", lambda t, p, e=None: ORIGINAL["like"](t, p)),
    ("DISTINCT FROM is <>", "distinct", lambda a, b: bool(ORIGINAL["comparison"]("<>", a, b))),
]  # fmt: skip


def golden_cases_that_notice() -> list[str]:
    def notices(case: Any) -> bool:
        try:
            return not check_golden(case).holds
        except SnapeqError:
            return True

    return [case.name for case in CORPUS if notices(case)]


@pytest.mark.parametrize(
    ("operator", "name", "wrong"), [s[1:] for s in STANDARD], ids=[f"{s[1].__name__}: {s[0]}" for s in STANDARD]
)
def test_the_square_refutes_a_wrong_operator(
    monkeypatch: pytest.MonkeyPatch, operator: type[Plan], name: str, wrong: Callable[..., Multiset]
) -> None:
    monkeypatch.setattr(algebra, name, wrong)
    verdict = check_reducible(operator, examples=200, sampling_seed=1)
    assert verdict.kind == "refuted"
    assert verdict.counterexample is not None
    assert verdict.counterexample.left != verdict.counterexample.right


@pytest.mark.parametrize(
    ("name", "wrong"),
    [s[2:] for s in STANDARD] + [w[1:] for w in WINDOWS],
    ids=[f"{s[1].__name__}: {s[0]}" for s in STANDARD] + [w[0] for w in WINDOWS],
)
def test_a_golden_case_notices_a_wrong_operator(
    monkeypatch: pytest.MonkeyPatch, name: str, wrong: Callable[..., Multiset]
) -> None:
    monkeypatch.setattr(algebra, name, wrong)
    assert golden_cases_that_notice()


@pytest.mark.parametrize(("name", "wrong"), [s[1:] for s in SCALARS], ids=[s[0] for s in SCALARS])
def test_a_golden_case_notices_a_wrong_scalar(
    monkeypatch: pytest.MonkeyPatch, name: str, wrong: Callable[..., Any]
) -> None:
    monkeypatch.setattr(scalar, name, wrong)
    assert golden_cases_that_notice()


def test_an_operator_that_forgets_the_past_is_not_called_irreducible(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(algebra, "time_window", lambda w, s, history: history[-1])
    assert check_irreducible(nodes.TimeWindow, examples=50, sampling_seed=1).kind == "vacuous"
