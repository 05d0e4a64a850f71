"""Operators on signed elements: they are eager.

An operator treats everything at the watermark and before, although more elements may come at the watermark itself. If
they do, further elements correct the output at that instant, some of them negative. So a result is out as soon as its
instant has come; the time-interval approach must wait until it knows how long a result is valid.
"""

from abc import abstractmethod
from typing import TypeVar

from physical.columns.batch import Batch
from physical.columns.stream import PhysicalStream
from physical.engines.delta.delta_stream import DeltaStream, joined
from physical.engines.delta.retraction import net
from physical.engines.delta.row_lifetimes import Lives
from physical.runtime.operator import Operator
from semantics import ArithmeticOverflow, Schema

Result = TypeVar("Result", DeltaStream, PhysicalStream)


class DeltaOperator(Operator[DeltaStream, Result]):
    """An operator on signed elements: they wait at their port until all ports have come as far."""

    eager = True
    """Is an instant treated before it is over? Only if the output can be corrected afterwards."""

    def __init__(self, name: str, inputs: tuple[Schema, ...], schema: Schema) -> None:
        super().__init__(name, inputs, schema)
        self.waiting = [[DeltaStream.empty(input_)] for input_ in inputs]
        self.fresh = 0

    @abstractmethod
    def nothing(self) -> Result:
        """No output."""

    @abstractmethod
    def treat(self, due: list[DeltaStream], since: int, until: int) -> Result:
        """The output for the elements that are due at each port; if it raises, the state stays as it was."""

    def treated_again(self) -> int:
        """How many held elements every treatment goes through once more."""
        return 0

    def idle(self) -> bool:
        """Is there nothing to give out up to the watermark?"""
        return not self.fresh

    def accept(self, batch: DeltaStream, port: int) -> None:
        self.waiting[port].append(batch)
        self.fresh += len(batch)

    def release(self, watermark: int, force: bool) -> tuple[Result, int]:
        if not force and self.idle():
            return self.nothing(), watermark
        if not force and self.waits(self.fresh, self.treated_again()):
            return self.nothing(), self.progress
        try:
            return self._treated(watermark, self.eager)
        except ArithmeticOverflow:  # perhaps in a row that later elements at this instant will retract
            if not self.eager:
                raise
            return self._treated(watermark, eager=False)

    def _treated(self, watermark: int, eager: bool) -> tuple[Result, int]:
        parts = [joined(batches).until(watermark, eager) for batches in self.waiting]
        due = [first if eager is self.eager else net(first) for first, _ in parts]
        output = self.treat(due, self.progress, watermark)
        self.waiting = [[later] for _, later in parts]
        self.fresh = sum(len(later) for _, later in parts)
        return output, watermark

    def held(self) -> list[Batch]:
        return [batch for batches in self.waiting for batch in batches]


class StatefulDeltaOperator(DeltaOperator[Result]):
    """Operators with state: the rows of each input that are there. Many instants are treated at once.

    Held rows are treated again each time, so with patience new elements wait until there are as many of them.
    """

    def __init__(self, name: str, inputs: tuple[Schema, ...], schema: Schema) -> None:
        super().__init__(name, inputs, schema)
        self.lives = [Lives(DeltaStream.empty(input_), 0) for input_ in inputs]

    @abstractmethod
    def changes_of(self, lives: list[Lives], since: int, until: int) -> Result:
        """The output for held rows and new elements; unless the operator is eager, all of them are before `until`."""

    def treated_again(self) -> int:
        return sum(lives.remaining for lives in self.lives)

    def treat(self, due: list[DeltaStream], since: int, until: int) -> Result:
        lives = [Lives.of(before.survivors, new) for before, new in zip(self.lives, due, strict=True)]
        output = self.changes_of(lives, since, until)
        self.lives = lives
        return output

    def held(self) -> list[Batch]:
        return [*super().held(), *(lives.survivors for lives in self.lives)]


class RetractingOperator(StatefulDeltaOperator[DeltaStream]):
    """Stateful operators from changes to changes; an eager output may be retracted later."""

    def nothing(self) -> DeltaStream:
        return DeltaStream.empty(self.schema)

    def treat(self, due: list[DeltaStream], since: int, until: int) -> DeltaStream:
        return super().treat(due, since, until) if self.answers_no_input or any(map(len, due)) else self.nothing()

    def idle(self) -> bool:
        return super().idle() and not self.answers_no_input

    @property
    def answers_no_input(self) -> bool:
        """Is there something to give out even without any input?"""
        return False


class SettledOperator(StatefulDeltaOperator[PhysicalStream]):
    """Stateful operators whose output cannot be retracted, so they treat only instants that are over."""

    eager = False

    def idle(self) -> bool:
        return False

    def nothing(self) -> PhysicalStream:
        return PhysicalStream.empty(self.schema)
