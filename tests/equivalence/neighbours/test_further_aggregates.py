"""What differs from an aggregate in one small thing: DISTINCT or FILTER dropped, the other end, another order."""

import pytest

from equivalence.neighbours.aggregate_changes import aggregate_changes
from semantics import Scope, parse_plan
from semantics.notation.show_aggregate import show_aggregate
from semantics.plan import Aggregation

NEIGHBOURS = {
    "sum(distinct x)": "sum(x)",
    "count(distinct x, y)": "count(distinct x)",
    "sum(case when y > 1 then x else null:int end)": "sum(x)",
    "min_by(x, y)": "max_by(x, y)",
    "var_samp(x)": "var_pop(x)",
    "covar_samp(x, y)": "covar_pop(x, y)",
    "percentile_cont(x, 0.9)": "percentile_cont(x, 0.1)",
    "mode(x)": "min(x)",
    "bit_and(x)": "bit_or(x)",
    "string_agg(s, ','; y)": "string_agg(s, ','; y desc)",
}


@pytest.mark.parametrize("text", NEIGHBOURS)
def test_an_aggregate_has_this_neighbour(text: str) -> None:
    plan = parse_plan(f"A(x int, y int, s str) | aggregate({text} as a)")
    assert isinstance(plan, Aggregation)
    scope = Scope(plan.input.schema)
    made = [show_aggregate(change.made, scope) for change in aggregate_changes(plan.aggregates[0], scope)]
    assert NEIGHBOURS[text] in made
