"""Everything there is to verify, as jobs that need nothing of each other; they run on as many processes as wanted.

What a job finds depends on its name, the effort and the seed alone, so the number of processes changes nothing but the
time and the order in which outcomes come.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import active_children, get_context
from typing import Final

from equivalence.cases.random_plans import OPERATORS
from equivalence.conformance.metamorphic import RELATIONS
from equivalence.conformance.subject.isolated.end_with_checker import end_with
from equivalence.verification import engines, machine_mutants, mutants, operators, optimizer, proofs, rules, stores
from equivalence.verification.claim_outcome import Outcome
from equivalence.verification.effort import Effort
from physical.engine import ENGINES

Verify = Callable[[str, Effort, int], Iterator[Outcome]]
PARTS: Final[Mapping[str, tuple[Verify, Callable[[], Sequence[str]]]]] = {
    "corpus": (lambda _name, _effort, _seed: operators.verify_corpus(), lambda: ["golden"]),
    "operators": (operators.verify_operator, lambda: [operator.__name__ for operator in OPERATORS]),
    "rules": (rules.verify_rule, lambda: list(rules.RULES)),
    "engines": (engines.verify_engine, lambda: list(ENGINES)),
    "relations": (engines.verify_relation, lambda: list(RELATIONS)),
    "stores": (stores.verify_stores, stores.names),
    "optimizer": (optimizer.verify_optimizer, optimizer.names),
    "proofs": (proofs.verify_proof, proofs.names),
    "mutants": (mutants.verify_mutant, lambda: mutants.NAMES),
    "machine mutants": (machine_mutants.verify_sample, lambda: ["sample"]),
}
"""How each part is verified, and the names of what it consists of."""
START_ORDER: Final = ("corpus", "operators", "machine mutants", "engines")
"""What starts first; all else starts in the order in which it is shown."""


@dataclass(frozen=True)
class VerificationJob:
    """One thing to verify."""

    part: str
    name: str
    effort: Effort
    seed: int

    def run(self) -> list[Outcome]:
        verify, _ = PARTS[self.part]
        return list(verify(self.name, self.effort, self.seed))


def jobs(parts: Sequence[str], effort: Effort, seed: int) -> list[VerificationJob]:
    return [VerificationJob(part, name, effort, seed) for part in parts for name in PARTS[part][1]()]


def run_jobs(work: Sequence[VerificationJob], processes: int = 1) -> Iterator[tuple[VerificationJob, list[Outcome]]]:
    """Run all jobs and yield what each finds as soon as it is found."""
    if processes == 1:
        yield from ((job, job.run()) for job in work)
        return
    pool = ProcessPoolExecutor(processes, get_context("spawn"), initializer=end_with, initargs=(os.getpid(),))
    try:
        found = {pool.submit(job.run): job for job in sorted(work, key=_start_rank)}
        yield from ((found[future], future.result()) for future in as_completed(found))
    except BaseException:
        for worker in active_children():  # a job may take minutes, and nobody waits for it any more
            worker.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _start_rank(job: VerificationJob) -> int:
    """The first results come at once, and the longest jobs start early, so that none of them ends alone."""
    return START_ORDER.index(job.part) if job.part in START_ORDER else len(START_ORDER)
