"""A module to be mutated: what its functions give is known, and nobody else uses it."""

import signal

LIMIT = 3
QUARTERS = 4 // 1


class Step:
    """How far a step goes."""

    width = 1


def below(x: int) -> bool:
    """The tests look at this near its boundary."""
    return x < LIMIT


def far_below(x: int) -> bool:
    """The tests never look at this near its boundary."""
    return x < 100


def never_called(x: int) -> bool:
    return x < LIMIT


def countdown(n: int) -> int:
    while n > 0:
        n -= 1
    return n


def ended_by(number: int) -> None:
    """Crashes as soon as the comparison is another."""
    if number == 0:
        signal.raise_signal(signal.SIGUSR1)


def stepped(x: int) -> int:
    return x + Step.width


def raised(x: int, by: int = 1) -> int:
    return x + by


def quartered(x: int) -> int:
    return x // QUARTERS


def halved(x: int) -> int:
    if x < 0:
        return -(-x // 2)
    return x // 2
