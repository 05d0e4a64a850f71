"""Who agrees with whom: checkers, generators, verdicts with evidence."""

import physical

if getattr(physical, "__distribution__", None) != "snapeq":
    raise ImportError(
        f"snapeq needs its own package 'physical', but found {physical.__file__}: "
        "rename that one, or start Python where it does not come first on the path"
    )

from equivalence import generate as strategies  # only once the packages it needs are known to be ours
from equivalence.check import check_plans, check_rule
from equivalence.conform import check_engine, conform
from equivalence.conformance import Conformance
from equivalence.verdict import Verdict

__distribution__ = "snapeq"
__all__ = ["Conformance", "Verdict", "check_engine", "check_plans", "check_rule", "conform", "strategies"]
