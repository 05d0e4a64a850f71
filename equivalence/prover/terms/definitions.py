"""Names for terms that are used more than once: a text stays short if it writes each of them out once."""

from dataclasses import dataclass, field
from typing import Final

from equivalence.prover.terms.build import equal
from equivalence.prover.terms.smtlib import written_size
from equivalence.prover.terms.term import Term, Var

PARTS_WITHOUT_NAME: Final = 6
"""A term with no more parts than this is written out wherever it is used."""


@dataclass
class Definitions:
    """Names and the equations that define them: under these equations a name equals its term."""

    of: str
    equations: list[Term] = field(default_factory=list)

    def named(self, term: Term, short: int = PARTS_WITHOUT_NAME) -> Term:
        if written_size(term) <= short:
            return term
        name = Var(f"{self.of} {len(self.equations)}", term.sort)
        self.equations.append(equal(name, term))
        return name
