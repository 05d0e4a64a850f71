"""Plans of the shapes that rewrites look for are plans, whatever is drawn."""

import pytest

from equivalence.cases.choices import SeededChoices
from equivalence.cases.random_plans import CATALOGUE
from equivalence.optimizer.rewritable_plans import RewritablePlans
from semantics import parse_plan
from semantics.plan import Grouping


@pytest.mark.parametrize("seed", range(20))
def test_a_grouping_over_a_semijoin_asks_for_no_column_of_its_right_input(seed: int) -> None:
    join = parse_plan("semijoin(A(x int), B(y int); y > 1)")
    plan = RewritablePlans(SeededChoices(seed), CATALOGUE, awkward=True).above(Grouping, join)
    assert isinstance(plan, Grouping)
    assert plan.keys == (0,)
