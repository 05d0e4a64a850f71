"""Filters that sample: each row by itself, at the instants of a period that it lives through."""

from collections.abc import Callable, Iterator

from semantics.expression import Expression, holds
from semantics.now_in_expressions import now_as_column
from semantics.periods_of_now import Sampling
from semantics.plan import Filter
from semantics.sparse.budget import Instants
from semantics.sparse.row_steps import Counts, Steps, glued, spans
from semantics.time import FOREVER, End, Instant, Interval
from semantics.value import INT_MAX, Row


def sampled(node: Filter, asked: Sampling, horizon: End, spend: Callable[[End], None], counts: Counts) -> Counts:
    """σ with `MOD(now + c, s) = d`: what it costs depends on the samples that rows live through, not on instants."""
    predicate = now_as_column(node.predicate, len(node.input.schema))
    return {row: _steps(predicate, asked, horizon, spend, row, steps) for row, steps in counts.items()}


def _steps(
    predicate: Expression, asked: Sampling, horizon: End, spend: Callable[[End], None], row: Row, steps: Steps
) -> Steps:
    numbers: list[tuple[Instant, int]] = []
    for interval, n in spans(steps, horizon):
        samples = Instants(asked.period.at_or_after(interval.start), interval.end, asked.period.step)
        spend(2 * samples.number)
        for t in samples:
            numbers += [(t, n if holds(predicate, (*row, t)) else 0), (t + 1, 0)]
        for t in _looked_at(asked, row, interval):
            holds(predicate, (*row, t))  # it is FALSE, but it may fail
    return glued((t, n) for t, n in dict(numbers).items() if t < horizon)


def _looked_at(asked: Sampling, row: Row, interval: Interval) -> Iterator[Instant]:
    """Where the condition may fail between samples: what it adds to now only grows between these."""
    borders = {t for border in asked.borders for t in border.instants(row)}
    last = {int(interval.end) - 1} if interval.end != FOREVER else set()
    looked_at = borders | {t - 1 for t in borders} | {interval.start} | last
    yield from (t for t in looked_at if t in interval and t <= INT_MAX)
