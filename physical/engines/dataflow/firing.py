"""When a factory fires: with how many elements, before which others, and how long elements may wait for it."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Firing:
    """What one factory asks of the scheduler."""

    minimum: int | None = None
    """It fires when this many elements wait; None means what the setting says for all."""
    priority: int = 0
    """Of the factories that are ready, one with the highest priority fires; what feeds it is as important as it is."""
    within: float | None = None
    """Seconds after which a waiting element makes it fire, however few there are; None means that they may wait."""


USUAL: Final = Firing()
