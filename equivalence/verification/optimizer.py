"""The optimizer: it keeps the meaning of plans, and so does each of its rewrites alone."""

from collections.abc import Iterator
from typing import Final

from equivalence.optimizer.check_optimizer import check_optimizer
from equivalence.optimizer.optimize import optimize
from equivalence.optimizer.rewrites import REWRITES, steps
from equivalence.verification.claim_outcome import Outcome, outcome_of
from equivalence.verification.effort import Effort
from semantics import Plan

WHOLE: Final = "optimize"


def names() -> list[str]:
    """What is verified: the optimizer as a whole, and each rule that it uses."""
    return [WHOLE, *dict.fromkeys(rewrite.name for rewrite in REWRITES)]


def verify_optimizer(name: str, effort: Effort, seed: int) -> Iterator[Outcome]:
    """The optimizer as a whole, or the rewrites of one rule, at the first place in a plan where one of them applies."""
    if name == WHOLE:
        verdict = check_optimizer(optimize, examples=effort.optimizer_cases, seed=seed)
        yield outcome_of("optimizer", name, "keeps the meaning", verdict)
        return
    of_this_rule = [rewrite for rewrite in REWRITES if rewrite.name == name]

    def first_step(plan: Plan) -> Plan:
        return next((step.plan for step in steps(plan, of_this_rule)), plan)

    firings = effort.rewrite_firings
    verdict = check_optimizer(first_step, examples=effort.optimizer_cases, firings=firings, seed=seed)
    # A rewrite that needs a key of a source cannot fire on sources of which nothing is known.
    yield outcome_of("optimizer", name, "keeps the meaning", verdict, verdict.kind != "refuted")
