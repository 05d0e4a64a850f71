"""A store against its model: many random steps, and the first one after which they disagree."""

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from equivalence.cases.choices import Choices
from equivalence.stores.configurations import Configuration, Consumer
from equivalence.stores.lockstep import Disagreement, Lockstep
from equivalence.stores.store_maker import StoreMaker
from physical.storage.errors import StoreError
from physical.storage.patterns import Consume, Expire
from semantics.value import NAN, Row

STEPS: Final = 30
STEPS_BETWEEN_CHECKS: Final = 5
"""Each check reads all that the store holds, so it costs far more than a step."""
TEXTS: Final = ("x", "", None, "ü")
FLOATS: Final = (0.5, -1.0, NAN, None)


@dataclass(frozen=True)
class StoreFailure:
    """The first disagreement of a store with its model."""

    configuration: Configuration
    steps: int
    message: str

    def __str__(self) -> str:
        return f"{self.configuration}\nafter {self.steps} steps: {self.message}"


def check_store(
    configuration: Configuration, choices: Choices, maker: StoreMaker | None = None, steps: int = STEPS
) -> StoreFailure | None:
    """Drive a store and its model; the first disagreement, or None if there is none."""
    done = 0
    with TemporaryDirectory() as folder:
        try:
            lockstep = Lockstep(configuration, Path(folder), maker)
            for done in range(1, steps + 1):
                step(lockstep, choices)
                if done % STEPS_BETWEEN_CHECKS == 0:
                    lockstep.check()
            lockstep.check()
            lockstep.close()
        except (Disagreement, StoreError, LookupError, ValueError, AttributeError) as error:  # wrong stores may crash
            return StoreFailure(configuration, done, f"{type(error).__name__}: {error}")
    return None


def step(lockstep: Lockstep, choices: Choices) -> None:
    """Make one random request to both."""
    kind = choices.below(16)
    consumer = choices.of(lockstep.configuration.consumers)
    newest = lockstep.model.next_id
    if kind < 6:
        values = [choices.below(4)] if lockstep.replacing and choices.chance(1, 3) else None
        lockstep.insert(random_item(choices, lockstep.configuration), values)
    elif kind < 8:
        _expire(lockstep, choices, newest)
    elif kind < 10:
        _consume(lockstep, choices, consumer, newest)
    elif kind < 12:
        lockstep.next_item(
            consumer.name, [random_item(choices, lockstep.configuration) for _ in range(choices.below(3))]
        )
    elif kind < 13:
        lockstep.get(consumer.name, choices.below(newest + 2))
    else:
        _rare_step(lockstep, choices)


def _rare_step(lockstep: Lockstep, choices: Choices) -> None:
    kind = choices.below(6)
    if kind < 2:
        lockstep.when(choices.below(5))
    elif kind < 3:
        lockstep.collect()
    elif kind < 4:
        lockstep.commit()
    else:
        lockstep.crash()


def random_item(choices: Choices, configuration: Configuration) -> Row:
    """An item of the schema, or of any length if there is no schema."""
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
