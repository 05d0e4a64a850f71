"""Certificates: what is proved can be checked by somebody else, and what is wrong or damaged is refused."""

import ast
import json
import random
from pathlib import Path
from typing import Any, Final

import pytest

from equivalence.certificates import checker
from equivalence.certificates.checker.check import check, closed
from equivalence.certificates.checker.terms import Refused
from equivalence.certificates.damage import CLAIM, damages
from equivalence.certificates.leaf_solvers import unsatisfiable
from equivalence.certificates.write import NoCertificate, certificate
from equivalence.comparison.check_plans import check_plans
from equivalence.prover.attempt import Statement, attempted
from equivalence.rules.instances import Instance
from semantics import Query, avg, col, count, count_distinct, max_, min_, source, sum_
from semantics.constraint import Constraint, Key, NotNull, References
from semantics.errors import SnapeqError
from semantics.notation.read_json_plans import plan_from_json
from tests.equivalence.prover.fresh_steps import FRESH
from tests.equivalence.prover.mutated_steps import PLANTED, PLANTED_IN_CONSTRAINTS

A, B, E = source("A", x=int), source("B", x=int), source("E", k=int, d=int, s=int)
D = source("D", e=int, n=int)

WRONG: Final[dict[str, Any]] = {**PLANTED, **PLANTED_IN_CONSTRAINTS, **FRESH}
TRUE: Final[dict[str, tuple[Query, Query, tuple[Constraint, ...]]]] = {
    "union through a window": (A.union(B).window(3), A.window(3).union(B.window(3)), ()),
    "windows of windows": (A.window(2).window(3), A.window(3).window(2), ()),
    "difference by cases": (A.difference(B).union(A.intersection(B)), A, ()),
    "istream": (A.window(3).istream().intersection(A), A.window(3).istream(), ()),
    "last rows": (A.rows(2).intersection(A.rows(5)), A.rows(2), ()),
    "average": (A.union(A).aggregate(m=avg("x")), A.aggregate(m=avg("x")), ()),
    "maximum": (A.filter(col("x") > 3).aggregate(m=max_("x")), A.aggregate(m=max_("x")).filter(col("m") > 3), ()),
    "a key": (E.group_by("k").aggregate(m=min_("s")), E.select("k", m=col("s")), (Key("E", ("k",)),)),
    "a reference": (
        E.semijoin(D, col("d") == col("e")),
        E,
        (References("E", ("d",), "D", ("e",)), NotNull("E", ("d",))),
    ),
}
FALSE: Final = [
    (A.union(B), A.difference(B)),
    (A, A.distinct()),
    (A.window(2), A.window(3)),
    (A.aggregate(n=count()), A.aggregate(n=count("x"))),
    (A.aggregate(n=count("x")), A.aggregate(n=count_distinct("x"))),
    (A.filter(col("x") > 1), A.filter(col("x") > 2)),
    (A.intersection(B), A),
    (A.difference(B), A),
    (A.union(A).aggregate(s=sum_("x")), A.aggregate(s=sum_("x"))),
    (A.window(2).istream(), A),
    (A.semijoin(B.rename(x="y"), col("x") > col("y")), A),
]


@pytest.mark.parametrize("name", TRUE)
def test_a_proof_has_a_certificate(name: str) -> None:
    left, right, constraints = TRUE[name]
    written = json.loads(json.dumps(certificate(left.plan, right.plan, constraints)))
    assert closed(written, unsatisfiable).lemmas > 0


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_prover_has_none(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    where, what, wrong = WRONG[name]
    monkeypatch.setattr(where, what, wrong)
    for left, right in FALSE:
        with pytest.raises((NoCertificate, Refused)):
            closed(certificate(left.plan, right.plan), unsatisfiable)


def test_wrong_provers_prove_what_is_false() -> None:
    """Else the test above would say nothing."""
    fooled = 0
    for where, what, wrong in PLANTED.values():
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(where, what, wrong)
            statements = [Statement(Instance(left.plan, right.plan)) for left, right in FALSE]
            fooled += any(attempted(statement, thorough=False).found for statement in statements)
    assert fooled > len(PLANTED) // 2


@pytest.mark.parametrize("name", ["difference by cases", "a key", "a reference"])
def test_damaged_certificates_are_refused(name: str) -> None:
    """Refused, unless what is left is a proof: of the same plans, or of others that are equivalent, too."""
    left, right, constraints = TRUE[name]
    written = certificate(left.plan, right.plan, constraints)
    several = list(damages(written, random.Random(11)))
    refused = 0
    for damage in random.Random(3).sample(several, 60):
        changed = damage.applied_to(written)
        try:
            closed(changed, unsatisfiable)
        except Refused:
            refused += 1
        else:
            assert _claims_the_same(written, changed) or _is_true(changed, written, constraints)
    assert refused > 45


def _claims_the_same(written: dict[str, Any], changed: dict[str, Any]) -> bool:
    return all(written[name] == changed[name] for name in CLAIM)


def _is_true(changed: dict[str, Any], written: dict[str, Any], constraints: tuple[Constraint, ...]) -> bool:
    """Is another claim no less true? What cannot be read as two plans claims nothing."""
    assert changed["constraints"] == written["constraints"]
    try:
        sides = [plan_from_json(changed[name]) for name in ("left", "right")]
        return check_plans(*sides, constraints=constraints, examples=100).kind != "refuted"
    except SnapeqError:
        return True


def test_another_claim_is_refused() -> None:
    left, right, constraints = TRUE["windows of windows"]
    written = certificate(left.plan, right.plan, constraints)
    longer = json.loads(json.dumps(written).replace('"size": 3', '"size": 4'))
    with pytest.raises(Refused, match="means"):
        check(longer)


def test_no_constraint_can_be_left_out() -> None:
    for name in ("a key", "a reference"):
        left, right, constraints = TRUE[name]
        written = certificate(left.plan, right.plan, constraints)
        for i in range(len(written["constraints"])):
            fewer = written["constraints"][:i] + written["constraints"][i + 1 :]
            with pytest.raises(Refused):
                closed({**written, "constraints": fewer}, unsatisfiable)


@pytest.mark.parametrize("nonsense", [None, [], {}, {"format": "snapeq certificate"}, "proved"])
def test_what_is_no_certificate_is_refused(nonsense: object) -> None:
    with pytest.raises(Refused):
        check(nonsense)


def test_the_checker_shares_nothing_with_the_prover() -> None:
    """It imports the standard library and itself."""
    (room,) = checker.__path__
    for file in Path(room).glob("*.py"):
        imported = [
            node for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Import | ast.ImportFrom)
        ]
        for node in imported:
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
            for name in names:
                own = name.startswith("equivalence.certificates.checker")
                assert own or name.split(".")[0] not in ("equivalence", "semantics", "physical", "snapeq", "z3", "cvc5")


def test_why_there_is_none_is_said() -> None:
    with pytest.raises(SnapeqError, match="no certificate"):
        certificate(A.plan, A.distinct().plan)
