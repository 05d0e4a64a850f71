"""The scheduler: it fires transitions that are ready, in any order, until none is."""

from collections.abc import Callable, Sequence

from physical.engines.dataflow.net import Net
from physical.engines.dataflow.transition import Transition

Choose = Callable[[Sequence[Transition]], Transition]
"""Chooses which of the ready transitions fires next."""


class Scheduler:
    """Goes round all transitions again and again; with `choose`, it fires the chosen one."""

    def __init__(self, net: Net, choose: Choose | None = None) -> None:
        self.net = net
        self.choose = choose
        self.fired = 0

    def ready(self) -> list[Transition]:
        return [transition for transition in self.net.transitions if _fires(transition)]

    def step(self) -> bool:
        """Fire one transition, or one round of them; False if none is ready."""
        if self.choose is not None:
            ready = self.ready()
            chosen = [self.choose(ready)] if ready else []
        else:
            chosen = self.net.transitions
        before = self.fired
        for transition in chosen:
            if _fires(transition) and transition.fire():
                self.fired += 1
        return self.fired > before

    def run(self) -> None:
        """Fire until nothing is ready."""
        while self.step():
            continue


def _fires(transition: Transition) -> bool:
    return not transition.threaded and transition.ready()
