"""Deviations of what is written: panes that are doubled or never come, retractions that are lost."""

from bisect import bisect_left
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Final

from equivalence.deviations.deviation import Clue, Deviation, Parameter, Values, once
from equivalence.deviations.judged_counts import clipped
from equivalence.deviations.odd_operators import loosened
from equivalence.deviations.situation import OutputChange, Situation
from equivalence.recordings.output_key import output_key
from equivalence.recordings.recording import EveryInstant, LastInstants, OneInstant
from semantics import FOREVER, Instant, Plan, Row, Timestamp, Value
from semantics.plan import Binary, Distinct
from semantics.sparse.row_steps import Counts, Steps, Totals, glued, spans

MICROSECONDS_OF_AN_HOUR: Final = 3_600_000_000


def _of_steps(change: Callable[[Steps], Steps]) -> OutputChange:
    return lambda situation, counts: {row: change(steps) for row, steps in counts.items()}


def _every_instant(situation: Situation, clue: Clue) -> Iterable[Parameter]:
    return (None,) if isinstance(situation.judged, EveryInstant) else ()


def _panes(situation: Situation, clue: Clue) -> Iterable[Parameter]:
    return (None,) if isinstance(situation.judged, LastInstants) else ()


def _doubled(steps: Steps) -> Steps:
    return [(t, 2 * n) for t, n in steps]


def _as_set(situation: Situation, value: Parameter) -> Situation:
    return replace(situation, plan=Distinct(situation.plan))


def _bags(situation: Situation, clue: Clue) -> Iterable[Parameter]:
    """Rows with a key are a set already."""
    return (None,) if key_columns(situation.plan) is None else ()


def _never_retracted(steps: Steps) -> Steps:
    """Only additions count."""
    total, before, summed = 0, 0, []
    for t, n in steps:
        total += max(n - before, 0)
        before = n
        summed.append((t, total))
    return glued(summed)


def _lingering(steps: Steps) -> Steps:
    """What goes stays one instant longer."""
    totals = Totals(steps)
    times = sorted({t for t, _ in steps} | {t + 1 for t, _ in steps})
    return glued((t, max(totals.at(t), totals.at(t - 1))) for t in times)


def _without_null_rows(situation: Situation, counts: Counts) -> Counts:
    return {row: steps for row, steps in counts.items() if None not in row}


def _labelled_inclusively(situation: Situation, counts: Counts) -> Counts:
    """Where a query gives out the end of its windows, its own column says the same as the label."""
    ends = _columns_with_ends(situation, counts)
    return {
        tuple([_one_less(situation, value) if i in ends else value for i, value in enumerate(row)]): [
            (t - 1, n) for t, n in steps if t
        ]
        for row, steps in counts.items()
    }


def _columns_with_ends(situation: Situation, counts: Counts) -> set[int]:
    """The columns that hold the end of its pane in every row."""
    found = set(range(len(situation.plan.schema)))
    for row, steps in counts.items():
        for t, n in steps:
            found -= {i for i in found if n and not _is_instant(situation, row[i], t + 1)}
    return found


def _is_instant(situation: Situation, value: Value, t: Instant) -> bool:
    return type(value) in (int, Timestamp) and value == t * _units_of_an_instant(situation, value)


def _one_less(situation: Situation, value: Value) -> Value:
    assert isinstance(value, int)
    return type(value)(value - _units_of_an_instant(situation, value))


def _units_of_an_instant(situation: Situation, value: Value) -> int:
    """How many of what a value counts are one instant: a TIMESTAMP has microseconds, a number counts instants."""
    return MICROSECONDS_OF_AN_HOUR // situation.ticks_per_hour if isinstance(value, Timestamp) else 1


def _last_ends(situation: Situation, clue: Clue) -> Iterable[Parameter]:
    """Where an output may stop: with the last row, or where this one does."""
    if isinstance(situation.judged, OneInstant) or not situation.times:
        return ()
    last = situation.times[-1]
    seen = [] if clue.last_claim is None else [clue.last_claim + 1]
    return dict.fromkeys([*seen, last, last + 1])


def _slower_ends(situation: Situation, clue: Clue) -> Iterable[Parameter]:
    """Where the input that ends first has ended, if there are several."""
    ends = [max(a.time for a in given.arrivals) for given in situation.inputs.values() if given.arrivals]
    return (min(ends), min(ends) + 1) if len(ends) > 1 and min(ends) < max(ends) else ()


def _stopped(situation: Situation, end: Parameter) -> Situation:
    assert isinstance(end, int)
    return situation.with_output(lambda now, counts: clipped(counts, 0, end))


def _first_full(situation: Situation, clue: Clue) -> Iterable[Parameter]:
    sizes = [w.size for w in map(loosened, situation.plan.walk()) if w is not None and w.size not in (1, FOREVER)]
    times = situation.times
    return dict.fromkeys(times[0] + int(size) - 1 for size in sizes) if times else ()


def _started(situation: Situation, start: Parameter) -> Situation:
    assert isinstance(start, int)
    return situation.with_output(lambda now, counts: clipped(counts, start, FOREVER))


def key_columns(plan: Plan) -> tuple[int, ...] | None:
    """The output columns that identify a row in every snapshot; None if there is no such key."""
    names = output_key(plan)
    return None if names is None else tuple(plan.schema.names.index(name) for name in names)


def _keyed(situation: Situation, clue: Clue) -> Iterable[Parameter]:
    keyed = key_columns(situation.plan) is not None and isinstance(situation.judged, EveryInstant)
    return (None,) if keyed else ()


