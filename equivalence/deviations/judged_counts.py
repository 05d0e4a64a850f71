"""Counts at the instants that are judged, or in an interval."""

from typing import assert_never

from equivalence.recordings.recording import EveryInstant, Judged, LastInstants, OneInstant
from semantics import FOREVER, Instant
from semantics.sparse.row_steps import Counts, Steps, glued, spans, summed
from semantics.time import End


def sampled(counts: Counts, judged: Judged) -> Counts:
    """The counts at the judged instants alone, each for one instant."""
    match judged:
        case EveryInstant(horizon):
            return clipped(counts, 0, horizon)
        case LastInstants(step, offset, horizon):
            return {row: _at_ends(steps, step, offset, horizon) for row, steps in counts.items()}
        case OneInstant(at):
            return {row: _at_ends(steps, 1, 0, at + 1, at) for row, steps in counts.items()}
        case _:
            assert_never(judged)


def _at_ends(steps: Steps, step: int, offset: int, horizon: End, first: Instant = 0) -> Steps:
    if step == 1:  # every instant is judged: a session that lasts an hour is one span, not 3,600,000
        return _clipped(steps, first, horizon)
    changes: dict[Instant, int] = {}
    for interval, n in spans([(t, n) for t, n in steps if t < horizon], horizon):
        start = max(interval.start, first)
        for t in range(start + (offset - 1 - start) % step, int(min(interval.end, horizon)), step):
            changes[t] = changes.get(t, 0) + n
            changes[t + 1] = changes.get(t + 1, 0) - n
    return summed(changes, FOREVER)


def clipped(counts: Counts, first: Instant, end: End) -> Counts:
    """What is there in [first, end) only."""
    return {row: part for row, steps in counts.items() if (part := _clipped(steps, first, end))}


def _clipped(steps: Steps, first: Instant, end: End) -> Steps:
    inside = [(max(t, first), n) for t, n in steps if t < end]
    last_before = max((i for i, (t, _) in enumerate(inside) if t == first), default=0)
    clipped_steps = inside[last_before:]
    if clipped_steps and clipped_steps[-1][1] and end != FOREVER:
        clipped_steps.append((int(end), 0))
    return glued(clipped_steps)
