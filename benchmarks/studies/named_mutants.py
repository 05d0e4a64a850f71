"""Are mistakes named that were not made from the catalogue of deviations? `python -m benchmarks.studies.named_mutants`

The mutants of the reference and of the engines were written to test the checkers, by other means than the deviations:
another operator, another method of an engine. For those that make the mistake of a deviation, this says how often that
name comes first. For the others it prints what they are called.
"""

import argparse
from collections import Counter
from dataclasses import dataclass
from typing import Final

from equivalence.cases.choices import SeededChoices
from equivalence.deviations.cells import same
from equivalence.deviations.explain import explain
from equivalence.deviations.judged_counts import sampled
from equivalence.deviations.outcome import Outcomes, rounded
from equivalence.deviations.random_situations import choose_situation
from equivalence.deviations.situation import Situation
from equivalence.mutants import AGGREGATES, DELTA, ENGINES, EXPRESSIONS, OPERATORS, WINDOWS, Mutant
from equivalence.recordings.recording import EveryInstant, LastInstants
from physical.columns.stream import PhysicalStream
from semantics import FOREVER
from semantics.sparse.row_steps import Counts
from semantics.sparse.stream import counts_of

SAME_MISTAKE: Final[dict[str, tuple[str, ...]]] = {
    "time window too long": ("window one instant too long",),
    "time window too short": ("window start exclusive",),
    "time window ignores its slide": ("slide ignored",),
    "time window slides late": ("times shifted",),
    "time window tumbles": ("hop as tumble",),
    "count window too long": ("one row too many",),
    "count window too short": ("one row too few",),
    "count window ignores its slide": ("row slide ignored",),
    "count window keeps ties": ("ties kept",),
    "count window splits ties": ("ties cut",),
    "partitions are one": ("partitions merged",),
    "partition of NULL is lost": ("NULL partition lost", "rows with NULL dropped"),
    "partitions too long": ("one row too many",),
    "landmark never resets": ("landmark never reset",),
    "landmark one late": ("landmark one late",),
    "landmark starts too early": ("landmark ignored",),
    "Istream is Rstream": ("changes ignored",),
    "Dstream is Istream": ("insertions for deletions",),
    "filter keeps unknown": ("unknown kept",),
    "map collapses duplicates": ("bag collapsed to set", "output is a set"),
    "union of sets": ("bag collapsed to set", "output is a set"),
    "union forgets the right": ("right side of the union lost",),
    "difference of sets": ("difference as anti-join",),
    "difference loses duplicates": ("output is a set",),
    "difference takes away one": ("difference takes one",),
    "intersection of sets": ("intersection of sets", "output is a set"),
    "intersection keeps the left": ("intersection as semi-join",),
    "distinct does nothing": ("duplicates kept",),
    "join collapses duplicates": ("bag collapsed to set", "output is a set"),
    "join finds one partner": ("match once",),
    "semijoin multiplies": ("semi-join multiplies",),
    "antijoin drops rows if the condition is unknown": ("NOT IN for NOT EXISTS",),
    "antijoin is a semijoin": ("anti-join as semi-join",),
    "left join drops rows without a partner": ("padding missing",),
    "left join pads everyone": ("padding for everyone",),
    "full join forgets the right": ("right padding missing",),
    "full join forgets the left": ("left padding missing",),
    "aggregation fills the gap": ("aggregation gap filled",),
    "total aggregation has the gap": ("aggregation gap",),
    "aggregation sees no duplicates": ("equal rows aggregated once",),
    "SUM of nothing is 0": ("SUM of nothing is 0",),
    "grouping loses NULL groups": ("NULL groups dropped", "rows with NULL dropped"),
    "grouping sees no duplicates": ("equal rows aggregated once",),
    "SUM of no group member is 0": ("SUM of nothing is 0",),
    "COUNT(x) counts NULL": ("COUNT(*) for COUNT(x)",),
    "COUNT(x) counts distinct values": ("equal values counted once",),
    "COUNT DISTINCT counts all": ("COUNT(x) for COUNT(DISTINCT x)",),
    "SUM of distinct values": ("equal values counted once",),
    "AVG treats NULL as 0": ("AVG counts NULL",),
    "AVG of distinct values": ("equal values counted once",),
    "MEDIAN is the lower middle": ("MEDIAN is the lower middle",),
    "NULL = NULL": ("NULL keys joined",),
    "MOD takes the divisor's sign": ("MOD takes the divisor's sign",),
    "integers divide to integers": ("integer division",),
    "text is compared without case": ("text compared without case",),
    "first of ties wins": ("ties cut in the input",),
    "inputs are sets": ("equal rows taken once",),
    "silence ends a stream": ("input ends early", "last panes never emitted"),
    "large batches are cut": ("input ends early",),
    "output is a set": ("output is a set",),
    "output loses its last element": ("some rows missing", "last panes never emitted", "a row lost"),
    "output loses its first element": ("some rows missing", "first windows missing", "a row lost"),
    "loses the last element of a source": ("a row lost", "input ends early"),
    "delta: windows retract too early": ("window start exclusive",),
    "delta: windows retract too late": ("window one instant too long",),
    "delta: windows never retract": ("never evicted",),
    "delta: the old row of an aggregation stays": ("upsert read as append", "retraction lost"),
    "delta: Istream and Dstream are swapped": ("insertions for deletions",),
    "delta: results end one late": ("retraction one instant late",),
}
"""What a deviation calls the mistake that a mutant makes; where two names are right, both."""

