"""A trial: one thing that right code does right, and that a mutant may do wrong."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

Suite = Callable[[int, int], Iterator["Trial"]]
"""From a seed and a size to trials; the right answers are computed when they are made."""


@dataclass(frozen=True)
class Trial:
    """A case with its right answer, prepared so that only the code under test has to run."""

    suite: str
    number: int
    wrong: Callable[[], str | None]
    """Runs the case, and says what is wrong with the result; whatever it raises is wrong as well."""

    def finding(self) -> str | None:
        """What is wrong, in words."""
        try:
            return self.wrong()
        except Exception as error:
            return f"{type(error).__name__}: {error}"[:200]

    def __str__(self) -> str:
        return f"{self.suite} {self.number}"
