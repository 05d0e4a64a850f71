"""The plan that runs for a query over files: the cheapest that the optimizer finds, by what the files begin with."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from equivalence.optimizer.optimize import Optimized, optimize
from equivalence.optimizer.rewrites import REWRITES, steps
from equivalence.query_files.assumptions import assumptions
from equivalence.query_files.query_over_files import QueryOverFiles

if TYPE_CHECKING:
    from equivalence.optimizer.cost import Statistics
    from physical.files.reader import FileReader


def chosen_plan(query: QueryOverFiles, readers: "Mapping[str, FileReader]" = {}, slack: int = 0) -> Optimized:
    """The plan to run instead of the query's own, with the steps that lead to it."""
    known = assumptions(query)
    worth_measuring = any(True for _ in steps(query.plan, REWRITES, known))
    return optimize(query.plan, statistics=_measured(readers, slack) if worth_measuring else {}, constraints=known)


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
