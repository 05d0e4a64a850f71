"""Plans of particular shapes have what they are for."""

from equivalence.cases.choices import SeededChoices
from equivalence.cases.directed.comparisons import parts
from equivalence.cases.plan_shapes import ManyExpressions
from equivalence.cases.random_plans import CATALOGUE
from semantics.expression import Case, Coalesce, In
from semantics.plan import Map


def test_lists_of_parts_are_longer_than_three() -> None:
    drawn = [ManyExpressions(SeededChoices(seed), CATALOGUE, awkward=True).map(1) for seed in range(300)]
    made = [part for plan in drawn if isinstance(plan, Map) for e in plan.expressions for part in parts(e)]
    assert max(len(part.options) for part in made if isinstance(part, In)) >= 6
    assert max(len(part.branches) for part in made if isinstance(part, Case)) >= 4
    assert max(len(part.operands) for part in made if isinstance(part, Coalesce)) >= 4
