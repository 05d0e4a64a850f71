"""The plan that runs for a query over files: the cheapest that the optimizer finds, by what the files begin with."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from equivalence.query_files.query_over_files import QueryOverFiles
from semantics import Plan
from semantics.plan import Filter, Map, Source

if TYPE_CHECKING:
    from equivalence.optimizer.cost import Statistics
    from equivalence.optimizer.optimize import Optimized
    from physical.files.reader import FileReader


def plan_to_run(query: QueryOverFiles, readers: "Mapping[str, FileReader]" = {}, slack: int = 0) -> Plan:
    """The plan to run instead of the query's own; the optimizer is loaded only where there is something to choose."""
    return query.plan if is_selection(query.plan) else chosen_plan(query, readers, slack).plan


def chosen_plan(query: QueryOverFiles, readers: "Mapping[str, FileReader]" = {}, slack: int = 0) -> "Optimized":
    """The same with the steps that lead to it."""
    from equivalence.optimizer.optimize import optimize
    from equivalence.optimizer.rewrites import REWRITES, steps
    from equivalence.query_files.assumptions import assumptions

    if is_selection(query.plan):
        return optimize(query.plan, rewrites=())
    known = assumptions(query)
    worth_measuring = any(True for _ in steps(query.plan, REWRITES, known))
    return optimize(query.plan, statistics=_measured(readers, slack) if worth_measuring else {}, constraints=known)


def is_selection(plan: Plan) -> bool:
    """Is this a source, filtered at most, and then projected at most? No rewrite makes that cheaper by much."""
    while isinstance(plan, Map):
        plan = plan.input
    while isinstance(plan, Filter):
        plan = plan.input
    return isinstance(plan, Source)


def _measured(readers: "Mapping[str, FileReader]", slack: int) -> "dict[str, Statistics]":
    """Statistics of the first rows of each file."""
    from equivalence.optimizer.measure import measured
    from physical.files.slack import ordered_batches

    found = {}
    for name, reader in readers.items():
        first = next(iter(ordered_batches(reader, slack)), None)
        if first is not None:
            found[name] = measured(first.elements)
    return found
