"""Streams as one batch, and the results as streams again."""

from collections.abc import Sequence

from equivalence.cases.random_cases import Case
from equivalence.exhaustive.dense import CaseBatch, Failures, largest_total, meanings, narrowest, stack, unstack
from semantics import LogicalStream, Plan, to_logical
from semantics.graph import graph


def dense(plan: Plan, cases: Sequence[Case], horizon: int) -> list[LogicalStream | str]:
    """All cases as one batch, in numbers as narrow as `largest_total` says is safe."""
    names = list(plan.sources())
    logical = {name: [to_logical(case[name], horizon) for case in cases] for name in names}
    given_ = {name: max(len(s) for stream in streams for s in stream.snapshots) for name, streams in logical.items()}
    nodes = list(graph(plan))
    width = narrowest(largest_total(nodes, given_, horizon))
    batch = CaseBatch({name: stack(logical[name], width) for name in names}, (horizon, len(cases)), width)
    failures = Failures(len(cases))
    rows = meanings(nodes, batch, failures)[plan]
    assert all(counts.dtype == width and counts.shape == batch.shape for counts in rows.values())
    return [
        "overflow" if failed else unstack(rows, case, plan.schema, horizon)
        for case, failed in enumerate(failures.cases)
    ]
