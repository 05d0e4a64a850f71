"""Predicates on the move: their parts, the columns they use, and how they read elsewhere."""

from collections.abc import Collection
from functools import reduce

from semantics import Expression, Plan
from semantics.expression import And, Ref, conjuncts, refs
from semantics.plan import Filter, Map
from semantics.substitute import shifted, substitute


def conjunction(parts: Collection[Expression]) -> Expression:
    return reduce(And, parts)


def columns(expression: Expression) -> set[int]:
    return {ref.index for ref in refs(expression)}


def filtered(plan: Plan, parts: Collection[Expression]) -> Plan:
    """The plan under a filter, or as it is if there is nothing to filter by."""
    return Filter(plan, conjunction(parts)) if parts else plan


def parted(predicate: Expression, width: int) -> tuple[list[Expression], list[Expression], list[Expression]]:
    """The conjuncts that use left columns only, right columns only (as the right input reads them), and both."""
    left: list[Expression] = []
    right: list[Expression] = []
    both: list[Expression] = []
    for part in conjuncts(predicate):
        used = columns(part)
        if used and min(used) >= width:
            right.append(shifted(part, -width))
        else:
            (left if all(index < width for index in used) else both).append(part)
    return left, right, both


def through(expression: Expression, mapping: Map) -> Expression:
    """An expression over the output of a map, as it reads over its input."""
    return substitute(expression, lambda ref: mapping.expressions[ref.index])


def at(expression: Expression, positions: Collection[int]) -> Expression:
    """An expression over some columns, as it reads where these stand at the given positions."""
    where = list(positions)
    return substitute(expression, lambda ref: Ref(where[ref.index], ref.type))


def keep(plan: Plan, positions: Collection[int], names: Collection[str] | None = None) -> Map:
    """The projection to these columns, under their own or other names."""
    chosen = [plan.schema.columns[i] for i in positions]
    references = tuple(Ref(i, column.type) for i, column in zip(positions, chosen, strict=True))
    return Map(plan, references, tuple(names or [column.name for column in chosen]))


def unlike(names: tuple[str, ...], taken: tuple[str, ...]) -> tuple[str, ...]:
    """The names, with as many strokes as make them differ from those taken and from each other."""
    found: list[str] = []
    for name in names:
        while name in taken or name in found:
            name += "_"  # the name grows until it is free
        found.append(name)
    return tuple(found)
