"""A run of the fuzzer: query after query, what each rule did to it, and one finding for every cause."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final, Protocol

from equivalence.cases.choices import SeededChoices
from equivalence.fuzzing.fuzz_finding import FuzzFinding, features
from equivalence.fuzzing.judge import Outcome
from equivalence.fuzzing.random_sql import choose_query
from equivalence.fuzzing.relational_schema import RelationalSchema, choose_schema
from equivalence.fuzzing.sql_rewrite import normal
from equivalence.fuzzing.steering import Steering

SCHEMAS: Final = 8
ROUND: Final = 24
"""So many queries are tried before what they showed decides about others."""
LATER_ROUND: Final = 4 * ROUND
"""Later much is known already; and processes wait less often for the last query of a round."""
LATER: Final = 20 * ROUND
FIRINGS_NEEDED: Final = 50
"""A rule that fired less often is unknown: too little was seen of it."""
EXAMPLES_KEPT: Final = 3


@dataclass(frozen=True)
class Observation:
    """What became of one query under one rule that fired."""

    rule: str
    outcome: Outcome
    reason: str = ""
    shrink: Callable[[int], FuzzFinding] | None = None
    """Makes a finding of what is wrong, given the number of the query."""
    telling: bool = True
    """Does the query give rows, and others on other data? A fault would hardly show in one that does not."""


class Subject(Protocol):
    """What is fuzzed."""

    @property
    def name(self) -> str: ...
    @property
    def version(self) -> str: ...
    @property
    def rules(self) -> tuple[str, ...]: ...

    def observe(self, sql: str, schema: RelationalSchema, fired: Mapping[str, int]) -> Iterator[Observation]:
        """What rules that fire do to a query; those that fired often until now may be left out."""
        ...


@dataclass(frozen=True)
class Question:
    """A query as it is tried: which one it is, its text, and how often rules had fired when its round began."""

    number: int
    sql: str
    schema: RelationalSchema
    fired: Mapping[str, int]
    made: tuple[int, ...]
    """The choices that led to it."""
    family: int
    """The query from nowhere that it descends from."""


@dataclass(frozen=True)
class Seen:
    """An observation without the way to a finding."""

    rule: str
    outcome: Outcome
    reason: str = ""
    telling: bool = True


class Observers(Protocol):
    """Who tries queries: this process, or several."""

    def seen(self, questions: Iterable[Question]) -> Iterator[tuple[Question, list[Seen]]]:
        """Each query with what it showed, in their order."""
        ...

    @property
    def at_once(self) -> bool:
        """Is a finding there when it is asked for? Else others can be made small at the same time."""
        ...

    def finding(self, question: Question, place: int) -> Callable[[], FuzzFinding | None]:
        """What is wrong with the observation at this place, made small; None if it does not show a second time."""
        ...


class Here:
    """This process tries one query after the other."""

    at_once: Final = True

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._latest: tuple[int, list[Observation]] = (-1, [])

    def seen(self, questions: Iterable[Question]) -> Iterator[tuple[Question, list[Seen]]]:
        for question in questions:
            yield question, [Seen(one.rule, one.outcome, one.reason, one.telling) for one in self._observed(question)]

    def finding(self, question: Question, place: int) -> Callable[[], FuzzFinding | None]:
        observed = self._observed(question)
        shrink = observed[place].shrink if place < len(observed) else None
        return (lambda: None) if shrink is None else partial(shrink, question.number)

    def _observed(self, question: Question) -> list[Observation]:
        if self._latest[0] != question.number:
            found = list(self._subject.observe(question.sql, question.schema, question.fired))
            self._latest = (question.number, found)
        return self._latest[1]


@dataclass
class Known:
    """A finding that is known already: it is counted, and refutes nothing."""

    rule: str
    query: str
    seen: int = 0

    @property
    def features(self) -> frozenset[str]:
        return features(self.query)


@dataclass
class Campaign:
    """What was seen so far; `run` goes on from there."""

    subject: Subject
    seed: int = 0
    known: Sequence[Known] = ()
    number: int = 0
    """The next query."""
    tally: dict[str, Counter[str]] = field(default_factory=dict)
    findings: list[FuzzFinding] = field(default_factory=list)
    examples: dict[Outcome, list[str]] = field(default_factory=dict)
    """Some of what could not be read or confirmed, with the reason."""
    settled: list[tuple[str, str]] = field(default_factory=list)
    """Rules, and what they were known to be wrong on when the round began."""

    def __post_init__(self) -> None:
        self.steering = Steering(self.seed)
        self._awaited: list[Callable[[], FuzzFinding | None]] = []
        self._schemas = [choose_schema(SeededChoices(f"{self.seed}/schema/{i}")) for i in range(SCHEMAS)]
        for rule in self.subject.rules:
            self.tally.setdefault(rule, Counter())

    def run(self, goes_on: Callable[[int], bool], observers: Observers | None = None) -> None:
        """Try queries as long as it says, asked with the number of the next one."""
        tried_by = Here(self.subject) if observers is None else observers
        while goes_on(self.number):
            for question, seen in tried_by.seen(self._round()):
                if not goes_on(question.number):
                    break
                self._count(question, seen, tried_by)
                self.number += 1
                if tried_by.at_once:
                    self.report_awaited()
            self.report_awaited()

    def _round(self) -> Iterator[Question]:
        """The queries that are left of a round, made one by one: others are being tried meanwhile."""
        length = ROUND if self.number < LATER else LATER_ROUND
        if self.number % length == 0:
            self.steering.begin_round(self.fired)
            known = [(one.rule, one.query) for one in self.known]
            self.settled = known + [(one.rule, one.query) for one in self.findings]
        end = self.number - self.number % length + length
        yield from map(self._question, range(self.number, end))

    @property
    def fired(self) -> dict[str, int]:
        return {rule: counts["fired"] for rule, counts in self.tally.items()}

    @property
    def unknown(self) -> list[str]:
        """Rules that fired too seldom to say anything about them."""
        return [rule for rule, fired in self.fired.items() if fired < FIRINGS_NEEDED and not self._refuted(rule)]

    @property
    def rewrites(self) -> int:
        return sum(self.fired.values())

    def _refuted(self, rule: str) -> bool:
        return self.tally[rule][Outcome.REFUTED] > 0

    def _question(self, number: int) -> Question:
        drawn = self.steering.drawn(number)
        schema = drawn.choices.of(self._schemas)
        sql = normal(choose_query(drawn.choices, schema))
        return Question(number, sql, schema, self.steering.fired, tuple(drawn.choices.made), drawn.family)

    def _count(self, question: Question, seen: Sequence[Seen], tried_by: Observers) -> None:
        for place, one in enumerate(seen):
            counts = self.tally[one.rule]
            counts["fired"] += 1
            counts[one.outcome] += 1
            if one.outcome in (Outcome.UNREADABLE, Outcome.UNCONFIRMED):
                self._keep_example(one)
            if one.outcome is Outcome.REFUTED and self._is_looked_at(one.rule, question.sql):
                self._awaited.append(tried_by.finding(question, place))
        for rule, telling in dict.fromkeys((one.rule, one.telling) for one in seen):
            self.steering.note(rule, question.family, question.made, telling=telling)

    def _is_looked_at(self, rule: str, sql: str) -> bool:
        """Is it worth the time to make it small?

        Those are whose number is a power of two or, if it has all parts of a known fault of the rule, a power of four.
        """
        number = self.tally[rule][Outcome.REFUTED]
        if not _is_power_of_two(number):
            return False
        parts = features(sql)
        seen_before = any(other == rule and features(query) <= parts for other, query in self.settled)
        return number.bit_length() % 2 == 1 if seen_before else True

    def _keep_example(self, one: Seen) -> None:
        kept = self.examples.setdefault(one.outcome, [])
        if len(kept) < EXAMPLES_KEPT:
            kept.append(f"{one.rule}: {one.reason}")

    def report_awaited(self) -> None:
        """Wait for what is being made small."""
        awaited, self._awaited = self._awaited, []
        for finding in awaited:
            self._report(finding())

    def _report(self, finding: FuzzFinding | None) -> None:
        """Keep it, unless it is known or has the parts of another one and more; what it makes redundant goes."""
        if finding is None:
            return
        parts = finding.features
        for known in self.known:
            if known.rule == finding.rule and known.features <= parts:
                known.seen += 1
                return
        if not any(other.is_like(finding) for other in self.findings):
            self.findings = [other for other in self.findings if not finding.is_like(other)]
            self.findings.append(finding)

    def to_json(self) -> dict[str, object]:
        """The promised document, and how it came about."""
        names = ("fired", "proved", "agreed", "refuted", "unreadable")
        return {
            "optimizer": self.subject.name,
            "version": self.subject.version,
            "rules": {rule: {name: counts[name] for name in names} for rule, counts in self.tally.items()},
            "findings": [finding.to_json() for finding in self.findings],
            "unknown": self.unknown,
            "unconfirmed": sum(counts[Outcome.UNCONFIRMED] for counts in self.tally.values()),
            "examples": {str(outcome): texts for outcome, texts in self.examples.items()},
            "known": [{"rule": one.rule, "query": one.query, "seen": one.seen} for one in self.known],
            "queries": self.number,
            "seed": self.seed,
        }


def _is_power_of_two(number: int) -> bool:
    return number & (number - 1) == 0
