"""Are mistakes named that were not made from the catalogue of deviations? `python -m benchmarks.studies.named_mutants`

The mutants of the reference and of the engines were written to test the checkers, by other means than the deviations:
another operator, another method of an engine. One wrong output of a mutant is explained. Whether the name truly
describes the mutant is then asked of other streams: the named deviation must make of them exactly what the mutant does.
"""

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal

from equivalence.cases.choices import SeededChoices
from equivalence.deviations.cells import differing_cells, same
from equivalence.deviations.clues import clue_of, with_suspects
from equivalence.deviations.deviation import Clue, Deviation
from equivalence.deviations.explain import explain
from equivalence.deviations.explanation import Explanation
from equivalence.deviations.judged_counts import sampled
from equivalence.deviations.outcome import Outcomes, rounded
from equivalence.deviations.random_situations import choose_input, choose_situation
from equivalence.deviations.situation import Situation
from equivalence.mutants import AGGREGATES, DELTA, ENGINES, EXPRESSIONS, INCREMENTAL, OPERATORS, WINDOWS, Mutant
from equivalence.recordings.recording import EveryInstant, LastInstants
from physical.columns.stream import PhysicalStream
from semantics import FOREVER, SnapeqError, show
from semantics.sparse.row_steps import Counts
from semantics.sparse.stream import counts_of

MUTANTS: Final = (*OPERATORS, *WINDOWS, *EXPRESSIONS, *AGGREGATES, *ENGINES, *DELTA, *INCREMENTAL)
OTHER_STREAMS: Final = 6
OTHERS_TRIED: Final = 4
Kind = Literal[
    "true name",
    "true name among several",
    "partly true name",
    "wrong name",
    "single places",
    "true nearest",
    "nearest only",
    "no name",
]
"""Single places: only where rows are missing or too many is said. Nearest: it is said how much remains."""


@dataclass(frozen=True)
class Naming:
    """What a wrong output of a mutant was called, and whether that is true."""

    mutant: str
    plan: str
    kind: Kind
    name: str


def output(mutant: Mutant, situation: Situation) -> Counts | None:
    """What a mutant records; None if it fails."""
    judged = situation.judged
    assert isinstance(judged, EveryInstant | LastInstants)
    try:
        given = {name: PhysicalStream.of(one.stream()) for name, one in situation.inputs.items()}
        result = PhysicalStream.of(mutant.engine.run(situation.plan, given, int(judged.horizon)))  # type: ignore[arg-type]
        counts = rounded(sampled(counts_of(result.to_interval(), FOREVER), judged))
    except (Exception, SystemExit):  # a mutant may fail in any way
        return None
    return {row: steps for row, steps in counts.items() if steps}


def wrong_outputs(mutant: Mutant, tries: int, rows: int, seed: str) -> Iterator[tuple[Situation, Counts]]:
    """Situations in which a mutant is wrong, each with another plan."""
    seen = set()
    for i in range(tries):
        situation = choose_situation(SeededChoices(f"{seed}-{mutant.name}-{i}"), rows)
        if situation.lateness != "keep" or situation.plan in seen:
            continue
        got = output(mutant, situation)
        if got is not None and not same(Outcomes().of(situation), got):
            seen.add(situation.plan)
            yield situation, got


def other_streams(situation: Situation, rows: int, seed: str) -> Iterator[Situation]:
    """The same query over other rows."""
    for i in range(OTHER_STREAMS):
        choices = SeededChoices(f"{seed}-other-{i}")
        sources = situation.plan.sources()
        inputs = {name: choose_input(choices, schema, rows // len(sources), False) for name, schema in sources.items()}
        longer = replace(situation, inputs=inputs)
        end = max(longer.times, default=0) + 40
        judged = longer.judged
        step = judged.step if isinstance(judged, LastInstants) else 1
        assert not hasattr(judged, "at")
        yield replace(longer, judged=replace(judged, horizon=end - end % step))


def predicts(deviations: tuple[Deviation, ...], situation: Situation, got: Counts) -> bool:
    """Does the deviation, with some parameter, make of a situation what a mutant made of it?"""
    right = Outcomes().of(situation)
    cells = differing_cells(right, got)
    clue = with_suspects(situation, cells, clue_of(cells, got)) if cells else Clue()
    (deviation,) = deviations
    outcomes = Outcomes()
    for variant in deviation.variants(situation, clue):
        try:
            if same(outcomes.of(variant.applied(situation)), got):
                return True
        except SnapeqError:
            continue
    return False


def naming(mutant: Mutant, situation: Situation, got: Counts, rows: int, seed: str) -> Naming:
    diagnosis = explain(situation, got, pairs=False)
    plan, best = show(situation.plan), diagnosis.best
    if best is None:
        return Naming(mutant.name, plan, "no name", "nothing")
    name = f"{' + '.join(best.names)} ({best.explained} of {best.of})"
    if best.fault is not None:
        return Naming(mutant.name, plan, "single places", name)
    truth = _truth(mutant, best, situation, rows, seed)
    if not diagnosis.exact:
        return Naming(mutant.name, plan, "true nearest" if truth == "true name" else "nearest only", name)
    others = [found for found in diagnosis.exact[1 : 1 + OTHERS_TRIED] if found.fault is None]
    if truth != "true name" and any(_truth(mutant, found, situation, rows, seed) == "true name" for found in others):
        truth = "true name among several"
    return Naming(mutant.name, plan, truth, name)


def _truth(mutant: Mutant, best: Explanation, situation: Situation, rows: int, seed: str) -> Kind:
    deviations = tuple(variant.deviation for variant in best.variants)
    told = [
        predicts(deviations, other, got)
        for other in other_streams(situation, rows, f"{seed}-{mutant.name}")
        if (got := output(mutant, other)) is not None and not same(Outcomes().of(other), got)
    ]
    return "true name" if all(told) else "partly true name" if any(told) else "wrong name"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=1, help="wrong outputs of every mutant")
    parser.add_argument("--tries", type=int, default=40, help="situations in which a mutant is looked at")
    parser.add_argument("--rows", type=int, default=60)
    parser.add_argument("--seed", default="0")
    parser.add_argument("--only", default="", help="mutants whose name has this in it")
    parser.add_argument("--seconds", type=float, default=600, help="stop after so much processor time")
    options = parser.parse_args()
    counts: Counter[Kind] = Counter()
    unseen, began = 0, time.process_time()
    for mutant in [mutant for mutant in MUTANTS if options.only in mutant.name]:
        found = 0
        for situation, got in wrong_outputs(mutant, options.tries, options.rows, options.seed):
            told = naming(mutant, situation, got, options.rows, options.seed)
            counts[told.kind] += 1
            if told.kind != "true name":
                print(f"  {told.kind}: {told.mutant} → {told.name}   [{told.plan}]", flush=True)
            found += 1
            if found == options.each:
                break
        unseen += not found
        if time.process_time() - began > options.seconds:
            print(f"stopped at {mutant.name}", flush=True)
            break
    total = sum(counts.values())
    print(f"{total} wrong outputs of {len(MUTANTS) - unseen} mutants ({unseen} were never wrong here):")
    print(", ".join(f"{kind} {n} ({100 * n / max(total, 1):.1f} %)" for kind, n in counts.most_common()))


if __name__ == "__main__":
    main()
