"""Streams by the thousand from a plain seed: the same generators without Hypothesis around them."""

from collections.abc import Mapping
from random import Random

from equivalence.cases.choices import SeededChoices
from equivalence.cases.random_cases import Case, choose_case
from semantics import Schema


def random_case(random: Random, schemas: Mapping[str, Schema], *, max_size: int = 8) -> Case:
    """Streams for these sources."""
    return choose_case(SeededChoices(random.random()), schemas, max_size=max_size)
