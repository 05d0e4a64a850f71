"""A deviation as data: a way in which an engine is wrong or means something else, executable on the reference."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from equivalence.deviations.situation import Situation
from semantics import Instant
from semantics.how_many import how_many
from semantics.plan import Node
from semantics.value import brief

Stage = Literal["input", "plan", "output"]
Position = Literal[
    "before the watermark", "at the watermark", "at the window", "at the key", "after the window", "at the sink"
]
"""Where on a row's way it happens: a row that is dropped before the watermark sees it does not move the watermark."""
Locality = Literal["window", "prefix", "whole"]
"""What has to be known to see it at an instant: the rows of a window around it, all before it, or everything."""
COUNTED_INSTANTS = "{} instants"
"""Where a sentence says how many; one of them is one instant."""
Parameter = object
Values = Callable[[Situation, "Clue"], Iterable[Parameter]]
"""The parameters that make sense for a query; none if a deviation does not concern it."""


@dataclass(frozen=True)
class Clue:
    """What a wrong output gives away before anything is tried, for parameters that nobody could enumerate."""

    first: Instant = 0
    """Where it differs first."""
    lags: tuple[int, ...] = ()
    """By how much rows seem to be moved in time, the commonest first."""
    last_claim: Instant | None = None
    """The last instant at which a recording claims anything."""
    suspects: tuple[tuple[str, int], ...] = ()
    """The rows behind the first difference: their source, and their number in the order of arrival."""


@dataclass(frozen=True)
class Deviation:
    """One knob of the semantics, turned."""

    name: str
    sentence: str
    """What the engine does instead; `{…}` is where the parameter goes."""
    knob: str
    """Of two deviations with the same knob only one can be there."""
    stage: Stage
    position: Position
    values: Values
    apply: Callable[[Situation, Parameter], Situation]
    shapes: tuple[type[Node], ...] = ()
    """Operators that a query must have one of; with none named it concerns every query."""
    locality: Locality = "window"
    parameter: str = "parameter"
    """What the parameter is called."""
    synonyms: tuple[str, ...] = ()
    of_data: bool = False
    """The parameters depend on the rows: without late rows, ties or NULLs there are none, but it concerns the query."""
    bits: float = field(default=0.0, compare=False)
    """How much less likely it is than others, as bits."""

    def concerns(self, situation: Situation) -> bool:
        """Has the query an operator that it is about, and would some rows give it a parameter?"""
        fits = not self.shapes or any(isinstance(node, self.shapes) for node in situation.plan.walk())
        if self.knob == "lateness" and (not situation.can_be_late or self._is_right(situation)):
            return False
        return fits and (self.of_data or any(True for _ in self.values(situation, Clue())))

    def _is_right(self, situation: Situation) -> bool:
        """Is it what the situation says anyway?"""
        return self.apply(situation, None).lateness == situation.lateness

    def variants(self, situation: Situation, clue: Clue) -> list["Variant"]:
        """The deviation with every parameter that makes sense here."""
        if self.shapes and not any(isinstance(node, self.shapes) for node in situation.plan.walk()):
            return []
        values = list(self.values(situation, clue))
        return [Variant(self, value, len(values)) for value in values]


@dataclass(frozen=True)
class Variant:
    """A deviation with its parameter; `among` so many."""

    deviation: Deviation
    value: Parameter
    among: int = 1

    @property
    def name(self) -> str:
        return self.deviation.name

    @property
    def sentence(self) -> str:
        sentence = self.deviation.sentence
        if isinstance(self.value, int) and COUNTED_INSTANTS in sentence:
            return sentence.replace(COUNTED_INSTANTS, how_many(self.value, "instant"))
        return sentence.format(_shown(self.value))

    @property
    def parameters(self) -> Mapping[str, object]:
        return {} if self.value is None else {self.deviation.parameter: self.value}

    def applied(self, situation: Situation) -> Situation:
        return self.deviation.apply(situation, self.value)


_STAGES = {"input": 0, "plan": 1, "output": 2}


def applied(variants: Iterable[Variant], situation: Situation) -> Situation:
    """Several deviations at once: what happens to the input first, what happens to the output last."""
    for variant in sorted(variants, key=_place):
        situation = variant.applied(situation)
    return situation


def _place(variant: Variant) -> tuple[int, bool]:
    """What is read otherwise is read before anything else is done with the plan."""
    return _STAGES[variant.deviation.stage], variant.deviation.knob != "query"


def once(situation: Situation, clue: Clue) -> Iterable[Parameter]:
    """No parameter."""
    return (None,)


def _shown(value: Parameter) -> str:
    return f"{value:,}" if type(value) is int else value if isinstance(value, str) else brief(value)
