"""What explains a wrong output: named deviations, and what they leave unexplained."""

from dataclasses import dataclass
from typing import Final

from equivalence.deviations.deviation import Variant
from equivalence.deviations.local_faults import LocalFault

ENDS: Final = ("end of input", "end of output")


@dataclass(frozen=True)
class Explanation:
    """Deviations, a fault in single places that they leave, and how many of the differences both explain."""

    variants: tuple[Variant, ...]
    explained: int
    of: int
    fault: LocalFault | None = None
    cost: float = 0.0
    also: tuple[tuple[str, ...], ...] = ()
    """Other names for the same: with them the query would mean the same for every input."""
    other_parameters: int = 0
    """So many other parameters of the same deviations explain the output as well."""

    @property
    def exact(self) -> bool:
        return self.explained == self.of

    @property
    def is_of_data(self) -> bool:
        """Does it only say where rows got lost? Then a fault in a single place may be the simpler word for it."""
        return all(variant.deviation.knob in ENDS for variant in self.variants)

    @property
    def names(self) -> tuple[str, ...]:
        return (*(variant.name for variant in self.variants), *([self.fault.name] if self.fault else []))

    @property
    def all_names(self) -> frozenset[frozenset[str]]:
        return frozenset(map(frozenset, (self.names, *self.also)))

    @property
    def sentence(self) -> str:
        sentences = [*(variant.sentence for variant in self.variants), *([self.fault.sentence] if self.fault else [])]
        return "; and ".join(sentences)


@dataclass(frozen=True)
class Diagnosis:
    """All explanations of the fewest deviations that leave nothing, the best first; else the nearest one."""

    differences: int
    exact: tuple[Explanation, ...] = ()
    nearest: Explanation | None = None
    untried: tuple[str, ...] = ()
    """Deviations that could not be computed here."""

    @property
    def best(self) -> Explanation | None:
        return self.exact[0] if self.exact else self.nearest
