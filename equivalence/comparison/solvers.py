"""Are the solvers of the prover installed? It is asked without importing them, since that takes its time."""

from functools import cache
from importlib.util import find_spec
from typing import Final

from semantics.missing_package import missing_package

SOLVERS: Final = ("z3", "cvc5")
HOW_TO_INSTALL: Final = "pip install 'snapeq[prove]'"


@cache
def solvers_missing() -> str | None:
    """What is missing and how to install it; None if nothing is."""
    missing = [name for name in SOLVERS if find_spec(name) is None]
    return missing_package("the prover", *missing, command=HOW_TO_INSTALL) if missing else None
