"""Parts of snapeq that need packages which its plain installation leaves out."""

from collections.abc import Iterator
from contextlib import contextmanager

from equivalence.comparison.solvers import HOW_TO_INSTALL
from semantics import Unsupported
from semantics.missing_package import missing_package


@contextmanager
def needing_solvers(what: str) -> Iterator[None]:
    """Import the prover inside: if a solver is missing, the error names it and the command that installs it."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name not in ("z3", "cvc5"):
            raise
        raise Unsupported(missing_package(what, error.name, command=HOW_TO_INSTALL)) from None
