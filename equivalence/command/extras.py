"""Parts of snapeq that need packages which its plain installation leaves out."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from equivalence.comparison.solvers import HOW_TO_INSTALL
from semantics import Unsupported

SOLVERS: Final = HOW_TO_INSTALL


@contextmanager
def needing_solvers(what: str) -> Iterator[None]:
    """Import the prover inside: if a solver is missing, the error names it and the command that installs it."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name not in ("z3", "cvc5"):
            raise
        raise Unsupported(f"{what}: needs {error.name}, which is not installed: {HOW_TO_INSTALL}") from None
