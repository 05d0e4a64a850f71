"""A property of a dialect: a question, and the answers that engines are known to give to it."""

from collections.abc import Iterable
from dataclasses import dataclass

from equivalence.deviations.catalogue import CATALOGUE
from equivalence.deviations.deviation import Deviation, Parameter, Variant, applied
from equivalence.deviations.situation import Situation
from semantics import SnapeqError


@dataclass(frozen=True)
class Alternative:
    """One thing that a property may mean; what it changes can be computed on the reference."""

    name: str
    sentence: str
    variant: Variant | None = None
    """None for the standard, which changes nothing."""

    @property
    def is_standard(self) -> bool:
        return self.variant is None


@dataclass(frozen=True)
class Property:
    """The alternatives exclude each other; the first is the standard."""

    name: str
    alternatives: tuple[Alternative, ...]


def changed(situation: Situation, alternatives: Iterable[Alternative]) -> Situation:
    """The situation, as an engine with all these alternatives sees it."""
    return applied([one.variant for one in alternatives if one.variant is not None], situation)


def standard(sentence: str) -> Alternative:
    return Alternative("standard", sentence)


def of_catalogue(name: str, value: Parameter = None) -> Alternative:
    """A deviation of the catalogue, with its parameter."""
    found = [deviation for deviation in CATALOGUE if deviation.name == name]
    if not found:
        raise SnapeqError(f"expected the name of a deviation, got {name!r}")
    return of_deviation(found[0], value)


def of_deviation(deviation: Deviation, value: Parameter = None) -> Alternative:
    variant = Variant(deviation, value)
    name = deviation.name if value is None else f"{deviation.name} ({value})"
    return Alternative(name, variant.sentence, variant)
