"""A campaign: a sample of all mutations is tried; what is known already is taken from a file of JSON Lines."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import inf
from pathlib import Path
from random import Random
from time import process_time

from equivalence.mutants.machine.equivalents import against_records, recorded
from equivalence.mutants.machine.judges import all_trials
from equivalence.mutants.machine.laboratory import Laboratory
from equivalence.mutants.machine.outcome import MutantOutcome
from equivalence.mutants.machine.summary import Summary
from equivalence.mutants.machine.syntax_mutations import SyntaxMutation
from equivalence.mutants.machine.targets import target_mutations

Report = Callable[[MutantOutcome], None]


def verify_machine_mutants(sample: int, seed: int, share: float = 1.0) -> Summary:
    """Try so many mutants, drawn by a seed, with all trials or a share of them."""
    return campaign(drawn(list(target_mutations()), sample, seed), share=share)


def drawn(mutations: Sequence[SyntaxMutation], sample: int | None, seed: int) -> list[SyntaxMutation]:
    """A sample in random order, so that its beginning is a sample as well; or all."""
    return Random(f"machine mutants/{seed}").sample(mutations, min(sample or len(mutations), len(mutations)))


def campaign(
    mutations: Sequence[SyntaxMutation],
    *,
    processes: int = 1,
    out: Path | None = None,
    share: float = 1.0,
    longest: float = inf,
    report: Report = lambda _: None,
) -> Summary:
    """Try mutations; those whose outcome is in the file are not tried again."""
    known = {(outcome.identity, outcome.source): outcome for outcome in _read(out)}
    found = [outcome for m in mutations if (outcome := known.get((m.identity, m.source))) is not None]
    rest = [mutation for mutation in mutations if (mutation.identity, mutation.source) not in known]
    before = process_time()
    laboratory = Laboratory.prepared(all_trials(share=share), longest=longest) if rest else None
    preparing = process_time() - before
    for outcome in laboratory.outcomes(rest, processes) if laboratory else ():
        _append(out, outcome)
        found.append(outcome)
        report(outcome)
    judged = tuple(against_records(outcome, recorded()) for outcome in found)
    return Summary(judged, recorded(), preparing)


def _read(out: Path | None) -> Iterator[MutantOutcome]:
    if out is not None and out.exists():
        yield from (MutantOutcome(**json.loads(line)) for line in _whole_lines(out.read_text(encoding="utf-8")))


def _whole_lines(text: str) -> Iterable[str]:
    """The last line may be a part of one, if whoever wrote it was stopped."""
    return (line for line in text.splitlines(keepends=True) if line.endswith("\n"))


def _append(out: Path | None, outcome: MutantOutcome) -> None:
    if out is not None:
        with out.open("a", encoding="utf-8") as file:
            file.write(json.dumps(outcome.to_json(), ensure_ascii=False) + "\n")
