"""Who agrees with whom: checkers, generators, verdicts with evidence.

Names are loaded when they are first used: Hypothesis, numpy and the rules take their time to import.
"""

from typing import TYPE_CHECKING

import physical

if getattr(physical, "__distribution__", None) != "snapeq":
    raise ImportError(
        f"snapeq needs its own package 'physical', but found {physical.__file__}: "
        "rename that one, or start Python where it does not come first on the path"
    )

from equivalence.former_names import answer_to_former_names
from semantics.lazy_names import lazy_names

if TYPE_CHECKING:
    from equivalence.cases import strategies
    from equivalence.comparison.check_plans import check_plans
    from equivalence.conformance.check_engine import check_engine
    from equivalence.conformance.matrix import Conformance
    from equivalence.conformance.metamorphic import check_relation
    from equivalence.conformance.suite import conform
    from equivalence.exhaustive.exhaust import exhaust
    from equivalence.fuzzing.check_optimizer import check_optimizer
    from equivalence.optimizer.optimize import optimize
    from equivalence.sampling.sample import check_rule
    from equivalence.verdicts.verdict import Verdict
else:
    __getattr__ = lazy_names(__name__)

__distribution__ = "snapeq"
__all__ = [
    "Conformance",
    "Verdict",
    "check_engine",
    "check_optimizer",
    "check_plans",
    "check_relation",
    "check_rule",
    "conform",
    "exhaust",
    "optimize",
    "strategies",
]

answer_to_former_names()
