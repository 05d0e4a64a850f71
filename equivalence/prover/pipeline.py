"""The passes of the prover in the order in which they run; the first definite verdict ends the run.

`PASSES` is the order, not a description of it: `decide` walks it, and the prover reaches no verdict otherwise. Cheap
passes come before expensive ones. A proof and a counterexample are looked for in turns, because nobody knows beforehand
which of the two there is.

The order decides how long an answer takes, and which counterexample is shown. It cannot make an answer wrong: a proof
counts only if both solvers confirm its leaves, a counterexample only if the reference replays it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from equivalence.prover.conjecture import Conjecture, Progress
from equivalence.prover.passes.attempt_proof import long_proof, proof_from_less, short_proof
from equivalence.prover.passes.rewrite_plans import rewrite_plans
from equivalence.prover.passes.search_models import search_models, search_open_instants
from equivalence.prover.passes.try_samples import accept_sample, try_samples
from equivalence.verdicts.verdict import Verdict

CASES_FIRST, CASES_IF_UNPROVED = 4, 12
"""Random cases before anything else, and if there is no short proof: most of what is false shows it in these."""
CASES_OF_PLANS, CASES_OF_LISTS = 100, 700
"""Random cases before the long passes. Cases of lists are cheap, and to search for models of them is expensive."""

Need = Callable[[Conjecture, Progress], bool]


@dataclass(frozen=True)
class Pass:
    """One pass: it runs if all its needs are met."""

    name: str
    needs: tuple[Need, ...]
    gives: str
    run: Callable[[Conjecture, Progress], Progress]


def can_be_sampled(conjecture: Conjecture, _: Progress) -> bool:
    """The conjecture is a rule, from which random cases are drawn."""
    return conjecture.sample is not None


def no_sample_fails(_: Conjecture, progress: Progress) -> bool:
    return progress.failing_sample is None


def a_sample_fails(_: Conjecture, progress: Progress) -> bool:
    return progress.failing_sample is not None


def assumes_something(conjecture: Conjecture, _: Progress) -> bool:
    """Something is assumed of the streams, which a proof may not need."""
    return any(statement.instance.constraints for statement in conjecture.statements())


def longer_proof_may_help(_: Conjecture, progress: Progress) -> bool:
    return progress.longer_proof_may_help


def worth_a_long_search(conjecture: Conjecture, progress: Progress) -> bool:
    """A sample shows that there is a model to find, or there were no samples, or the search is likely to see more.

    It is not likely to for lists, which it searches slowly, and outside the fragment, which it searches badly.
    """
    if progress.failing_sample is not None or conjecture.sample is None:
        return True
    return progress.longer_proof_may_help and not conjecture.about_lists


def is_about_two_plans(conjecture: Conjecture, _: Progress) -> bool:
    """The conjecture is about two given plans: rewrites cannot handle what a rule leaves open."""
    return conjecture.plans is not None


def has_windows(conjecture: Conjecture, _: Progress) -> bool:
    """Instants matter: without windows, whatever differs at some instant differs at instant 0."""
    assert conjecture.plans is not None
    sides = (conjecture.plans.left, conjecture.plans.right)
    return not all(node.reducible for side in sides for node in side.walk())


first_samples = partial(try_samples, cases=CASES_FIRST)
more_samples = partial(try_samples, cases=CASES_IF_UNPROVED)
short_search = partial(search_models, short=True)
long_search = partial(search_models, short=False)


def many_samples(conjecture: Conjecture, progress: Progress) -> Progress:
    return try_samples(conjecture, progress, CASES_OF_LISTS if conjecture.about_lists else CASES_OF_PLANS)


PASSES: Final = (
    Pass("first samples", (can_be_sampled,), "a failing sample, if there is one", first_samples),
    Pass("short proof", (no_sample_fails,), "proved, or vacuous, or whether a longer proof may help", short_proof),
    Pass("more samples", (can_be_sampled, no_sample_fails), "a failing sample, if there is one", more_samples),
    Pass("short search", (), "refuted by a model, or what was not searched", short_search),
    Pass("open instants", (is_about_two_plans, has_windows), "refuted by a model, or why not", search_open_instants),
    Pass("many samples", (can_be_sampled, no_sample_fails), "a failing sample, if there is one", many_samples),
    Pass("long proof", (no_sample_fails, longer_proof_may_help), "proved, or why not", long_proof),
    Pass("proof from less", (no_sample_fails, assumes_something), "proved from fewer constraints", proof_from_less),
    Pass("long search", (worth_a_long_search,), "refuted by a model, or what was not searched", long_search),
    Pass("accept sample", (a_sample_fails,), "refuted by the sample, and why there is no model", accept_sample),
    Pass(
        "rewrite plans",
        (is_about_two_plans,),
        "proved by a certificate, or where they differ",
        rewrite_plans,
    ),
)


PROOF_AT_ONCE: Final = tuple(each for each in PASSES if each.name == "short proof")
SEARCH_AT_ONCE: Final = tuple(each for each in PASSES if each.name == "short search")
"""For a question among many: what these do not decide in a moment stays open."""


def decide(conjecture: Conjecture, passes: Sequence[Pass] | None = None) -> Verdict:
    """Run every pass whose needs are met, until one of them decides the conjecture."""
    progress = Progress()
    for each in PASSES if passes is None else passes:
        if all(met(conjecture, progress) for met in each.needs):
            progress = each.run(conjecture, progress)
        if progress.decided:
            break
    return progress.verdict
