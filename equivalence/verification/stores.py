"""Stores: every configuration agrees with its model, in memory and in the databases that are there."""

from collections.abc import Iterator
from importlib.util import find_spec
from itertools import product
from typing import Final

from equivalence.cases.choices import SeededChoices
from equivalence.stores.check_store import check_store
from equivalence.stores.configurations import Configuration, DatabaseName, configurations
from equivalence.verification.claim_outcome import Outcome
from equivalence.verification.effort import Effort
from physical.storage.patterns import Expire

SLOWDOWN: Final[dict[str, int]] = {"memory": 1, "sqlite": 5, "duckdb": 60}
"""A store in a database gets fewer cases by this factor, because commits take time."""


def names() -> list[str]:
    """What is verified: each kind of producer, in each place that there is."""
    places = [place for place in SLOWDOWN if place == "memory" or find_spec("sqlite3" if place == "sqlite" else place)]
    return [f"stores, {producer.value}, in {place}" for producer, place in product(Expire, places)]


def verify_stores(name: str, effort: Effort, seed: int) -> Iterator[Outcome]:
    """Configurations drawn from all there are of this kind."""
    _, producer, place = name.split(", ")
    chosen = _configurations(Expire(producer), place.removeprefix("in "))
    cases = max(effort.relation_cases // SLOWDOWN[place.removeprefix("in ")], 1)
    for number in range(cases):
        choices = SeededChoices(f"{seed}/{name}/{number}")
        failure = check_store(choices.of(chosen), choices)
        if failure is not None:
            yield Outcome(
                "engines", name, "agrees with its model", False, "refuted", {"cases": number}, text=str(failure)
            )
            return
    yield Outcome("engines", name, "agrees with its model", True, "agreed", {"cases": cases})


def _configurations(producer: Expire, place: str) -> list[Configuration]:
    databases: dict[str, DatabaseName | None] = {"memory": None, "sqlite": "sqlite", "duckdb": "duckdb"}
    return [found for found in configurations((databases[place],)) if found.producer is producer]
