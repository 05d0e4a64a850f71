"""Plans as trees of JSON, for engines in any language: an operator, its parameters, its columns, its inputs."""

from typing import assert_never

from semantics import plan as op
from semantics.notation.json_expressions import (
    Tree,
    aggregate_to_json,
    expression_to_json,
    over_to_json,
    sort_key_to_json,
)
from semantics.notation.json_values import exact_time, json_columns
from semantics.plan import Plan


def plan_to_json(plan: Plan) -> Tree:
    """A plan as a tree, as docs/protocol.md describes it.

    >>> from semantics import parse_plan
    >>> plan_to_json(parse_plan("S(x int) | window(range 2)"))["size"]
    2
    """
    parts: Tree = {"operator": plan.operator, **_parameters(plan), "columns": json_columns(plan.schema)}
    return {**parts, "inputs": [plan_to_json(child) for child in plan.inputs]} if plan.inputs else parts


def _parameters(plan: Plan) -> Tree:
    match plan:
        case op.Source(name=name):
            return {"name": name}
        case op.Filter(predicate=predicate):
            return {"predicate": expression_to_json(predicate)}
        case op.Map(expressions=expressions):
            return {"expressions": [expression_to_json(expression) for expression in expressions]}
        case op.Unnest(array=array, outer=outer, numbered=numbered):
            return {"array": expression_to_json(array), "numbered": numbered, "outer": outer}
        case op.Aggregation(aggregates=aggregates, on_empty=on_empty):
            return {"aggregates": [aggregate_to_json(aggregate) for aggregate in aggregates], "on_empty": on_empty}
        case op.Grouping(keys=keys, aggregates=aggregates):
            return {"keys": list(keys), "aggregates": [aggregate_to_json(aggregate) for aggregate in aggregates]}
        case op.Limit(count=count, order=order, keys=keys, offset=offset, ranking=ranking):
            places: Tree = {"count": exact_time(count), "offset": exact_time(offset), "ranking": ranking}
            return {"keys": list(keys), "order": [sort_key_to_json(key) for key in order], **places}
        case op.Join() | op.LeftJoin() | op.RightJoin() | op.FullJoin() | op.Semijoin() | op.Antijoin():
            return {"condition": expression_to_json(plan.condition)}
        case op.TimeWindow(size=size, slide=slide):
            return {"size": exact_time(size), "slide": exact_time(slide)}
        case op.CountWindow(rows=rows, slide=slide, ties=ties):
            return {"rows": exact_time(rows), "slide": exact_time(slide), "ties": ties}
        case op.PartitionedWindow(keys=keys, rows=rows, slide=slide, ties=ties):
            return {"keys": list(keys), "rows": exact_time(rows), "slide": exact_time(slide), "ties": ties}
        case op.LandmarkWindow(start=start, reset=reset):
            return {"start": exact_time(start), "reset": exact_time(reset)}
        case op.SessionWindow(keys=keys, gap=gap, touching=touching):
            return {"keys": list(keys), "gap": exact_time(gap), "touching": touching}
        case op.Over(keys=keys, order=order, functions=functions):
            over = [over_to_json(function) for function in functions]
            return {"keys": list(keys), "order": [sort_key_to_json(key) for key in order], "functions": over}
        case (
            op.Distinct()
            | op.Union()
            | op.Difference()
            | op.Intersection()
            | op.Product()
            | op.Istream()
            | op.Dstream()
            | op.Rstream()
        ):
            return {}
        case _:
            assert_never(plan)
