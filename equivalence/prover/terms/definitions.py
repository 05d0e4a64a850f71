"""Names for terms that are used more than once: a text that writes each of them out once stays short."""

from dataclasses import dataclass, field
from typing import Final

from equivalence.prover.terms.build import equal
from equivalence.prover.terms.smtlib import written_size
from equivalence.prover.terms.term import Term, Var

PARTS_WITHOUT_NAME: Final = 6
"""A term with no more parts than this is written out wherever it is used."""


@dataclass
class Definitions:
    """What each name stands for; together with the definitions a name is as good as its term."""

    of: str
    said: list[Term] = field(default_factory=list)

    def named(self, term: Term, short: int = PARTS_WITHOUT_NAME) -> Term:
        if written_size(term) <= short:
            return term
        name = Var(f"{self.of} {len(self.said)}", term.sort)
        self.said.append(equal(name, term))
        return name