MUTANTS: Final = (*OPERATORS, *WINDOWS, *EXPRESSIONS, *AGGREGATES, *ENGINES, *DELTA)


@dataclass
class Tally:
    """Of the wrong outputs: whose right name came first, was among the exact ones, or did not come."""

    first: int = 0
    among: int = 0
    other: Counter[str] = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        self.other = Counter()


def wrong_output(mutant: Mutant, situation: Situation) -> Counts | None:
    """What a mutant records, if it is wrong; None if it is right or fails."""
    judged = situation.judged
    assert isinstance(judged, EveryInstant | LastInstants)
    horizon = int(judged.horizon)
    try:
        given = {name: PhysicalStream.of(one.stream()) for name, one in situation.inputs.items()}
        result = PhysicalStream.of(mutant.engine.run(situation.plan, given, horizon))  # type: ignore[arg-type]
        got = rounded(sampled(counts_of(result.to_interval(), FOREVER), judged))
    except Exception:  # a mutant may fail in any way
        return None
    right = Outcomes().of(situation)
    got = {row: steps for row, steps in got.items() if steps}
    return None if same(right, got) else got


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=2, help="recordings of every mutant")
    parser.add_argument("--rows", type=int, default=60)
    options = parser.parse_args()
    tally, unknown = Tally(), Counter[str]()
    for mutant in MUTANTS:
        _one(mutant, options.each, options.rows, tally, unknown)
    told = tally.first + tally.among + sum(tally.other.values())
    print(f"{told} recordings of {len(SAME_MISTAKE)} mutants with a name: first {tally.first}, among {tally.among}")
    for line, n in tally.other.most_common():
        print(f"  {n} × {line}")
    print(f"{sum(unknown.values())} recordings of mutants without a name:")
    for line, n in unknown.most_common():
        print(f"  {n} × {line}")


def _one(mutant: Mutant, each: int, rows: int, tally: Tally, unknown: Counter[str]) -> None:
    found = 0
    for i in range(40 * each):
        if found == each:
            return
        situation = choose_situation(SeededChoices(f"mutant-{mutant.name}-{i}"), rows)
        got = wrong_output(mutant, situation) if situation.lateness == "keep" else None
        if got is None:
            continue
        found += 1
        _count(mutant, situation, got, tally, unknown)


def _count(mutant: Mutant, situation: Situation, got: Counts, tally: Tally, unknown: Counter[str]) -> None:
    diagnosis = explain(situation, got, pairs=mutant.name not in SAME_MISTAKE)
    names = [frozenset().union(*explanation.all_names) for explanation in diagnosis.exact]
    best = "nothing" if diagnosis.best is None else " + ".join(diagnosis.best.names)
    wanted = frozenset(SAME_MISTAKE.get(mutant.name, ()))
    if not wanted:
        unknown[f"{mutant.name} → {best}{'' if diagnosis.exact else ' (nearest)'}"] += 1
    elif names and names[0] & wanted:
        tally.first += 1
    elif any(some & wanted for some in names):
        tally.among += 1
    else:
        tally.other[f"{mutant.name} → {best}{'' if diagnosis.exact else ' (nearest)'}"] += 1


if __name__ == "__main__":
    main()
