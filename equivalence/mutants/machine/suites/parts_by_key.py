"""Plans that are run in parts by key: the parts together give the whole, and no way to part a plan is missed."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from equivalence.cases.choices import Choices, SeededChoices
from equivalence.cases.random_cases import Case, choose_case
from equivalence.cases.random_plans import OPERATORS
from equivalence.mutants.machine.suites.rewrites import a_pair
from equivalence.mutants.machine.trial import Trial
from physical.columns.stream import PhysicalStream
from physical.columns.threads import workers
from physical.planning.source_keys import SourceKeys, source_keys
from physical.runtime.key_parts import PARTS, PartNumbers, keys_to_part_by, part_numbers, parts_of
from semantics import ArithmeticOverflow, Multiset, Plan, evaluate
from semantics.plan import FullJoin, Grouping, Join, LeftJoin, Over, PartitionedWindow, RightJoin, Semijoin

BY_KEY: Final[tuple[type[Plan], ...]] = (Grouping, Join, LeftJoin, Over, PartitionedWindow, Semijoin)
JOINS: Final[tuple[type[Plan], ...]] = (FullJoin, Join, LeftJoin, RightJoin)
HORIZON = 10
CASES = 4


def parts_by_key(seed: int, size: int) -> Iterator[Trial]:
    """Two operators, one above the other: in one pair of four anything, in two a window over the last rows of a key, and
    in one something by key above a join, whose columns are those of one side or the other."""
    for number in range(size):
        choices = SeededChoices(f"parts by key/{seed}/{number}")
        plan = a_pair(choices, *_operators(choices, number)).left
        cases = tuple(choose_case(choices, plan.sources()) for _ in range(CASES))
        yield Trial("parts by key", number, _Parted(plan, cases, source_keys(plan), keys_to_part_by(plan)).wrong)


def _operators(choices: Choices, number: int) -> tuple[type[Plan], type[Plan]]:
    outer, inner = choices.of(list(OPERATORS)), choices.of(list(OPERATORS))
    keyed, join = choices.of(BY_KEY), choices.of(JOINS)
    return ((outer, inner), (PartitionedWindow, inner), (keyed, join), (outer, PartitionedWindow))[number % 4]


@dataclass(frozen=True)
class _Parted:
    plan: Plan
    cases: tuple[Case, ...]
    right: SourceKeys | None
    paying: SourceKeys | None
    """The keys that right code parts it by when it is run; None if it does not."""

    def wrong(self) -> str | None:
        found = source_keys(self.plan)
        if _columns(found) < _columns(self.right):
            return "fewer columns to part by"
        if (keys_to_part_by(self.plan) is None) != (self.paying is None):
            return "it is run in parts, or not"
        if found is None:
            return None
        new = found != self.right
        problems = (self._problem(found, case, parts_differ=new) for case in self.cases)
        return next((problem for problem in problems if problem), None)

    def _problem(self, keys: SourceKeys, case: Case, *, parts_differ: bool) -> str | None:
        streams = {name: PhysicalStream.of(stream) for name, stream in case.items()}
        with workers(1) as team:
            numbers = {name: part_numbers(stream, keys[name], team) for name, stream in streams.items()}
        if parts_differ or self.paying is not None:
            parts = [parts_of(streams, numbers, part) for part in range(PARTS)]
            if sum(len(stream) for part in parts for stream in part.values()) != sum(map(len, streams.values())):
                return "rows are in no part, or in two"
        if self.paying is not None and _torn(keys, streams, numbers):
            return "rows of one key are in two parts"
        return "the parts do not give the whole" if parts_differ and self._differs(case, parts) else None

    def _differs(self, case: Case, parts: list[dict[str, PhysicalStream]]) -> bool:
        try:
            whole = evaluate(self.plan, case, HORIZON).snapshots
            found = [
                evaluate(self.plan, {name: stream.to_interval() for name, stream in part.items()}, HORIZON).snapshots
                for part in parts
            ]
        except ArithmeticOverflow:
            return False
        return any(sum(pieces, Multiset()) != right for *pieces, right in zip(*found, whole, strict=True))


def _columns(keys: SourceKeys | None) -> int:
    """How many columns each source is parted by at least; 0 if the plan cannot be parted."""
    return 0 if keys is None else min(map(len, keys.values()))


def _torn(keys: SourceKeys, streams: dict[str, PhysicalStream], numbers: dict[str, PartNumbers]) -> bool:
    """Are rows with equal keys, of whatever source, in different parts?"""
    part_of: dict[str, int] = {}
    placed = (
        (repr([row[k] for k in keys[name]]), int(number))
        for name, stream in streams.items()
        for (row, _), number in zip(stream.to_interval().elements, numbers[name], strict=True)
    )
    return any(part_of.setdefault(key, number) != number for key, number in placed)
