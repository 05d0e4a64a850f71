"""The parts on which soundness rests: names, witnesses, numbers left open, solvers that must agree."""

import math
import os
import subprocess
import sys

import pytest

from equivalence.prover import confirmation
from equivalence.prover import prove as front_door
from equivalence.prover.meaning.open_numbers import DecisionPath, UnknownNumber, every_path
from equivalence.prover.prove import in_fragment, prove
from equivalence.prover.solver import solvers
from equivalence.prover.terms.build import ONE, add, at_most, conj, exists, less
from equivalence.prover.terms.matching import implied
from equivalence.prover.terms.shape import shape
from equivalence.prover.terms.substitution import substitute
from equivalence.prover.terms.term import Exists, Fresh, SmtSort, Term, Var, free
from equivalence.verdicts.counterexample import Counterexample
from semantics import RawStream, SchemaError, Type, col, evaluate, source
from semantics.constraint import Key, Once

A = source("A", x=int)
X, Y, Z = (Var(name, SmtSort.INT) for name in "xyz")


def test_shapes_tell_apart_what_a_variable_bound_twice_hides() -> None:
    """Sums of one shape count as equal without a proof."""

    def hidden(body: Term) -> str:
        return shape(Exists((X,), Exists((X,), Exists((Y,), body))))

    assert len({hidden(less(X, Y)), hidden(less(Y, X)), hidden(at_most(X, add(X, ONE)))}) == 3
    assert hidden(less(X, Y)) == shape(Exists((Z,), Exists((X,), Exists((Y,), less(X, Y)))))


def test_substitution_does_not_capture() -> None:
    held = substitute(Exists((X,), less(X, Y)), {Y: add(X, ONE)})
    assert isinstance(held, Exists)
    assert free(held) == {X}
    assert held.variables != (X,)


def test_what_two_facts_say_is_there_need_not_be_the_same() -> None:
    small, large = exists((X,), less(X, Y)), exists((X,), less(Y, X))
    both = exists((Z,), conj(less(Z, Y), less(Y, Z)))
    assert implied(exists((Z,), less(Z, Y)), [small, large], Fresh())
    assert not implied(both, [small, large], Fresh())


def number(path: DecisionPath, name: str) -> UnknownNumber:
    path.known.append(at_most(ONE, Var(name, SmtSort.INT)))
    return UnknownNumber(Var(name, SmtSort.INT), path)


def test_a_comparison_of_open_numbers_is_taken_both_ways() -> None:
    taken = [held for _, held in every_path(lambda path: number(path, "v") < number(path, "w"))]
    assert taken == [True, False]


def test_what_is_known_is_not_taken_both_ways() -> None:
    assert [held for _, held in every_path(lambda path: number(path, "v") + 1 > 1)] == [True]


def test_no_number_is_read_off_one_that_is_open() -> None:
    open_ = number(DecisionPath([]), "v")
    for use in (range, int, lambda n: math.gcd(n, 2), lambda n: [0] * n):
        with pytest.raises(TypeError):
            use(open_)


def test_a_number_cannot_be_compared_once_its_rule_is_stated() -> None:
    ((_, open_),) = every_path(lambda path: number(path, "v"))
    with pytest.raises(RuntimeError, match="after its rule was stated"):
        _ = open_ < 5


def test_solvers_that_contradict_each_other_prove_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(confirmation, "cvc5_answer", lambda _: "sat")
    verdict = prove(A.filter(col("x") > 1), A.filter(col("x") >= 2))
    assert verdict.kind == "unknown"
    assert str(verdict.evidence["reason"]).startswith("THE SOLVERS CONTRADICT EACH OTHER")


def test_a_leaf_that_cvc5_does_not_confirm_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(confirmation, "cvc5_answer", lambda _: "unknown")
    assert prove(A.filter(col("x") > 1), A.filter(col("x") >= 2)).kind == "unknown"


def test_a_model_that_does_not_replay_is_no_counterexample() -> None:
    texts = source("T", x=str)
    verdict = prove(texts.filter(col("x").like("%") | col("x").is_null()), texts)
    assert verdict.kind == "unknown"
    assert verdict.counterexample is None
    assert verdict.evidence["models that do not replay"]


def test_a_solver_that_runs_out_of_steps_says_so() -> None:
    hard = "(declare-const x Int)(declare-const y Int)(declare-const z Int)(assert (and (> x 1) (> y 1) (> z 1)))"
    hard += "(assert (= (+ (* x x x) (* y y y)) (* z z z)))"
    assert solvers.Z3(steps=20_000).ask(hard) == "unknown"


def test_constants_and_comparisons_are_interpreted() -> None:
    assert prove(A.filter(col("x") > 1), A.filter(col("x") >= 2)).kind == "proved"
    refuted = prove(A.filter(col("x") > 1), A.filter(col("x") > 2))
    assert isinstance(refuted.counterexample, Counterexample)
    assert isinstance(refuted.counterexample.streams["A"], RawStream)


def test_texts_are_compared_by_their_order() -> None:
    texts = source("T", x=str)
    assert prove(texts.filter(col("x") < "b"), texts.filter((col("x") < "b") & (col("x") < "ba"))).kind == "proved"
    assert prove(texts.filter(col("x") < "b"), texts.filter(col("x") < "a")).kind == "refuted"


def test_constraints_are_used_and_kept_by_counterexamples() -> None:
    keyed = source("K", k=int, v=int)
    assert prove(keyed.distinct(), keyed, constraints=[Key("K", ("k",))]).kind == "proved"
    verdict = prove(keyed.select("v").distinct(), keyed.select("v"), constraints=[Key("K", ("k",))])
    assert isinstance(verdict.counterexample, Counterexample)
    rows = evaluate(keyed, verdict.counterexample.streams, 6).snapshots[verdict.counterexample.instant]
    assert len({row[0] for row in rows}) == len(rows)


def test_what_comes_once_is_a_key_of_every_window() -> None:
    keyed = source("K", k=int, v=int)
    for constraint, kind in ((Once("K", ("k",)), "proved"), (Key("K", ("k",)), "refuted")):
        assert prove(keyed.window(3).distinct(), keyed.window(3), constraints=[constraint]).kind == kind


def test_plans_with_other_columns_are_bad_input() -> None:
    with pytest.raises(SchemaError, match="different columns"):
        prove(A, source("B", x=str))


def test_a_plan_that_is_too_large_is_told_beforehand() -> None:
    large = A
    for _ in range(100):
        large = large.distinct()
    assert "operators" in (in_fragment(large.plan) or "")
    assert in_fragment(A.window(2).plan) is None


def test_proofs_do_not_depend_on_the_hash_seed() -> None:
    code = (
        "from equivalence.prover.prove import prove; from semantics import source, sum_, col;"
        "a = source('A', x=int, y=int); b = source('B', x=int, y=int);"
        "w = lambda q: q.window(3).group_by('x').aggregate(s=sum_('y'));"
        "v = prove(w(a.union(b)).filter(col('x') > 1), w(b.union(a).filter(col('x') > 1)));"
        "print(v.kind, v.evidence)"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(runs) == 1
    assert runs.pop().startswith("proved")


def test_a_type_of_any_kind_stands_for_all() -> None:
    """What holds for texts, of which nothing but their order is used, is stated for columns of any type."""
    assert (
        front_door.prove(source("S", x=Type.STR).distinct().distinct(), source("S", x=Type.STR).distinct()).kind
        == "proved"
    )
