"""Who agrees with whom: checkers, generators, verdicts with evidence.

Names are loaded when they are first used: pytest imports this package in every project that has snapeq installed.
"""

import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

for _name in ("semantics", "physical"):
    _spec = find_spec(_name)
    _home = Path(_spec.origin).resolve() if _spec is not None and _spec.origin is not None else None
    if _home is None or _home.parent.parent != Path(__file__).resolve().parent.parent:
        raise ImportError(
            f"snapeq needs its own package {_name!r}, but found {_home}: "
            "rename that one, or start Python where it does not come first on the path"
        )

if TYPE_CHECKING:
    from equivalence.cases import strategies
    from equivalence.conformance.matrix import Conformance
    from equivalence.conformance.metamorphic import check_relation
    from equivalence.conformance.suite import check_engine, conform
    from equivalence.exhaustive.exhaust import exhaust
    from equivalence.optimizer.check_optimizer import check_optimizer
    from equivalence.optimizer.optimize import optimize
    from equivalence.sampling.sample import check_plans, check_rule
    from equivalence.verdicts.verdict import Verdict

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

_HOMES = {
    "Conformance": "equivalence.conformance.matrix",
    "Verdict": "equivalence.verdicts.verdict",
    "check_engine": "equivalence.conformance.suite",
    "check_optimizer": "equivalence.optimizer.check_optimizer",
    "check_plans": "equivalence.sampling.sample",
    "check_relation": "equivalence.conformance.metamorphic",
    "check_rule": "equivalence.sampling.sample",
    "conform": "equivalence.conformance.suite",
    "exhaust": "equivalence.exhaustive.exhaust",
    "optimize": "equivalence.optimizer.optimize",
}


def __getattr__(name: str) -> object:
    if name == "strategies":
        return import_module("equivalence.cases.strategies")
    if name not in _HOMES:
        raise AttributeError(f"module 'equivalence' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


class _Package(ModuleType):
    def __setattr__(self, name: str, value: object) -> None:
        """Importing a module must not hide the function of the same name that is promised here."""
        if name not in _HOMES or not isinstance(value, ModuleType):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
