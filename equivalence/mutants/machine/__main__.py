"""`python -m equivalence.mutants.machine`: mutate the source, try the mutants, print the survivors."""

import sys
from argparse import ArgumentParser
from collections import Counter
from math import inf
from pathlib import Path
from typing import Final

from equivalence.mutants.machine.campaign import campaign, drawn
from equivalence.mutants.machine.outcome import MutantOutcome
from equivalence.mutants.machine.targets import target_mutations

EVERY: Final = 50
"""Mutants between two lines of progress."""


class Progress:
    """Says now and then how far the campaign is."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.counts: Counter[str] = Counter()
        self.seconds = 0.0

    def report(self, outcome: MutantOutcome) -> None:
        self.counts[outcome.status] += 1
        self.seconds += outcome.seconds
        done = self.counts.total()
        if done % EVERY == 0:
            counts = ", ".join(f"{count} {status}" for status, count in sorted(self.counts.items()))
            print(f"{done} of {self.total}: {counts}; {self.seconds / done:.2f} s each", file=sys.stderr, flush=True)


def main() -> int:
    """Exit code 1 if a mutant was killed that is recorded as equivalent."""
    parser = ArgumentParser("python -m equivalence.mutants.machine", description=__doc__)
    parser.add_argument("--sample", type=int, help="how many mutants are tried; all if it is left out")
    parser.add_argument("--seed", type=int, default=0, help="draws the sample")
    parser.add_argument("--files", default="*", help="only files whose path fits this pattern")
    parser.add_argument("--jobs", type=int, default=2, help="how many at a time")
    parser.add_argument("--seconds", type=float, default=inf, help="CPU time after which a mutant has survived")
    parser.add_argument("--out", type=Path, help="JSON Lines, one for each mutant; those in it are not tried again")
    chosen = parser.parse_args()
    mutations = list(target_mutations(chosen.files))
    sample = drawn(mutations, chosen.sample, chosen.seed)
    print(f"{len(sample)} of {len(mutations)} mutants, seed {chosen.seed}", file=sys.stderr, flush=True)
    summary = campaign(
        sample, processes=chosen.jobs, out=chosen.out, longest=chosen.seconds, report=Progress(len(sample)).report
    )
    print("\n".join(summary.lines()))
    return 1 if summary.wrong_records else 0


if __name__ == "__main__":
    sys.exit(main())
