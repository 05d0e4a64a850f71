"""What the passes work on: a conjecture, and how far they have got with it."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from equivalence.prover.attempt import Statement
from equivalence.prover.solver.solvers import Z3
from equivalence.rules.instances import Instance, ListInstance
from equivalence.verdicts.verdict import Verdict

StatementsOf = Callable[[Collection[str], Z3], Iterable[Statement]]
"""The statements of a conjecture; aggregates that may be any function can be restricted to some kinds."""
NOT_ATTEMPTED: Final = Verdict("unknown", {"how": "proof", "reason": "a sample speaks against it"})


@dataclass
class Conjecture:
    """Statements that are conjectured to hold together, and one solver for all questions about them.

    The solver remembers its answers, so a long attempt does not pay again for what a short one has asked. Every
    conjecture has a solver of its own: its answers never depend on other conjectures.
    """

    statements_of: StatementsOf
    sample: Callable[[int], Verdict | None] | None = None
    """Tries this many random cases; refuted by the first that fails, else None. Plans alone are not sampled."""
    plans: Instance | None = None
    """The two plans, if the conjecture is just that these are equivalent."""
    solver: Z3 = field(default_factory=Z3)

    def statements(self, kinds: Collection[str] = ()) -> Iterable[Statement]:
        return self.statements_of(kinds, self.solver)

    @cached_property
    def about_lists(self) -> bool:
        return any(isinstance(statement.instance, ListInstance) for statement in self.statements())


@dataclass(frozen=True)
class Progress:
    """What the passes so far have found out."""

    verdict: Verdict = NOT_ATTEMPTED
    failing_sample: Verdict | None = None
    """A random case on which the sides differ. Passes prefer a model to it, because models are smaller."""
    longer_proof_may_help: bool = False
    """Whether the short attempt at a proof ran out of effort, rather than into something outside the fragment."""

    @property
    def decided(self) -> bool:
        return self.verdict.kind != "unknown"
