"""What long work says in a pipe, where no bar moves: a line every half a minute, and none if it is done sooner."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Event, Thread
from time import monotonic
from typing import Final, TypeVar

T = TypeVar("T")
Say = Callable[[str], None]
SILENCE: Final = 30.0
"""Seconds without a line, at most."""


@contextmanager
def ticking(describe: str, say: Say, silence: float = SILENCE) -> Iterator[None]:
    """Work of unknown length: how long it has gone on."""
    done, began = Event(), monotonic()

    def tick() -> None:
        while not done.wait(silence):
            say(f"snapeq: {describe}: {monotonic() - began:.0f} s so far")

    thread = Thread(target=tick, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def counted(
    items: Sequence[T], describe: str, say: Say, silence: float = SILENCE, clock: Callable[[], float] = monotonic
) -> Iterator[T]:
    """Work whose parts are known: how many are done, and about how long the rest takes.

    >>> list(counted("ab", "letters", print, 10, iter((0.0, 5.0, 20.0)).__next__))
    snapeq: letters: 2 of 2, about 0 s left
    ['a', 'b']
    """
    began = told = clock()
    for done, item in enumerate(items, 1):
        yield item
        now = clock()
        if now - told >= silence:
            told = now
            left = (now - began) / done * (len(items) - done)
            say(f"snapeq: {describe}: {done} of {len(items)}, about {left:.0f} s left")
