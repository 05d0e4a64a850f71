"""Proofs from fewer assumptions: what holds without a constraint holds with it.

A constraint changes the terms of its source, and a proof that is found for plain terms may be missed for the others. So
that to know more is never worse, an attempt that fails is made again with fewer constraints. Soundness rests on this
module in one point: whatever is assumed follows from the constraints. All else is a proof like any other.
"""

from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import combinations
from typing import Final

from equivalence.prover.attempt import Proof, Statement, attempted
from equivalence.prover.solver.solvers import STEPS_PER_PROOF, Z3
from semantics.constraint import Constraint, Key, Lasting, NotNull, Once

CHOICES_TRIED: Final = 31
"""Enough for all choices from three or four constraints; of more, those come first that leave out or keep few."""
STEPS_TOGETHER: Final = 2 * STEPS_PER_PROOF
"""After this many solver steps for all choices no further one is tried."""


def weaker(constraints: Collection[Constraint]) -> Iterator[tuple[Constraint, ...]]:
    """Sets of assumptions that follow from these; without a key its columns are still not NULL.

    >>> [[str(kept) for kept in some] for some in weaker([Key("E", ("k",)), Lasting("E")])]
    [['E is the same at every instant', 'k of E is not NULL'], ['E is the same at every instant']]
    """
    kept_anyway = tuple(c for c in constraints if isinstance(c, Lasting))
    optional = [c for c in constraints if not isinstance(c, Lasting)]
    most = len(optional)
    sizes = sorted(range(1, most + 1), key=lambda left_out: (min(left_out - 1, most - left_out), left_out))
    found = dict[tuple[Constraint, ...], None]()
    for left_out in sizes:
        for dropped in combinations(optional, left_out):
            plain = tuple(c for c in optional if c not in dropped)
            present = tuple(NotNull(c.source, c.columns) for c in dropped if isinstance(c, Key | Once))
            new = dict.fromkeys([(*kept_anyway, *dict.fromkeys((*plain, *present))), (*kept_anyway, *plain)])
            yield from (choice for choice in new if choice not in found)
            found |= new


def attempted_from_less(statement: Statement, solver: Z3 | None = None) -> Iterator[tuple[Proof, Statement]]:
    """The proofs that are found from weaker assumptions, each with what it proves."""
    asked, spent = solver or Z3(), 0
    for number, assumed in enumerate(weaker(statement.instance.constraints)):
        if number >= CHOICES_TRIED or spent > STEPS_TOGETHER:
            return
        less = replace(statement, instance=replace(statement.instance, constraints=assumed))
        proof = attempted(less, thorough=True, solver=asked)
        spent += asked.spent
        if proof.found:
            yield proof, less
