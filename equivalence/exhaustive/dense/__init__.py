"""Plans over many small streams at once: multiplicities are arrays over instants and cases."""

from equivalence.exhaustive.dense.admissible_cases import Admissible, admissible_under, all_of, key, unique_instants
from equivalence.exhaustive.dense.batch_evaluation import meanings
from equivalence.exhaustive.dense.counts import CaseBatch, Counts, Mask, Rows, narrowest, stack, total, unstack
from equivalence.exhaustive.dense.failures import Failures
from equivalence.exhaustive.dense.sizes import largest_total, memory
from equivalence.exhaustive.dense.small_scope import SmallScope, choose_scope
from equivalence.exhaustive.dense.space import ScopeBound

__all__ = [
    "Admissible",
    "CaseBatch",
    "Counts",
    "Failures",
    "Mask",
    "Rows",
    "ScopeBound",
    "SmallScope",
    "admissible_under",
    "all_of",
    "choose_scope",
    "key",
    "largest_total",
    "meanings",
    "memory",
    "narrowest",
    "stack",
    "total",
    "unique_instants",
    "unstack",
]
