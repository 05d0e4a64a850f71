"""Certificates: the proof of two plans' equivalence as a file that somebody else can check."""

from collections.abc import Collection
from dataclasses import asdict
from typing import Any

from equivalence.certificates.checker.check import FORMAT, VERSION, check
from equivalence.certificates.checker.terms import Refused
from equivalence.certificates.minimal import minimal
from equivalence.certificates.recording.kernel import TracedKernel
from equivalence.certificates.recording.trace import NotRecorded
from equivalence.prover.attempt import sides_of
from equivalence.prover.meaning.expressions import SORTS
from equivalence.prover.solver.solvers import Z3, BudgetExceeded
from equivalence.prover.terms.build import ZERO, at_most
from equivalence.prover.terms.term import Var
from equivalence.prover.weaker_assumptions import weaker
from equivalence.rules.instances import Instance
from semantics import Plan
from semantics.constraint import Constraint
from semantics.errors import SnapeqError
from semantics.notation.json_plans import plan_to_json
from semantics.notation.json_values import json_columns


class NoCertificate(SnapeqError):
    """Why there is no certificate of a proof."""


def certificate(left: Plan, right: Plan, constraints: Collection[Constraint] = ()) -> dict[str, Any]:
    """A certificate that the checker accepts but for its leaves, from all constraints or from fewer."""
    reasons: list[str] = []
    for assumed in (tuple(constraints), *weaker(constraints)):
        for thorough in (False, True):
            try:
                written = minimal(_written(Instance(left, right, assumed), thorough))
                check(written)
                return written
            except (Refused, NotRecorded, BudgetExceeded) as reason:
                reasons.append(str(reason))
    raise NoCertificate(f"no certificate was found: {reasons[0]}")


def _written(instance: Instance, thorough: bool) -> dict[str, Any]:
    fresh, time, sides = sides_of(instance)
    kernel = TracedKernel(fresh, (at_most(ZERO, time),), thorough, Z3())
    if not kernel.equal(*sides):
        raise NotRecorded("the proof needs a step of which no certificate is written")
    theorem = kernel.theorem(*sides)
    trace = kernel.trace
    row = [Var(f"e.{i}", SORTS[type_]) for i, type_ in enumerate(instance.left.schema.types, 1)]
    theorem["row"] = trace.all(row)
    return {
        "format": FORMAT,
        "version": VERSION,
        "left": plan_to_json(instance.left),
        "right": plan_to_json(instance.right),
        "sources": {name: json_columns(schema) for name, schema in sorted(instance.sources.items())},
        "constraints": [constraint_to_json(c) for c in instance.constraints],
        "symbols": trace.symbols,
        "terms": trace.terms,
        "lemmas": trace.lemmas,
        "theorem": theorem,
    }


def constraint_to_json(constraint: Constraint) -> dict[str, Any]:
    parts = {name: list(part) if isinstance(part, tuple) else part for name, part in asdict(constraint).items()}
    return {"kind": type(constraint).__name__, **parts}
