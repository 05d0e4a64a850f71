"""The user-defined functions that generated plans call, by name: reading such a plan needs them."""

from collections.abc import Mapping
from typing import Final

from equivalence.cases.random_aggregates import AGGREGATE_FUNCTIONS
from equivalence.cases.random_expressions import SCALAR_FUNCTIONS
from semantics import AggregateFunction, ScalarFunction

KNOWN_FUNCTIONS: Final[Mapping[str, ScalarFunction | AggregateFunction]] = {**SCALAR_FUNCTIONS, **AGGREGATE_FUNCTIONS}
"""User-defined functions and aggregates that generated plans call."""

KNOWN: Final = KNOWN_FUNCTIONS
"""The former name, which tests that users saved earlier import."""
