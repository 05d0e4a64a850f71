"""The keys that the optimizer knows of a plan's output: they are keys of every snapshot, and none is forgotten."""

from collections.abc import Iterator
from dataclasses import dataclass

from equivalence.cases.choices import SeededChoices
from equivalence.cases.random_cases import Case, choose_case
from equivalence.cases.random_plans import OPERATORS
from equivalence.mutants.machine.suites.rewrites import a_pair
from equivalence.mutants.machine.trial import Trial
from equivalence.optimizer.rewrites.known_keys import known_keys
from equivalence.rules.instances import Instance
from semantics import ArithmeticOverflow, Plan, evaluate

HORIZON = 10
CASES = 4


def keys_of_plans(seed: int, size: int) -> Iterator[Trial]:
    """Two operators, one above the other, over sources some of which have keys."""
    operators = list(OPERATORS)
    for number in range(size):
        choices = SeededChoices(f"keys of plans/{seed}/{number}")
        instance = a_pair(choices, choices.of(operators), choices.of(operators))
        sources, known = instance.left.sources(), instance.constraints
        cases = tuple(choose_case(choices, sources, known) for _ in range(CASES))
        right = frozenset(known_keys(instance.left, known))
        yield Trial("keys of plans", number, _KnownKeys(instance, cases, right).wrong)


@dataclass(frozen=True)
class _KnownKeys:
    instance: Instance
    cases: tuple[Case, ...]
    right: frozenset[frozenset[int]]

    def wrong(self) -> str | None:
        found = known_keys(self.instance.left, self.instance.constraints)
        if not self.right <= found:
            return "a key is not known"
        if any(not is_key(key, self.instance.left, case) for key in found for case in self.cases):
            return "no key"
        return None


def is_key(columns: frozenset[int], plan: Plan, case: Case) -> bool:
    """Do no two rows of a snapshot agree in these columns?"""
    try:
        snapshots = evaluate(plan, case, HORIZON).snapshots
    except ArithmeticOverflow:
        return True
    picked = [[tuple(repr(row[i]) for i in sorted(columns)) for row in snapshot] for snapshot in snapshots]
    return all(len(set(rows)) == len(rows) for rows in picked)
