"""How often is the mistake named? `python -m equivalence.deviations.measure` plants every deviation and counts."""

import argparse
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from equivalence.deviations.explain import explain
from equivalence.deviations.plant import Planted, planted_pairs, planted_singles, right_outputs


@dataclass
class Score:
    """Of the recordings with a mistake: where its name came."""

    tried: int = 0
    first: int = 0
    """The right name is the best one."""
    among: int = 0
    """The right name is one of those that explain everything, so that this recording cannot tell them apart."""
    nearest: int = 0
    missed: int = 0
    wrong: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0

    @property
    def share(self) -> float:
        return self.first / max(self.tried, 1)

    def add(self, planted: Planted) -> bool:
        """Explain it, and count whether the right name came first."""
        began = time.process_time()
        diagnosis = explain(planted.situation, planted.got)
        self.seconds += time.process_time() - began
        self.tried += 1
        best = diagnosis.best
        if best is not None and planted.names in best.all_names:
            self.first += 1
            return True
        self.among += any(planted.names in explanation.all_names for explanation in diagnosis.exact)
        self.missed += best is None
        named = "nothing" if best is None else " + ".join(sorted(best.names))
        self.wrong[f"{' + '.join(sorted(planted.names))} → {named}"] += 1
        return False

    def __str__(self) -> str:
        rest = self.tried - self.first - self.among - self.missed
        return (
            f"{self.tried} recordings: right name first {self.first} ({100 * self.share:.1f} %), "
            f"among those that cannot be told apart {self.among}, another name {rest}, no name {self.missed}; "
            f"{1000 * self.seconds / max(self.tried, 1):.0f} ms each"
        )


def score(recordings: Iterable[Planted]) -> Score:
    """The score of many."""
    total = Score()
    for planted in recordings:
        total.add(planted)
    return total


def wrongly_named(seed: object, number: int, rows: int) -> list[str]:
    """The names that right outputs were given: there must be none."""
    named = []
    for situation, got in right_outputs(seed, number, rows):
        diagnosis = explain(situation, got)
        named += [] if diagnosis.differences == 0 else [str(diagnosis.best)]
    return named


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", default="0")
    parser.add_argument("--each", type=int, default=3, help="recordings of every deviation")
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--right", type=int, default=1000)
    parser.add_argument("--rows", type=int, default=100)
    parser.add_argument("--show", action="store_true", help="print what was named otherwise")
    options = parser.parse_args()
    singles = score(planted_singles(options.seed, options.each, options.rows))
    _print("one deviation", singles, options.show)
    pairs = score(planted_pairs(options.seed, options.pairs, options.rows))
    _print("two deviations", pairs, options.show)
    wrong = wrongly_named(options.seed, options.right, options.rows)
    print(f"right outputs: {options.right}, given a name: {len(wrong)}", flush=True)


def _print(title: str, found: Score, show: bool) -> None:
    print(f"{title}: {found}", flush=True)
    for line, n in found.wrong.most_common() if show else ():
        print(f"  {n} × {line}", flush=True)


if __name__ == "__main__":
    main()
