"""Every small plan is compared with its term and with the normal form of that: all must hold a row equally often.

Each side of a statement is brought into normal form on its own. So what is right for every plan is right for all pairs.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

from equivalence.exhaustive.dense import CaseBatch, Failures, Rows, meanings
from equivalence.prover.kernel.kernel import ProofKernel
from equivalence.prover.meaning.plan import Translation
from equivalence.prover.meaning.sources import SourceTerms
from equivalence.prover.solver.solvers import BudgetExceeded
from equivalence.prover.terms.build import ZERO, at_most
from equivalence.prover.terms.normal_form import total
from equivalence.prover.terms.term import Fresh, SmtSort, Var
from equivalence.verification.claim_outcome import Outcome
from equivalence.verification.effort import Effort
from equivalence.verification.prover_probe.fingerprints import streams
from equivalence.verification.prover_probe.siblings import about_a
from equivalence.verification.prover_probe.small_plans import edges, queries
from equivalence.verification.prover_probe.term_meaning import HIGH, LOW, NULL, Array, Meaning, NoMeaning
from semantics import Plan, Row, show, source
from semantics.graph import graph

VALUES: Final = (None, 0, 1)
KNOWN_VALUES: Final = (None, *range(LOW, HIGH + 1))
INSTANTS: Final = 3
CASES: Final = 24
DENSITIES: Final = (0.1, 0.3)
SEED: Final = 2
LARGEST_SHARE_WITHOUT_MEANING: Final = 0.2
"""If a larger share of the terms has no meaning in the small world, too little was examined."""
Observation = tuple[int, Row, int]
"""A case, a row and an instant."""


@dataclass(frozen=True)
class ObservedPlan:
    """A plan, and how often it holds some rows at some instants of some cases."""

    plan: Plan
    elements: list[Observation]
    times: Array

    def meaning(self, row: Sequence[Var], time: Var) -> Meaning:
        """What terms over these variables mean at all these elements."""
        cases, rows, instants = zip(*self.elements, strict=True)
        columns = [np.array([NULL if v is None else v for v in column]) for column in zip(*rows, strict=True)]
        given = {**dict(zip(row, columns, strict=True)), time: np.array(instants)}
        return Meaning({name: stream[[*cases]] for name, stream in world()[1].items()}, given)


@cache
def world() -> tuple[CaseBatch, dict[str, Array]]:
    """Small streams, as plans take them and as terms do."""
    batch = streams(CASES, SEED, VALUES, INSTANTS, DENSITIES)
    nothing = np.zeros(batch.shape, batch.width)
    return batch, {
        name: np.stack([rows.get((value,), nothing) for value in KNOWN_VALUES]).transpose(2, 0, 1)
        for name, rows in batch.sources.items()
    }


def observed(plan: Plan) -> ObservedPlan:
    """For every case without a value that is too large: a row that is there, if any is, and a random one."""
    batch, _ = world()
    outputs = meanings(graph(plan), batch, Failures(CASES))
    random, held = np.random.default_rng(SEED), outputs[plan]
    elements = []
    for case in _in_range(outputs.values()):
        there = [(case, row, int(t)) for row, counts in held.items() for t in np.flatnonzero(counts[:, case])]
        row = tuple(KNOWN_VALUES[random.integers(len(KNOWN_VALUES))] for _ in plan.schema.names)
        elements += [there[i] for i in random.permutation(len(there))[:1]]
        elements.append((case, row, int(random.integers(INSTANTS))))
    return ObservedPlan(
        plan, elements, np.array([held[row][t, case] if row in held else 0 for case, row, t in elements])
    )


def _in_range(outputs: Iterable[Rows]) -> list[int]:
    large = [counts.any(axis=0) for rows in outputs for row, counts in rows.items() if not {*row} <= {*KNOWN_VALUES}]
    return [int(case) for case in np.flatnonzero(~np.any([np.zeros(CASES, bool), *large], axis=0))]


def differs(plan: Plan) -> str | None:
    """Which term of the plan means something else, if one does; NoMeaning if not all columns are integers."""
    fresh, time = Fresh(), Var("t", SmtSort.INT)
    translation = Translation(fresh, SourceTerms({name: source(name, x=int).schema for name in "AB"}, (), fresh))
    row = translation.row(plan.schema, "e")
    plain = translation.times(plan, row, time)
    normal = total(ProofKernel(fresh, (at_most(ZERO, time),), thorough=False).steps.normal(plain))
    question = observed(plan)
    meaning = question.meaning(row, time)
    terms = {"translation": plain, "normal form": normal}
    return next((name for name, term in terms.items() if (meaning.of(term) != question.times).any()), None)


@dataclass(frozen=True)
class TermReport:
    """The number of plans examined, how many of them have terms without a meaning here, and which are wrong."""

    plans: int
    unknown: int
    wrong: tuple[tuple[Plan, str], ...]

    @property
    def says_enough(self) -> bool:
        return self.unknown < LARGEST_SHARE_WITHOUT_MEANING * self.plans


def judged(plans: Sequence[Plan]) -> TermReport:
    unknown, wrong = 0, []
    for plan in plans:
        try:
            if (which := differs(plan)) is not None:
                wrong.append((plan, which))
        except (NoMeaning, BudgetExceeded):
            unknown += 1
    return TermReport(len(plans), unknown, tuple(wrong))


def verify_terms(effort: Effort) -> Iterator[Outcome]:
    """All plans of up to two operators, or a regular sample of them; of two that differ by swapping A and B, one."""
    every = [q.plan for n in range(3) for q in queries(n)]
    sample = [plan for plan in dict.fromkeys(every) if about_a(plan)][:: effort.every_term]
    found = judged([*sample, *(query.plan for query in edges())])
    evidence: dict[str, object] = {"operators": 2, "cases": found.plans - found.unknown, "not said": found.unknown}
    verdict = "refuted" if found.wrong else "agreed" if found.says_enough else "vacuous"
    wrong = "\n".join(f"{show(plan)}: the {which} means something else" for plan, which in found.wrong)
    yield Outcome("proofs", "terms of small plans", "sound", verdict == "agreed", verdict, evidence, text=wrong)
