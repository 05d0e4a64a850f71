"""Where the columns of a plan come from: as expressions over the rows of one source."""

from dataclasses import dataclass

from semantics import Plan, Schema
from semantics.expression import Expression, Ref, refs
from semantics.plan import Aggregation, Binary, Filtering, Grouping, Map, SetOperation, Source, Unary
from semantics.substitute import substitute


@dataclass(frozen=True)
class OfSource:
    """An expression over the rows of a source."""

    source: str
    expression: Expression


def input_of(plan: Plan, index: int) -> tuple[Plan, int]:
    """The input that a column of the scope of this node belongs to, and its position there.

    >>> from semantics import parse_plan
    >>> join = parse_plan("join(A(x int), B(y int); x = y)")
    >>> list(input_of(join, 1)[0].sources()), input_of(join, 1)[1]
    (['B'], 0)
    """
    width = len(plan.inputs[0].schema)
    return (plan.inputs[0], index) if index < width else (plan.inputs[1], index - width)


def over_source(node: Plan, expression: Expression) -> OfSource | None:
    """An expression of a node's predicate over the rows of the only source that it depends on, if there is one."""
    origins = {ref: column_of(*input_of(node, ref.index)) for ref in refs(expression)}
    sources = {None if origin is None else origin.source for origin in origins.values()}
    if len(sources) != 1 or None in sources:
        return None
    found = {ref: origin.expression for ref, origin in origins.items() if origin is not None}
    return OfSource(next(filter(None, sources)), substitute(expression, lambda ref: found[ref]))


def column_of(plan: Plan, index: int) -> OfSource | None:
    """A column of a plan over the rows of the one source that it comes from; None if it comes from several or none."""
    match plan:
        case Source(name=name, schema=schema):
            return OfSource(name, _reference(schema, index))
        case Map(expressions=expressions):
            return over_source(plan, expressions[index])
        case Grouping(keys=keys):
            return column_of(plan.input, keys[index]) if index < len(keys) else None
        case SetOperation() | Filtering():
            return column_of(plan.left, index)
        case Binary():
            return column_of(*input_of(plan, index))
        case Aggregation():
            return None
        case Unary():
            return column_of(plan.input, index)


def _reference(schema: Schema, index: int) -> Ref:
    return Ref(index, schema.types[index])