def _deleting(situation: Situation, clue: Clue) -> Iterable[Parameter]:
    """Only if rows also go by themselves: a key of a window without an end always has a row, and only updates."""
    windows = [window for window in map(loosened, situation.plan.walk()) if window is not None]
    only_updates = key_columns(situation.plan) is not None and windows and all(w.size == FOREVER for w in windows)
    return () if only_updates else _every_instant(situation, clue)


def _keyed_and_deleting(situation: Situation, clue: Clue) -> Iterable[Parameter]:
    return _keyed(situation, clue) if list(_deleting(situation, clue)) else ()


def _kept_until_replaced(situation: Situation, counts: Counts) -> Counts:
    """A key that goes keeps its last row until it has another one."""
    keys = key_columns(situation.plan) or ()
    comes: dict[Row, list[Instant]] = {}
    for row, steps in counts.items():
        comes.setdefault(tuple(row[i] for i in keys), []).extend(valid.start for valid, _ in spans(steps, FOREVER))
    for instants in comes.values():
        instants.sort()
    kept = {row: _until_next(steps, comes[tuple(row[i] for i in keys)]) for row, steps in counts.items()}
    return clipped(kept, 0, situation.judged.horizon) if isinstance(situation.judged, EveryInstant) else kept


def _until_next(steps: Steps, instants: list[Instant]) -> Steps:
    """Each time that a row is there, until the next of these instants at or after its end."""
    changes: list[tuple[Instant, int]] = []
    for valid, n in spans(steps, FOREVER):
        following = bisect_left(instants, valid.end)
        changes.append((valid.start, n))
        changes += [(instants[following], 0)] if following < len(instants) else []
    return glued(dict(sorted(changes, key=lambda change: (change[0], change[1]))).items())


def _updates(situation: Situation, counts: Counts) -> set[tuple[Instant, Row]]:
    """When a key gets another row while it has one: the instant and the key."""
    keys = key_columns(situation.plan) or ()
    gone: set[tuple[Instant, Row]] = set()
    come: set[tuple[Instant, Row]] = set()
    for row, steps in counts.items():
        key, before = tuple(row[i] for i in keys), 0
        for t, n in steps:
            (come if n > before else gone).add((t, key))
            before = n
    return come & gone


def _per_update(situation: Situation, counts: Counts, added: int, removed: int) -> Counts:
    """Every update adds and removes so many copies; what comes or goes alone is right."""
    keys, updates = key_columns(situation.plan) or (), _updates(situation, counts)
    changed = {}
    for row, steps in counts.items():
        key, before, total, made = tuple(row[i] for i in keys), 0, 0, []
        for t, n in steps:
            times = 1 if (t, key) not in updates else added if n > before else removed
            total, before = max(total + times * (n - before), 0), n
            made.append((t, total))
        changed[row] = glued(made)
    return changed


def _output(name: str, sentence: str, knob: str, values: Values, change: OutputChange, **more: Any) -> Deviation:
    return Deviation(
        name,
        sentence,
        knob,
        "output",
        "at the sink",
        values,
        lambda s, _: s.with_output(change),
        **more,
    )


OUTPUTS: Final[tuple[Deviation, ...]] = (
    _output("duplicate panes", "every row is written twice", "copies", once, _of_steps(_doubled), synonyms=("panes fired twice", "at least once")),
    Deviation("output is a set", "equal rows of the output count once", "copies", "output", "at the sink", _bags, _as_set, synonyms=("bag collapsed to set", "upsert by all columns")),
    _output("retraction lost", "rows that go are never taken back", "retractions", _deleting, _of_steps(_never_retracted), locality="prefix", synonyms=("deletes ignored", "append-only sink")),
    _output("upsert read as append", "a new value of a key does not replace the old one", "retractions", _keyed, lambda s, c: _per_update(s, c, 1, 0), locality="prefix", synonyms=("-U ignored", "updates appended")),
    _output("update applied twice", "a new value of a key is added twice, the old one taken back once", "retractions", _keyed, lambda s, c: _per_update(s, c, 2, 1), locality="prefix", synonyms=("+U applied twice",)),
    _output("deletions not written", "a key that goes keeps its last row until it comes back", "retractions", _keyed_and_deleting, _kept_until_replaced, locality="prefix", synonyms=("tombstones missing", "stale keys in an upsert sink")),
    _output("retraction one instant late", "what goes is there one instant too long", "retractions", _every_instant, _of_steps(_lingering), synonyms=("delete after insert",)),
    _output("rows with NULL not written", "output rows with a NULL are lost", "NULL output", once, _without_null_rows),
    _output("pane end written inclusive", "the end of a pane is written as its last instant", "label", _panes, _labelled_inclusively, synonyms=("end label off by one",)),
    Deviation("last panes never emitted", "nothing is written for instants from {} on", "end of output", "output", "at the sink", _last_ends, _stopped, parameter="instant", locality="whole", synonyms=("no flush at the end", "watermark never reaches the end")),
    Deviation("held by the slower input", "nothing is written beyond the end of the input that ends first ({})", "end of output", "output", "at the watermark", _slower_ends, _stopped, (Binary,), parameter="instant", locality="whole", bits=-1.0, synonyms=("one input's watermark holds the other", "idle source"), of_data=True),
    Deviation("first windows missing", "nothing is written before the first window is full ({})", "start of output", "output", "at the window", _first_full, _started, parameter="instant", locality="whole", synonyms=("waits until full",)),
)  # fmt: skip
