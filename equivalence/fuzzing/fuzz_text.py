"""A run of the fuzzer as a table, as text, and as verdicts for build servers and pages."""

from collections.abc import Iterator

from equivalence.fuzzing.campaign import FIRINGS_NEEDED, Campaign
from equivalence.fuzzing.judge import Outcome
from equivalence.report.junit import ReportedVerdict
from equivalence.report.plot import Bar, Plot, amounts
from equivalence.verdicts.verdict import Verdict, VerdictKind
from semantics.how_many import how_many

COLUMNS = ("fired", "proved", "agreed", "refuted", "unreadable")


def table(campaign: Campaign) -> list[tuple[str, ...]]:
    """A line for every rule."""
    lines = [(rule, *(str(counts[name]) for name in COLUMNS)) for rule, counts in campaign.tally.items()]
    return [("rule", *COLUMNS), *lines]


def remarks(campaign: Campaign) -> Iterator[str]:
    """What the table does not say."""
    for finding in campaign.findings:
        yield f"\n{finding}\n\n{_indented(finding.reproduction)}"
    for outcome, texts in campaign.examples.items():
        yield f"\n{outcome}, for example:"
        yield from (f"  {text}" for text in texts)
    for one in campaign.known:
        yield f"\nknown, and seen {how_many(one.seen, 'time')}: {one.rule}: {one.query}"
    if campaign.unknown:
        yield f"\nunknown, since they fired fewer than {FIRINGS_NEEDED} times: {', '.join(campaign.unknown)}"
    queries = how_many(campaign.number, "query")
    name = f"{campaign.subject.name} {campaign.subject.version}".rstrip()
    yield f"\n{name}: {queries}, {_summary(campaign)}"


def judged(campaign: Campaign) -> list[ReportedVerdict]:
    """One verdict for every rule, with its findings."""
    return [_of_rule(campaign, rule) for rule in campaign.tally]


def plots(campaign: Campaign) -> list[Plot]:
    """How often every rule fired, and how much of that was proved."""
    fired = [(rule, counts["fired"]) for rule, counts in campaign.tally.items()]
    proved = [(rule, counts[Outcome.PROVED], counts["fired"]) for rule, counts in campaign.tally.items()]
    bars = tuple(Bar(rule, n, of, may_fall_short=True) for rule, n, of in proved if of)
    return [amounts("Firings by rule", fired), Plot("Proved, of the firings", bars)]


def _of_rule(campaign: Campaign, rule: str) -> ReportedVerdict:
    counts = campaign.tally[rule]
    found = [finding for finding in campaign.findings if finding.rule == rule]
    evidence = {name: counts[name] for name in COLUMNS}
    if not found:
        return ReportedVerdict(rule, Verdict(_kind(campaign, rule), {**evidence, **_why(campaign, rule)}))
    texts = [f"{finding}\n\n{finding.reproduction}" for finding in found]
    return ReportedVerdict(rule, Verdict("refuted", {**evidence, "error": "\n\n".join(texts)}))


def _kind(campaign: Campaign, rule: str) -> VerdictKind:
    counts = campaign.tally[rule]
    if rule in campaign.unknown:
        return "unknown"
    return "proved" if counts["fired"] == counts[Outcome.PROVED] else "agreed"


def _why(campaign: Campaign, rule: str) -> dict[str, object]:
    fired = campaign.tally[rule]["fired"]
    return (
        {"why": f"it fired {how_many(fired, 'time')}, {FIRINGS_NEEDED} are needed"} if rule in campaign.unknown else {}
    )


def _summary(campaign: Campaign) -> str:
    found = len(campaign.findings)
    rules = len({finding.rule for finding in campaign.findings})
    wrong = f"{how_many(found, 'finding')} in {how_many(rules, 'rule')}"
    right = "nothing is wrong" if len(campaign.unknown) < len(campaign.tally) else "too little was seen"
    return f"{how_many(campaign.rewrites, 'rewrite')}; {wrong if found else right}"


def _indented(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.splitlines())
