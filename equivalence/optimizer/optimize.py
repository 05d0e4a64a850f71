"""Rules applied with a cost model: the cheapest plan that a few rewrites lead to, and how it was reached.

The plan found means the same as the given one, since each step rests on a true rule, and it does not fail where the
given one does not. That it is the cheapest of all is
not promised: the search looks at a few plans of each length.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import partial
from heapq import nsmallest
from typing import Final

from equivalence.optimizer.cost import Costs, Statistics
from equivalence.optimizer.errors import Careful
from equivalence.optimizer.rewrites import REWRITES, DerivationStep, Rewrite, steps
from semantics import Plan, SchemaError
from semantics.constraint import Constraint
from semantics.evaluate import Planned

LONGEST_DERIVATION: Final = 24
BEAM_WIDTH: Final = 6
"""Of the plans that are equally many steps away, this many of the cheapest are rewritten further."""
STEPS_WITHOUT_GAIN: Final = 4
"""Some rewrites pay only together, so that the first of them may make a plan dearer; but not many in a row."""


@dataclass(frozen=True)
class Optimized:
    """The plan that was chosen, what it costs, and the steps that led to it."""

    plan: Plan
    cost: float
    original: Plan
    original_cost: float
    derivation: tuple[DerivationStep, ...] = ()


@dataclass(frozen=True)
class _State:
    """Plans on the way, with the steps so far; a step is known by the number of the plan it changed."""

    plans: tuple[Plan, ...]
    derivation: tuple[tuple[int, DerivationStep], ...] = ()


def optimize(
    query: Planned,
    *,
    statistics: Mapping[str, Statistics] = {},
    constraints: Collection[Constraint] = (),
    rewrites: Collection[Rewrite] = REWRITES,
    beside: Collection[Plan] = (),
) -> Optimized:
    """The cheapest plan found for one query; what it shares with plans that run beside it costs nothing.

    >>> from semantics import col, source
    >>> bids = source("Bid", item=int, price=int)
    >>> chosen = optimize(bids.window(10).filter(col("price") > 5))
    >>> [node.operator for node in (chosen.plan, chosen.plan.inputs[0])], [step.rule for step in chosen.derivation]
    (['TimeWindow', 'Filter'], ['filter-through-window'])
    """
    (optimized,) = optimize_all(
        [query], statistics=statistics, constraints=constraints, rewrites=rewrites, beside=beside
    )
    return optimized


def optimize_all(
    queries: Collection[Planned],
    *,
    statistics: Mapping[str, Statistics] = {},
    constraints: Collection[Constraint] = (),
    rewrites: Collection[Rewrite] = REWRITES,
    beside: Collection[Plan] = (),
) -> tuple[Optimized, ...]:
    """The cheapest plans found for queries that run together and share what they have in common (Section 6.4.3)."""
    costs = Costs(statistics)
    start = _State(tuple(query.plan for query in queries))
    together = partial(costs.of, *beside)
    best = _search(start, together, constraints, [Careful(rewrite) for rewrite in rewrites])
    return tuple(
        Optimized(plan, costs.of(plan), before, costs.of(before), tuple(s for i, s in best.derivation if i == number))
        for number, (before, plan) in enumerate(zip(start.plans, best.plans, strict=True))
    )


def _search(
    start: _State, cost: Callable[..., float], constraints: Collection[Constraint], rewrites: Collection[Rewrite]
) -> _State:
    """Beam search: of all plans one step further, only the cheapest few are followed."""
    best, frontier, seen, waited = start, [start], {start.plans}, 0
    for _ in range(LONGEST_DERIVATION):
        reached = [s for state in frontier for s in _next(state, constraints, rewrites, seen)]
        frontier = nsmallest(BEAM_WIDTH, reached, key=lambda state: cost(*state.plans))
        if not frontier or waited == STEPS_WITHOUT_GAIN:
            break
        cheaper = cost(*frontier[0].plans) < cost(*best.plans)
        best, waited = (frontier[0], 0) if cheaper else (best, waited + 1)
    return best


def _next(
    state: _State, constraints: Collection[Constraint], rewrites: Collection[Rewrite], seen: set[tuple[Plan, ...]]
) -> list[_State]:
    reached = []
    for number, plan in enumerate(state.plans):
        for step in steps(plan, rewrites, constraints):
            plans = (*state.plans[:number], step.plan, *state.plans[number + 1 :])
            if plans not in seen:
                seen.add(plans)
                _check_schema(step, plan)
                reached.append(_State(plans, (*state.derivation, (number, step))))
    return reached


def _check_schema(step: DerivationStep, plan: Plan) -> None:
    if step.plan.schema != plan.schema:
        raise SchemaError(f"{step.rule}: changed the columns from {plan.schema} to {step.plan.schema}")
