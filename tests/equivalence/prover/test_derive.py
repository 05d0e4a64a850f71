"""Equivalence by rewriting: certificates, and a checker that trusts none of them."""

from dataclasses import replace

import pytest

from equivalence.prover.attempt import MOST_OPERATORS, size
from equivalence.prover.certificate import Certificate, InvalidCertificate, RewriteStep, check, proved_by_kernel
from equivalence.prover.derive import derive
from equivalence.prover.differing_parts import by_parts
from equivalence.prover.prove import prove
from semantics import Plan, Query, col, source
from semantics.constraint import DuplicateFree

A, B = source("A", x=int), source("B", x=int)
LARGE, NEVER = col("x") > 1, col("x") != col("x")


def certified(left: Query, right: Query) -> Certificate:
    found = derive(left.plan, right.plan)
    assert found is not None
    return found


def test_a_certificate_is_replayed() -> None:
    found = certified(A.union(B).window(3).filter(LARGE), A.filter(LARGE).window(3).union(B.filter(LARGE).window(3)))
    assert check(found, proved_by_kernel()) >= 2


def test_plans_that_are_too_long_for_the_kernel_are_rewritten() -> None:
    """The kernel takes no plan of this size; the step is proved whatever is below it."""
    left = A
    for _ in range(MOST_OPERATORS):
        left = left.distinct()
    assert size(left.plan) > MOST_OPERATORS
    verdict = prove(left.union(B).filter(LARGE), left.filter(LARGE).union(B.filter(LARGE)))
    assert verdict.kind == "proved"
    assert verdict.evidence["how"] == "rewriting"


def test_what_no_rule_leads_to_is_not_derived() -> None:
    assert derive(A.window(2).window(2).plan, A.window(3).plan) is None


FOUND = certified(A.window(3).filter(LARGE), A.filter(LARGE).window(3))


def believing(_left: Plan, _right: Plan) -> bool:
    return True


def test_a_wrong_step_is_noticed() -> None:
    wrong = RewriteStep("now-window", A.window(2).plan, A.plan)
    with pytest.raises(InvalidCertificate, match="is not proved"):
        check(Certificate(A.window(2).plan, A.plan, (wrong,)), proved_by_kernel())


def test_a_step_that_changes_nothing_of_the_plan_is_noticed() -> None:
    with pytest.raises(InvalidCertificate, match="is not there"):
        check(replace(FOUND, left=B.plan), believing)


def test_steps_that_lead_elsewhere_are_noticed() -> None:
    with pytest.raises(InvalidCertificate, match="lead to"):
        check(replace(FOUND, right=A.plan), believing)
    with pytest.raises(InvalidCertificate, match="lead to"):
        check(replace(FOUND, steps=()), believing)


SHARED = A.window(2)
CALLED_AS_A_PART = source("part 0", x=int)


def test_a_shared_part_is_no_stream_of_its_name() -> None:
    """What is unknown stands for the part that two plans share, not for a stream that happens to be called so."""
    wrong = by_parts(SHARED.difference(CALLED_AS_A_PART).distinct().plan, SHARED.filter(NEVER).distinct().plan)
    assert wrong is not None
    with pytest.raises(InvalidCertificate, match="not proved"):
        check(wrong, proved_by_kernel())


def test_nothing_is_declared_of_a_shared_part() -> None:
    declared = [DuplicateFree("part 0")]
    wrong = by_parts(SHARED.distinct().union(B).plan, SHARED.union(B).plan)
    assert wrong is not None
    with pytest.raises(InvalidCertificate, match="not proved"):
        check(wrong, proved_by_kernel(declared), declared)
