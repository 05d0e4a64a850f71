"""A configuration against its model: many steps, drawn from a seed or by Hypothesis."""

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from equivalence.cases.choices import Choices, SeededChoices
from equivalence.stores.configurations import Configuration, Consumer
from equivalence.stores.lockstep import Disagreement, Lockstep
from equivalence.stores.makers import Makes
from physical.storage.errors import StoreError
from physical.storage.patterns import Consume, Expire
from semantics.value import NAN, Row

STEPS: Final = 30
TEXTS: Final = ("x", "", None, "ü")
FLOATS: Final = (0.5, -1.0, NAN, None)


@dataclass(frozen=True)
class Failure:
    """Where a store and its model part."""

    configuration: Configuration
    steps: int
    message: str

    def __str__(self) -> str:
        return f"{self.configuration}\nafter {self.steps} steps: {self.message}"


def check_store(
    configuration: Configuration, choices: Choices, makes: Makes | None = None, steps: int = STEPS
) -> Failure | None:
    """Drive a store and its model; where they part first, or None."""
    done = 0
    with TemporaryDirectory() as folder:
        try:
            lockstep = Lockstep(configuration, Path(folder), makes)
            for done in range(1, steps + 1):
                step(lockstep, choices)
                if done % 5 == 0:
                    lockstep.check()
            lockstep.check()
            lockstep.close()
        except (Disagreement, StoreError, LookupError, ValueError, AttributeError) as error:
            return Failure(configuration, done, f"{type(error).__name__}: {error}")
    return None


def check_seeded(configuration: Configuration, seed: object, makes: Makes | None = None) -> Failure | None:
    """As check_store, with choices from a seed."""
    return check_store(configuration, SeededChoices(seed), makes)


def step(lockstep: Lockstep, choices: Choices) -> None:
    """One request to both."""
    kind = choices.below(16)
    consumer = choices.of(lockstep.configuration.consumers)
    newest = lockstep.model.next_id
    if kind < 6:
        values = [choices.below(4)] if lockstep.replacing and choices.chance(1, 3) else None
        lockstep.insert(an_item(choices, lockstep.configuration), values)
    elif kind < 8:
        _expire(lockstep, choices, newest)
    elif kind < 10:
        _consume(lockstep, choices, consumer, newest)
    elif kind < 12:
        lockstep.next_item(consumer.name, [an_item(choices, lockstep.configuration) for _ in range(choices.below(3))])
    elif kind < 13:
        lockstep.get(consumer.name, choices.below(newest + 2))
    else:
        _seldom(lockstep, choices)


def _seldom(lockstep: Lockstep, choices: Choices) -> None:
    kind = choices.below(6)
    if kind < 2:
        lockstep.when(choices.below(5))
    elif kind < 3:
        lockstep.collect()
    elif kind < 4:
        lockstep.commit()
    else:
        lockstep.crash()


def an_item(choices: Choices, configuration: Configuration) -> Row:
    """An item of the schema, or without one of any length."""
    row: Row = (choices.below(4), choices.of(TEXTS), choices.of(FLOATS))
    return row if configuration.typed else row[: choices.between(1, 3)]


def _expire(lockstep: Lockstep, choices: Choices, newest: int) -> None:
    producer = lockstep.configuration.producer
    if producer is Expire.ORDERED:
        lockstep.expire_up_to(choices.below(newest + 2) - 1)
    elif producer is Expire.UNORDERED:
        lockstep.expire([choices.below(newest + 1) for _ in range(choices.between(1, 4))])


def _consume(lockstep: Lockstep, choices: Choices, consumer: Consumer, newest: int) -> None:
    if consumer.consume is Consume.ORDERED or (consumer.consume is Consume.EAGER and choices.chance(1, 4)):
        lockstep.consume_up_to(consumer.name, choices.below(newest + 2) - 1)
    elif consumer.consume is Consume.EAGER:
        lockstep.consume(consumer.name, [choices.below(newest + 1) for _ in range(choices.between(1, 4))])
