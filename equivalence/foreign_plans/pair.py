"""A question read from plans of others."""

from dataclasses import dataclass

from semantics.expression import ScalarFunction


@dataclass(frozen=True)
class PairOfPlans:
    """Two queries in this project's SQL, over the same declarations."""

    catalog: str
    q1: str
    q2: str
    functions: tuple[ScalarFunction, ...] = ()
    """Those that nothing is known of; a counterexample with them refutes nothing."""
