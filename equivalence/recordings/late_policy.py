"""What an engine does with rows that come late, as a stated policy.

A late row is a row with a shorter validity, not a missing row: an engine that drops it pane by pane still counts it in
the panes that are open when it arrives.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, get_args

from equivalence.query_files.query_over_files import QueryOverFiles
from equivalence.query_files.stream_files import raw_sources
from semantics import SnapeqError
from semantics.sql.units import TimeUnit, converted, unit_named

LateRule = Literal["drop-pane", "drop-row", "drop-bin", "drop-key", "update", "keep"]
RULES: Final[tuple[LateRule, ...]] = get_args(LateRule)
SessionRule = Literal["open", "alone", "ended"]
"""Which row is too late for a session window: one that no open session takes and whose own session has ended; one whose
own session has ended, whatever is open; or one whose session has ended together with sessions that ended before."""
DAY: Final = 86_400_000


@dataclass(frozen=True)
class EnginePolicy:
    """What an engine does by default."""

    late: LateRule
    sentence: str
    closes_early: bool = False
    """Is a pane closed when the watermark reaches its last millisecond, and not only its end?"""
    delay: int | None = None
    """The milliseconds by which the watermark lags behind, if the engine has a default."""
    by_batch: bool = False
    """Does the watermark advance only between micro-batches?"""
    input_closes_all: bool = True
    """Are all panes given out when the input ends?"""
    sessions: SessionRule = "open"


POLICIES: Final[dict[str, EnginePolicy]] = {
    "flink": EnginePolicy("drop-pane", "a pane is closed if its end - 1 ms <= watermark", closes_early=True),
    "flink-over": EnginePolicy("drop-key", "a row is lost if its key has been at its time or later, by the watermark"),
    "spark": EnginePolicy(
        "drop-pane",
        "a pane is closed if its end <= the watermark of the previous micro-batch; open panes are not given out",
        by_batch=True,
        input_closes_all=False,
        sessions="alone",
    ),
    "ksqldb": EnginePolicy(
        "drop-pane", "a window is closed if its end + grace (24 h) <= stream time", delay=DAY, sessions="ended"
    ),
    "ksqldb-final": EnginePolicy(
        "drop-pane",
        "as ksqldb, with EMIT FINAL: windows that stream time leaves open are not given out",
        delay=DAY,
        input_closes_all=False,
        sessions="ended",
    ),
    "arroyo": EnginePolicy("drop-bin", "a row is lost if its slide's bin has ended by the watermark"),
    "risingwave": EnginePolicy("drop-row", "a row is lost if it is before the watermark"),
    "feldera": EnginePolicy("drop-row", "a row is lost if it is before the watermark"),
}


@dataclass(frozen=True)
class Watermark:
    """The largest `column` so far minus a delay, in the query's unit; it counts from the next row on.

    A column that is not the stream's time holds the watermark itself: it counts from its own row on.
    """

    column: str
    delay: int = 0


@dataclass(frozen=True)
class Lateness:
    """A policy, and the watermarks of the streams that it is about."""

    late: LateRule
    watermarks: Mapping[str, Watermark] = field(default_factory=dict)
    closes_early: bool = False
    batch: str | None = None
    """The column with the number of a row's micro-batch; None if every row is one."""
    input_closes_all: bool = True
    sessions: SessionRule = "open"

    def __str__(self) -> str:
        delays = [f"{name}: {w.column} - {w.delay}" for name, w in self.watermarks.items()]
        return f"late rows: {self.late}" + (f" (watermarks {', '.join(delays)})" if delays else "")


ONE_BATCH: Final = "one"
EACH_ROW: Final = "each"


