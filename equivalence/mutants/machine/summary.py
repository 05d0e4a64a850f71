"""What a campaign found: how many mutants were killed, and which survived."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import get_args

from equivalence.mutants.machine.equivalents import Records, is_recorded
from equivalence.mutants.machine.outcome import MutantOutcome, Status


@dataclass(frozen=True)
class Summary:
    """The outcomes of a campaign."""

    outcomes: tuple[MutantOutcome, ...]
    records: Records
    preparing: float = 0.0
    """CPU seconds before the first mutant was tried."""

    def having(self, *statuses: Status) -> tuple[MutantOutcome, ...]:
        found = (outcome for outcome in self.outcomes if outcome.status in statuses)
        return tuple(sorted(found, key=lambda outcome: (outcome.module, outcome.line)))

    @property
    def survivors(self) -> tuple[MutantOutcome, ...]:
        return self.having("survived")

    @property
    def wrong_records(self) -> tuple[MutantOutcome, ...]:
        """Mutants that were killed although a record says that this cannot be."""
        return tuple(outcome for outcome in self.having("killed") if is_recorded(outcome, self.records))

    @property
    def rate(self) -> float:
        """Of those that a trial reaches and that are not known to be equivalent, how many are killed?"""
        return _share(len(self.having("killed")), len(self.having("killed", "survived")))

    @property
    def rate_of_all(self) -> float:
        """The same, but what no trial reaches counts as alive."""
        return _share(len(self.having("killed")), len(self.having("killed", "survived", "not reached")))

    @property
    def seconds_each(self) -> float:
        """CPU seconds for a mutant, preparation included."""
        return (self.preparing + sum(o.seconds for o in self.outcomes)) / max(len(self.outcomes), 1)

    def counts(self) -> dict[str, int]:
        counted = Counter(outcome.status for outcome in self.outcomes)
        return {status: counted[status] for status in get_args(Status)}

    def to_json(self) -> dict[str, object]:
        return {
            "tried": len(self.outcomes),
            **self.counts(),
            "rate": round(self.rate, 4),
            "rate_of_all": round(self.rate_of_all, 4),
            "survivors": [str(outcome) for outcome in self.survivors],
        }

    def lines(self) -> Iterator[str]:
        """What a person reads."""
        yield from _listed("not reached by any trial", _functions(self.having("not reached")))
        yield from _listed(
            "not tried, since nothing that is alive would be another", _functions(self.having("not tried"))
        )
        yield from _listed("survived", [str(outcome) for outcome in self.survivors])
        yield from _listed("killed, though recorded as equivalent", [str(outcome) for outcome in self.wrong_records])
        yield ", ".join(f"{count} {status}" for status, count in self.counts().items())
        yield f"killed: {self.rate:.1%} of those reached and not equivalent, {self.rate_of_all:.1%} with those not reached"
        yield f"{self.seconds_each:.2f} s of CPU time each, {self.preparing:.0f} s of preparation included"


def _functions(outcomes: Sequence[MutantOutcome]) -> list[str]:
    counted = Counter(f"{outcome.module} {outcome.function or '(module)'}" for outcome in outcomes)
    return [f"{name}: {count}" for name, count in counted.items()]


def _listed(title: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield f"{title}:"
        yield from (f"  {line}" for line in lines)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
