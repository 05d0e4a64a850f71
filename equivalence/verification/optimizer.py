"""The optimizer: it keeps the meaning of plans, and every rewrite of it does."""

from collections.abc import Iterator

from equivalence.optimizer.check_optimizer import check_optimizer
from equivalence.optimizer.optimize import optimize
from equivalence.optimizer.rewrites import REWRITES, steps
from equivalence.verification.effort import Effort
from equivalence.verification.outcome import Outcome, outcome_of
from semantics import Plan


def verify_optimizer(name: str, effort: Effort, seed: int) -> Iterator[Outcome]:
    """The optimizer as a whole, or one rewrite wherever it can first be made."""
    if name == "optimize":
        verdict = check_optimizer(optimize, examples=effort.optimizer_cases, seed=seed)
        yield outcome_of("optimizer", name, "keeps the meaning", verdict)
        return
    used = [rewrite for rewrite in REWRITES if rewrite.rule == name]

    def first_step(plan: Plan) -> Plan:
        return next((step.plan for step in steps(plan, used)), plan)

    verdict = check_optimizer(first_step, examples=effort.optimizer_cases, seed=seed)
    # A rewrite that needs a key of a source cannot fire on sources of which nothing is known.
    yield outcome_of("optimizer", name, "keeps the meaning", verdict, verdict.kind != "refuted")
