"""Mutations: subclasses with one method wrong, which parts of a right engine or store turn into."""

from collections.abc import Callable
from functools import cache

Change = Callable[[object], None]
"""Makes a part wrong that has just been made, or leaves it alone."""


def mutate(part: object, mutation: type) -> None:
    """Put the methods of a mutation before those of the part's own class.

    A mutation derives from the class whose methods it overrides, and calls `super()` for the right behaviour. So mypy
    compares each override with what it replaces, and one mutation serves all subclasses of that class.

    The class of an object is changed after it was made. The alternative is to make it as a subclass, but factories
    decide which class serves a plan or some parameters, and every mutant would have to repeat that decision.
    """
    right: type = type(part)
    part.__class__ = _mutated(right, mutation)


def each(kind: type, mutation: type) -> Change:
    """Mutate the parts of this kind, and no others."""
    if not issubclass(kind, mutation.__bases__):
        raise TypeError(f"each: {mutation.__name__} must derive from {kind.__name__} or from a class above it")

    def change(part: object) -> None:
        if isinstance(part, kind):
            mutate(part, mutation)

    return change


@cache
def _mutated(right: type, mutation: type) -> type:
    return type(f"{mutation.__name__}{right.__name__}", (mutation, right), {"__slots__": ()})
