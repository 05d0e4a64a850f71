"""`snapeq rules`: the catalogue, with the evidence for each rule."""

from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equivalence.command.terminal import (
    FALLS_SHORT,
    HOLDS,
    AsJson,
    HtmlFile,
    JUnitFile,
    Seed,
    check_writable,
    print_columns,
    print_json,
    tracked,
    write_file,
)
from semantics import SnapeqError
from semantics.how_many import how_many

if TYPE_CHECKING:
    from equivalence.report.junit import ReportedVerdict
    from equivalence.rules.statement import Rule
    from equivalence.verdicts.verdict import Verdict

SAMPLES_IN_A_LIST = 15
SAMPLES_OF_A_NAMED_RULE = 1000
"""Also for a rule in a list that few samples neither confirm nor refute as they should."""
SHRINKING_TRIALS_IN_A_LIST = 0
"""In a list any counterexample will do: making one as small as possible takes thousands of trials."""
RuleVerdict = tuple["Rule", "Verdict | None"]


class NoSuchRule(SnapeqError):
    """No rule of the catalogue has this name, or is of this family."""


def rules_command(
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME", help="Rules to show in full.")] = None,
    family: Annotated[str | None, typer.Option(metavar="FAMILY", help="Only the rules of one family.")] = None,
    examples: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, help=f"Samples of each rule [{SAMPLES_IN_A_LIST} to {SAMPLES_OF_A_NAMED_RULE}]."
        ),
    ] = None,
    no_check: Annotated[bool, typer.Option("--no-check", help="List only, without evidence.")] = False,
    seed: Seed = 0,
    junit: JUnitFile = None,
    html: HtmlFile = None,
    as_json: AsJson = False,
) -> None:
    """The catalogue of rules, true and temptingly false, with the evidence for each.

    \b
    Examples:
      snapeq rules --family windows
      snapeq rules filter-over-union

    Exit code 0 if every true rule holds and every false one is refuted, as far as it was tried; 1 if not.
    """
    from equivalence.report.rule_list import as_claimed, document
    from equivalence.rules.catalogue import CATALOGUE, FALSE

    check_writable(junit, html)
    chosen = _chosen([*CATALOGUE, *FALSE], names or [], family)
    checked = [
        (rule, None if no_check else _check(rule, examples, seed, bool(names))) for rule in tracked(chosen, "rules")
    ]
    if as_json:
        print_json([document(*each) for each in checked])
    else:
        _print(checked, named=bool(names))
    _write(checked, junit, html)
    raise typer.Exit(HOLDS if all(as_claimed(*each) for each in checked) else FALLS_SHORT)


def _chosen(rules: "list[Rule]", names: list[str], family: str | None) -> "list[Rule]":
    families = sorted({rule.family for rule in rules})
    if family is not None and family not in families:
        raise NoSuchRule(f"there is no family {family!r}; there are: {', '.join(families)}")
    known = {rule.name: rule for rule in rules if family in (None, rule.family)}
    for name in names:
        if name not in known:
            near = ", ".join(get_close_matches(name, known)) or "see `snapeq rules --no-check` for all"
            raise NoSuchRule(f"there is no rule {name!r}; similar: {near}")
    return [known[name] for name in names] or list(known.values())


def _check(rule: "Rule", examples: int | None, seed: int, named: bool) -> "Verdict":
    """The evidence for a rule; a counterexample is made as small as possible only if the rule is named."""
    from equivalence.cases.shrink import SHRINK_TRIALS
    from equivalence.report.rule_list import as_claimed
    from equivalence.sampling.sample import check_rule

    trials = SHRINK_TRIALS if named else SHRINKING_TRIALS_IN_A_LIST
    samples = examples or (SAMPLES_OF_A_NAMED_RULE if named else SAMPLES_IN_A_LIST)
    verdict = check_rule(rule, examples=samples, seed=seed, trials=trials)
    if examples or named or as_claimed(rule, verdict):
        return verdict
    return check_rule(rule, examples=SAMPLES_OF_A_NAMED_RULE, seed=seed, trials=trials)


def _print(checked: list[RuleVerdict], named: bool) -> None:
    from equivalence.report.rule_list import as_claimed, brief, in_full
    from equivalence.verification.proof_standing import in_a_word, proof_of

    if named:
        typer.echo("\n\n".join(f"{in_full(*each)}\nproof: {proof_of(each[0])}" for each in checked))
        return
    print_columns((r.family, r.name, brief(r, verdict), in_a_word(r), r.statement) for r, verdict in checked)
    short = [rule.name for rule, verdict in checked if not as_claimed(rule, verdict)]
    typer.echo(how_many(len(checked), "rule") + (f"; not as claimed: {', '.join(short)}" if short else ""))


def _write(checked: list[RuleVerdict], junit: Path | None, html: Path | None) -> None:
    from equivalence.report.html import page
    from equivalence.report.junit import junit as as_junit
    from equivalence.report.rule_list import judged
    from equivalence.verdicts.verdict import Verdict

    verdicts = [(rule, verdict or Verdict("unknown")) for rule, verdict in checked]
    if junit is not None:
        write_file(junit, as_junit("rules", [judged(*each) for each in verdicts]))
    if html is not None:
        write_file(html, page("snapeq rules", [_on_page(*each) for each in verdicts]))


def _on_page(rule: "Rule", verdict: "Verdict") -> "ReportedVerdict":
    from equivalence.report.junit import ReportedVerdict
    from equivalence.report.rule_list import as_claimed

    expected = not rule.valid and as_claimed(rule, verdict)
    return ReportedVerdict(rule.name, verdict, rule.statement, expected)
