"""Who closes the leaves of a certificate: two solvers that share no code, each asked anew with the checker's text."""

from typing import Final

from equivalence.prover.solver.solvers import CVC5_INSTANTIATIONS, Z3, cvc5_within
from equivalence.prover.solver.solvers import names as names

STEPS: Final = 4_000_000
"""Of each solver for one leaf; the texts differ from those of the prover, so they get more than it needed."""


def unsatisfiable(text: str) -> bool:
    """Do both find that no values make all assertions of the text true?"""
    asserted = text.replace("(check-sat)\n", "")
    if Z3(STEPS).ask(asserted) != "unsat":
        return False
    return any(cvc5_within(asserted, options, STEPS) == "unsat" for options in CVC5_INSTANTIATIONS)