def lateness_of(
    query: QueryOverFiles, policy: str | None, late: str | None, watermarks: Sequence[str], batch: str | None
) -> Lateness | None:
    """The policy that options describe; None if they say nothing about late rows."""
    if policy is None and late is None and not watermarks and batch is None:
        return None
    preset = None if policy is None else _named(policy)
    rule = _rule(late) if late is not None else None if preset is None else preset.late
    if rule is None:
        raise SnapeqError(
            f"--watermark: what becomes of late rows? expected --late {'|'.join(RULES)} or --policy ENGINE"
        )
    found = _watermarks(query, watermarks, None if preset is None else preset.delay)
    if not found and rule not in ("keep", "update"):
        raise SnapeqError(f"--late {rule}: what is late? expected --watermark 'ts - 5 SECONDS', with the stream's time")
    if preset is not None and preset.by_batch and batch is None:
        wanted = f"--batch NAME, the column with a row's micro-batch; or {ONE_BATCH} or {EACH_ROW}"
        raise SnapeqError(f"--policy {policy}: the watermark advances between micro-batches; expected {wanted}")
    return Lateness(
        rule,
        found,
        preset is not None and preset.closes_early and unit_of(query) is TimeUnit.MILLISECOND,
        None if batch == EACH_ROW else batch,
        preset is None or preset.input_closes_all,
        "open" if preset is None else preset.sessions,
    )


def unit_of(query: QueryOverFiles) -> TimeUnit:
    return TimeUnit.SECOND if query.catalogue is None else query.catalogue.unit


def _named(policy: str) -> EnginePolicy:
    if policy not in POLICIES:
        raise SnapeqError(f"--policy {policy}: expected one of: {', '.join(POLICIES)}")
    return POLICIES[policy]


def _rule(late: str) -> LateRule:
    found = next((rule for rule in RULES if rule == late), None)
    if found is None:
        raise SnapeqError(f"--late {late}: expected one of: {', '.join(RULES)}")
    return found


def _watermarks(query: QueryOverFiles, texts: Sequence[str], delay: int | None) -> dict[str, Watermark]:
    """For each raw stream: as it is given, or with the delay that is usual for the engine."""
    raw = sorted(raw_sources(query))
    found: dict[str, Watermark] = {}
    for text in texts:
        name, equals, expression = text.partition("=")
        streams = [name.strip()] if equals else raw
        wrong = [stream for stream in streams if stream not in raw]
        if wrong or not streams:
            raise SnapeqError(f"--watermark {text}: expected a stream ORDERED BY a time: {', '.join(raw) or 'none'}")
        found |= {stream: watermark(expression if equals else text, query) for stream in streams}
    if not texts and delay is not None:
        exact = converted(delay, TimeUnit.MILLISECOND, unit_of(query)) or 0
        found = {name: Watermark(_time_of(query, name), exact) for name in raw}
    return found


def _time_of(query: QueryOverFiles, name: str) -> str:
    declared = query.declaration(name)
    assert declared is not None
    assert declared.ordered is not None
    return declared.ordered


_EXPRESSION: Final = re.compile(
    r"\s*(?P<column>\w+)\s*(?:[-−]\s*(?:INTERVAL\s*)?'?(?P<number>\d+)'?\s*(?P<unit>[A-Za-z]+)?\s*)?", re.I
)


def watermark(text: str, query: QueryOverFiles) -> Watermark:
    """A column, perhaps minus a duration: `ts - 5 SECONDS`, `ts - INTERVAL '5' SECOND`, or `ts - 5` units."""
    found = _EXPRESSION.fullmatch(text)
    if found is None:
        raise SnapeqError(f"--watermark {text}: expected a column, perhaps minus a duration, as in 'ts - 5 SECONDS'")
    number, name, unit = int(found["number"] or 0), found["unit"], unit_of(query)
    if name is None:
        return Watermark(found["column"], number)
    given = unit_named(name)
    delay = None if given is None else converted(number, given, unit)
    if delay is None:
        raise SnapeqError(f"--watermark {text}: {number} {name} is no whole number of the query's unit, {unit}")
    return Watermark(found["column"], delay)
