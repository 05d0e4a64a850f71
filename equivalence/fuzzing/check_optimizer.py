"""Does an optimizer keep what a query means? One function for those of plans and for those of texts."""

from collections.abc import Callable
from typing import Any, Final

from equivalence.fuzzing.callable_optimizer import optimizer_of, takes_sql
from equivalence.fuzzing.campaign import FIRINGS_NEEDED, Campaign
from equivalence.fuzzing.fuzz_finding import FuzzFinding
from equivalence.fuzzing.relational_reading import Unreadable, read_relational
from equivalence.fuzzing.rewrites_under_test import RewritesUnderTest
from equivalence.fuzzing.small_databases import as_case
from equivalence.optimizer.check_optimizer import check_optimizer as check_plan_optimizer
from equivalence.verdicts.counterexample import Counterexample
from equivalence.verdicts.verdict import Verdict
from semantics import Multiset

DEFAULT_QUERIES: Final = 2000
FIRINGS_LOOKED_FOR: Final = 6 * FIRINGS_NEEDED


def check_optimizer(optimizer: Callable[[Any], Any], **options: Any) -> Verdict:
    """Does any callable from plan to plan, or from SQL to SQL, keep the answers, on queries and data chosen at random?

    Of plans the options are those of `equivalence.optimizer.check_optimizer.check_optimizer`; of texts, `examples`, the
    queries tried at most, `firings`, after how many changed texts it is enough, and `seed`.

    >>> verdict = check_optimizer(lambda sql: sql.replace("UNION ALL", "UNION"))
    >>> verdict.kind, verdict.evidence["finding"]
    ('refuted', 'WrongResult')
    """
    return (
        check_sql_optimizer(optimizer, **options)
        if takes_sql(optimizer)
        else check_plan_optimizer(optimizer, **options)
    )


def check_sql_optimizer(
    optimizer: Callable[[str], str],
    *,
    examples: int = DEFAULT_QUERIES,
    firings: int = FIRINGS_LOOKED_FOR,
    seed: int = 0,
) -> Verdict:
    """The check of an optimizer of texts. It agrees only if at least 50 texts were changed."""
    name = getattr(optimizer, "__name__", type(optimizer).__name__)
    campaign = Campaign(RewritesUnderTest(optimizer_of(name, {name: optimizer})), seed)
    campaign.run(lambda n: n < examples and campaign.rewrites < firings and not campaign.findings)
    counts = campaign.tally[name]
    evidence = {"how": "sampled", "queries": campaign.number, **counts, "seed": seed}
    if campaign.findings:
        return _refuted(campaign.findings[0], evidence)
    if counts["fired"] >= FIRINGS_NEEDED:
        return Verdict("agreed", evidence)
    if not counts["fired"]:
        return Verdict("vacuous", {**evidence, "why": "it changed no query"})
    why = f"only {counts['fired']} queries were changed, {FIRINGS_NEEDED} are needed"
    return Verdict("unknown", {**evidence, "why": why})


def _refuted(finding: FuzzFinding, evidence: dict[str, object]) -> Verdict:
    """With a counterexample, if both texts can be read."""
    kind = "Raises" if isinstance(finding.got, str) else "WrongResult"
    told = {**evidence, "finding": kind, "query": finding.query, "rewritten": finding.rewritten}
    try:
        if isinstance(finding.got, str):
            return Verdict("refuted", {**told, "error": str(finding)})
        plans = (
            read_relational(finding.query, finding.schema),
            read_relational(finding.rewritten, finding.schema),
        )
    except Unreadable:
        return Verdict("refuted", {**told, "error": str(finding)})
    left, right = Multiset(finding.expected), Multiset(finding.got)
    case = as_case(finding.tables, finding.schema)
    return Verdict("refuted", told, Counterexample(plans, case, 0, left, right))
