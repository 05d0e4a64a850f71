"""A mutant: an engine that is wrong in one way, and known to be."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from equivalence.conformance.subject.in_process import AnyEngine
from physical.runtime.run_whole import AnyStream
from semantics import Plan

Family = Literal["operator", "window", "expression", "aggregate", "engine", "session"]


@dataclass(frozen=True)
class Mutant:
    """An engine that the checkers must catch. Its name says what is wrong with it."""

    engine: AnyEngine
    family: Family

    @property
    def name(self) -> str:
        return self.engine.name


class MutatedEngine(ABC):
    """The base of all wrong engines. A subclass says what is wrong; everything else is a right engine.

    There is no method `session` here. The suite runs an engine in sessions as soon as it has one, and an engine that is
    wrong on whole streams would then be judged by other cases than those that are meant for it.
    """

    knows_now = True
    knows_all_aggregates = True

    def __init__(self, name: str) -> None:
        self.name = name

    def supports(self, plan: Plan) -> bool:
        return True

    @abstractmethod
    def run(self, plan: Plan, sources: Mapping[str, AnyStream], horizon: int) -> object:
        """The wrong result. Some mutants return what is no stream at all."""
