"""Long-running queries with the optimizer at work: `snapeq.Session`.

A query that is added runs by the cheapest plan found, next to those that run already: what it shares with them costs
nothing. Rates, lengths, values and selectivities are measured on what comes in. When they change, `reoptimize` lets
better plans take over from those that run.
"""

from collections.abc import Collection, Iterable
from typing import Final

from equivalence.optimizer.cost import Costs, Statistics
from equivalence.optimizer.measure import measured
from equivalence.optimizer.optimize import Optimized, optimize
from physical.engines.interval import session
from semantics import Plan, Schema, WindowError
from semantics.constraint import Constraint
from semantics.evaluate import Planned

WORTH_A_CHANGE: Final = 0.9
"""A plan takes over if it costs at most this share of the one that runs."""


class Session(session.Session):
    """A running graph of queries over named sources; `constraints` are taken for granted, nothing checks them here."""

    def __init__(
        self,
        sources: dict[str, Schema],
        *,
        slack: int = 0,
        drop_late: bool = False,
        raw: Iterable[str] = (),
        allow_unbounded: bool = False,
        patience: int = 0,
        optimize: bool = True,
        constraints: Collection[Constraint] = (),
    ) -> None:
        super().__init__(
            sources,
            slack=slack,
            drop_late=drop_late,
            raw=raw,
            allow_unbounded=allow_unbounded,
            patience=patience,
        )
        self.optimize = optimize
        self.constraints = constraints
        self._asked: dict[str, Plan] = {}

    def add(self, name: str, query: Planned) -> None:
        """Start a query under a name; it sees elements that are pushed from now on."""
        plan = self._chosen(name, query.plan).plan if self.optimize else query.plan
        super().add(name, plan)
        self._asked[name] = query.plan

    def remove(self, name: str) -> None:
        """Stop a query; operators that no other query needs are dropped."""
        super().remove(name)
        del self._asked[name]

    def measured(self) -> dict[str, Statistics]:
        """What is known of each source by what came last."""
        seen = {name: entrance.recent for name, entrance in self.entrances.items()}
        return {name: measured(elements) for name, elements in seen.items() if len(elements)}

    def reoptimize(self) -> dict[str, int]:
        """Exchange the plans of running queries for cheaper ones; gives the instants at which these take over.

        A plan stays if it is about to change already, or if the cheaper one could not take over.
        """
        changed: dict[str, int] = {}
        for name, asked in self._asked.items():
            if self.queries[name].switch is None:
                instant = self._improved(name, asked)
                changed |= {} if instant is None else {name: instant}
        return changed

    def _improved(self, name: str, asked: Plan) -> int | None:
        best, beside = self._chosen(name, asked), self._beside(name)
        costs = Costs(self.measured())
        if costs.of(*beside, best.plan) > WORTH_A_CHANGE * costs.of(*beside, self.plan_of(name)):
            return None
        try:
            return self.migrate(name, best.plan)
        except WindowError:
            return None

    def _chosen(self, name: str, plan: Plan) -> Optimized:
        return optimize(plan, statistics=self.measured(), constraints=self.constraints, beside=self._beside(name))

    def _beside(self, name: str) -> list[Plan]:
        return [self.plan_of(other) for other in self.queries if other != name]
