"""What operators on signed elements do: they are eager.

An operator treats everything at the watermark and before, though more may come at that very instant: then the output
at the instant is put right by further elements, some of them negative. So a result is out as soon as its instant has
come; the time-interval approach has to wait until it knows for how long a result is valid.
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
    """Elements wait at their port until all ports have come as far."""

    eager = True
    """Is an instant treated before it is over? Not if the output could not be put right afterwards."""

    def __init__(self, name: str, inputs: tuple[Schema, ...], schema: Schema) -> None:
        super().__init__(name, inputs, schema)
        self.waiting = [[DeltaStream.empty(input_)] for input_ in inputs]
        self.fresh = 0

    @abstractmethod
    def nothing(self) -> Result:
        """No output."""

    @abstractmethod
    def treat(self, due: list[DeltaStream], since: int, until: int) -> Result:
        """What follows from the elements that are due at each port; nothing is remembered if it fails."""

    def worthwhile(self) -> int:
        """How many new elements are not yet worth treating, if no heartbeat asks for results."""
        return 0

    def idle(self) -> bool:
        """Is there nothing to be said about the time until the watermark?"""
        return not self.fresh

    def accept(self, batch: DeltaStream, port: int) -> None:
        self.waiting[port].append(batch)
        self.fresh += len(batch)

    def release(self, watermark: int, force: bool) -> tuple[Result, int]:
        if self.fresh <= self.worthwhile() and not force:
            return self.nothing(), watermark if self.idle() else self.progress
        try:
            return self._treated(watermark, self.eager)
        except ArithmeticOverflow:  # perhaps of a row that more elements at this very instant will take back
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
    """Operators with state: what is there of each input. Many instants are treated at once.

    To be worth it elements wait until they are as many as there are to be treated again.
    """

    def __init__(self, name: str, inputs: tuple[Schema, ...], schema: Schema) -> None:
        super().__init__(name, inputs, schema)
        self.lives = [Lives(DeltaStream.empty(input_), 0) for input_ in inputs]

    @abstractmethod
    def changes_of(self, lives: list[Lives], since: int, until: int) -> Result:
        """What follows from what is held and what is new, of which nothing is at until or later if not eager."""

    def worthwhile(self) -> int:
        return max(self.patience, sum(lives.remaining for lives in self.lives))

    def treat(self, due: list[DeltaStream], since: int, until: int) -> Result:
        lives = [Lives.of(before.survivors, new) for before, new in zip(self.lives, due, strict=True)]
        output = self.changes_of(lives, since, until)
        self.lives = lives
        return output

    def held(self) -> list[Batch]:
        return [*super().held(), *(lives.survivors for lives in self.lives)]


class RetractingOperator(StatefulDeltaOperator[DeltaStream]):
    """Operators with state that answer changes with changes."""

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
    """Operators that say what is or happens at instants that are over, which nothing can put right afterwards."""

    eager = False

    def idle(self) -> bool:
        return False

    def nothing(self) -> PhysicalStream:
        return PhysicalStream.empty(self.schema)
