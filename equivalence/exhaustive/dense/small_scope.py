"""A small scope for two plans: which rows, how many instants and duplicates, and how far results are followed."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import prod
from typing import Final

from equivalence.exhaustive.dense.counts import CaseBatch, narrowest
from equivalence.exhaustive.dense.domain import Domains, domains
from equivalence.exhaustive.dense.sizes import largest_total, memory
from equivalence.exhaustive.dense.space import ScopeBound, batches, space
from semantics import Plan, Schema, SchemaError, SnapeqError
from semantics.graph import graph
from semantics.notation.show_expression import show_row
from semantics.plan import Aggregation, Grouping, LandmarkWindow, Source

LARGEST_CHOSEN_BOUND: Final = ScopeBound(tuples=6, instants=6, multiplicity=8)
"""A bound that nobody asked for grows no further than this in any direction."""
_CASES_PER_BATCH: Final = 1 << 15
"""As many as let the arrays of a row stay in the processor's cache."""
_CASES_PER_BATCH_OF_AGGREGATES: Final = 1 << 12
"""Fewer, since aggregates have many different results, and each is a row."""
_SNAPSHOTS_TO_AGGREGATE: Final = 20_000
"""Each different snapshot is aggregated by the reference, which is slow: a bound that nobody asked for has no more."""

Bounds = Mapping[str, ScopeBound]


@dataclass(frozen=True)
class SmallScope:
    """All streams over these rows within these bounds; nodes are those of both plans, inputs first."""

    nodes: tuple[Plan, ...]
    rows: Domains
    bounds: Bounds
    lasting: frozenset[str] = frozenset()
    """Sources that are the same at every instant."""

    @property
    def horizon(self) -> int:
        """Far enough to see windows run empty after the last element."""
        return max(bound.instants for bound in self.bounds.values()) + memory(self.nodes)

    @property
    def schemas(self) -> dict[str, Schema]:
        return {node.name: node.schema for node in self.nodes if isinstance(node, Source)}

    def batches(self) -> Iterator[CaseBatch]:
        """All cases, those with few elements first."""
        given = {name: bound.tuples * bound.multiplicity for name, bound in self.bounds.items()}
        width = narrowest(largest_total(self.nodes, given, self.horizon))
        spaces = {
            name: space(self.rows[name], bound, width, lasting=name in self.lasting)
            for name, bound in self.bounds.items()
        }
        return batches(
            spaces, self.horizon, _CASES_PER_BATCH_OF_AGGREGATES if _aggregates(self.nodes) else _CASES_PER_BATCH
        )

    def to_json(self) -> dict[str, object]:
        return {name: {**vars(b), "tuples": [show_row(r) for r in self.rows[name]]} for name, b in self.bounds.items()}


def choose_scope(
    left: Plan, right: Plan, bound: ScopeBound | Bounds | None, limit: int, lasting: frozenset[str] = frozenset()
) -> SmallScope | None:
    """The scope that is asked for, or the largest within the limit, or None if there is none."""
    nodes = tuple(graph(left, right))
    schemas = _schemas(left, right, nodes)
    rows = domains((left, right), schemas)
    bounds = _largest(nodes, rows, limit, lasting) if bound is None else _given(bound, rows, lasting)
    if bounds is None:
        return None
    return SmallScope(nodes, {name: rows[name][: bounds[name].tuples] for name in rows}, bounds, lasting)


def _schemas(left: Plan, right: Plan, nodes: tuple[Plan, ...]) -> dict[str, Schema]:
    """The sources of both plans, which must agree about them and about the result's types."""
    if left.schema.types != right.schema.types:
        raise SchemaError(f"exhaust: plans must have the same column types, got {left.schema} and {right.schema}")
    schemas: dict[str, Schema] = {}
    for node in nodes:
        if isinstance(node, Source) and schemas.setdefault(node.name, node.schema) != node.schema:
            both = f"{schemas[node.name]} and {node.schema}"
            raise SchemaError(f"exhaust: source {node.name!r} must have the same columns everywhere, got {both}")
    return dict(sorted(schemas.items()))


def _given(bound: ScopeBound | Bounds, rows: Domains, lasting: frozenset[str]) -> Bounds:
    if isinstance(bound, ScopeBound):
        return _within(bound, rows, lasting)
    missing = [name for name in rows if name not in bound]
    if missing:
        raise SnapeqError(f"exhaust: bound must name every source, got none for {', '.join(missing)}")
    return {name: _within(bound[name], rows, lasting)[name] for name in rows}


def _within(bound: ScopeBound, rows: Domains, lasting: frozenset[str]) -> Bounds:
    """A source has no more tuples than there are different rows, and one instant to choose if it lasts."""
    return {
        name: replace(bound, tuples=min(bound.tuples, len(known)), instants=1 if name in lasting else bound.instants)
        for name, known in rows.items()
    }


def _largest(nodes: tuple[Plan, ...], rows: Domains, limit: int, lasting: frozenset[str]) -> Bounds | None:
    """The bound that is reached by growing; where all operators are snapshot-reducible one instant is enough."""
    starts = [node.start for node in nodes if isinstance(node, LandmarkWindow)]
    smallest = ScopeBound(
        tuples=1, instants=min(max(starts, default=0) + 1, LARGEST_CHOSEN_BOUND.instants), multiplicity=1
    )
    instants = 1 if all(node.reducible for node in nodes) else LARGEST_CHOSEN_BOUND.instants
    most = replace(
        LARGEST_CHOSEN_BOUND, tuples=min(max(map(len, rows.values())), LARGEST_CHOSEN_BOUND.tuples), instants=instants
    )
    snapshots = min(limit, _SNAPSHOTS_TO_AGGREGATE) if _aggregates(nodes) else limit

    def fits(bound: ScopeBound) -> bool:
        return cases(bound) <= limit and cases(replace(bound, instants=1)) <= snapshots

    def cases(bound: ScopeBound) -> int:
        return prod(within.streams for within in _within(bound, rows, lasting).values())

    return _within(_grown(smallest, most, fits), rows, lasting) if fits(smallest) else None


def _grown(bound: ScopeBound, most: ScopeBound, fits: Callable[[ScopeBound], bool]) -> ScopeBound:
    """Grow by one in each direction in turn, while it fits."""
    before = bound
    for direction in vars(bound):
        larger = replace(bound, **{direction: getattr(bound, direction) + 1})
        if getattr(larger, direction) <= getattr(most, direction) and fits(larger):
            bound = larger
    return bound if bound == before else _grown(bound, most, fits)


def _aggregates(nodes: tuple[Plan, ...]) -> bool:
    return any(isinstance(node, Aggregation | Grouping) for node in nodes)
