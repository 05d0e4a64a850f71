"""The scheduler: it fires transitions that are ready until none is, in any order or by priority, and in time."""

from collections.abc import Callable, Sequence

from physical.engines.dataflow.net import Net
from physical.engines.dataflow.transition import Transition

Choose = Callable[[Sequence[Transition]], Transition]
"""Chooses which of the ready transitions fires next."""


class Scheduler:
    """Goes round all transitions again and again; with priorities or `choose`, it fires one at a time.

    A basket in which elements have waited for as long as they may is treated as if a promise were urgent: its readers
    fire with what is there, and so do all after them.
    """

    def __init__(self, net: Net, choose: Choose | None = None) -> None:
        self.net = net
        self.choose = choose
        self.fired = 0

    def ready(self) -> list[Transition]:
        return [transition for transition in self.net.transitions if _fires(transition)]

    def step(self) -> bool:
        """Fire one transition, or one round of them; False if none is ready."""
        for basket in self.net.overdue():
            basket.hasten()
        choose = self.choose or (_most_important if self.net.prioritised else None)
        if choose is not None:
            ready = self.ready()
            chosen = [choose(ready)] if ready else []
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


def _most_important(ready: Sequence[Transition]) -> Transition:
    return max(ready, key=lambda transition: transition.priority)


def _fires(transition: Transition) -> bool:
    return not transition.threaded and transition.ready()
