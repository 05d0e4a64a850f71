"""Any suite once more, while little is done at once: so few elements reach code that is there for many."""

from collections.abc import Iterator

from equivalence.mutants.machine.trial import Suite, Trial
from equivalence.mutants.machine.tuning import in_small_steps


def in_small_steps_of(suite: Suite) -> Suite:
    """Other trials of a suite, with small values of all constants that say how much is done at once."""

    def trials(seed: int, size: int) -> Iterator[Trial]:
        for trial in suite(seed + 1, size):
            yield Trial(f"{trial.suite} in small steps", trial.number, in_small_steps()(trial.wrong))

    return trials
