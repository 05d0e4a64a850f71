"""Are two plans equivalent? The answer by cases, with a small counterexample if they are not."""

from collections.abc import Collection

from equivalence.comparison.comparison import PlanComparison
from equivalence.lists.equivalences import Equivalence
from equivalence.rules.instances import Instance
from equivalence.sampling.sample import DEFAULT_EXAMPLES
from equivalence.verdicts.verdict import Verdict
from semantics.comparable_plans import check_comparable
from semantics.constraint import Constraint
from semantics.evaluate import Planned


def check_plans(
    left: Planned,
    right: Planned,
    *,
    constraints: Collection[Constraint] = (),
    examples: int = DEFAULT_EXAMPLES,
    seed: int = 0,
    equivalence: Equivalence = "snapshot-multiset",
) -> Verdict:
    """Do two plans have the same snapshots, on random streams that satisfy the constraints?

    They agree only if nothing decisive is open: had a size, a threshold or a constant been another, some case would
    have noticed, or it is proved that this changes nothing.

    >>> from semantics import source
    >>> a, b = source("A", x=int), source("B", x=int)
    >>> check_plans(a.union(b), b.union(a)).kind
    'agreed'
    >>> print(check_plans(a.union(b).distinct(), a.distinct().union(b.distinct())).counterexample)
    let A = raw(x int): (0)@0
    let B = raw(x int): (0)@0
    plan union(A(x int), B(x int)) | distinct
    plan union(A(x int) | distinct, B(x int) | distinct)
    at instant 0 the left holds  {(0)}
                 the right holds {(0)*2}
    """
    check_comparable(left, right)
    comparison = PlanComparison(Instance(left.plan, right.plan, tuple(constraints)), seed, equivalence)
    comparison.search(examples)
    comparison.settle()
    return comparison.verdict()
