"""Times that no one can enumerate; every result is worked out by hand."""

import pytest

from semantics import (
    FOREVER,
    Interval,
    IntervalStream,
    Multiset,
    RawStream,
    Schema,
    SparseStream,
    StreamError,
    TooManyChanges,
    count,
    evaluate,
    evaluate_sparse,
    lag,
    lead,
    source,
    sum_,
)
from semantics.evaluate import Planned
from semantics.sparse import SparseEvaluation, first_difference
from semantics.time import End

DAY = 86_400_000
HOUR = DAY // 24
FAR = 2**62
S = source("S", x=int)
PAIRS = source("P", k=int, x=int)
Spans = list[tuple[object, int, End, int]]


def raw(*elements: tuple[int, int]) -> RawStream:
    return RawStream(S.schema, [((x,), t) for x, t in elements])


def lasting(*elements: tuple[int, int, End]) -> IntervalStream:
    return IntervalStream(S.schema, [((x,), Interval(start, end)) for x, start, end in elements])


def spans(query: Planned, stream: RawStream | IntervalStream, horizon: End = FOREVER) -> Spans:
    """Rows of one column, from when to when, how often."""
    result = evaluate_sparse(query, {query_source(stream): stream}, horizon)
    return [(row[0] if len(row) == 1 else row, interval.start, interval.end, n) for row, interval, n in result.runs]


def query_source(stream: RawStream | IntervalStream) -> str:
    return "S" if stream.schema == S.schema else "P"


# Time windows ------------------------------------------------------------------------------------------------


def test_thirty_days_in_milliseconds() -> None:
    monthly = S.window(30 * DAY).aggregate(n=count(), total=sum_("x"))
    assert spans(monthly, raw((5, 0), (7, 10 * DAY), (9, 100 * DAY))) == [
        ((1, 5), 0, 10 * DAY, 1),
        ((2, 12), 10 * DAY, 30 * DAY, 1),
        ((1, 7), 30 * DAY, 40 * DAY, 1),
        ((1, 9), 100 * DAY, 130 * DAY, 1),
    ]


def test_nothing_is_lost_near_the_largest_times() -> None:
    """2⁶² + 1 has no double: a time that passed through one would come out as another."""
    assert spans(S.window(3), raw((5, FAR - 1), (7, FAR + 1))) == [(5, FAR - 1, FAR + 2, 1), (7, FAR + 1, FAR + 4, 1)]
    assert spans(S.window(FOREVER), raw((5, FAR + 1))) == [(5, FAR + 1, FOREVER, 1)]
    assert spans(S.window(FAR), raw((5, FAR + 1))) == [(5, FAR + 1, 2 * FAR + 1, 1)]


def test_a_week_that_slides_by_a_day() -> None:
    """A row of 10:00 on day 3 is shown from the next midnight on, until the first one that is a week later."""
    assert spans(S.window(7 * DAY, slide=DAY), raw((5, 3 * DAY + 10 * HOUR))) == [(5, 4 * DAY, 11 * DAY, 1)]
    assert spans(S.window(7 * DAY, slide=DAY), raw((5, 3 * DAY))) == [(5, 3 * DAY, 10 * DAY, 1)]


def test_a_sample_once_a_day_misses_what_is_not_there_at_midnight() -> None:
    assert spans(S.window(HOUR, slide=DAY), raw((5, 10 * HOUR), (7, 2 * DAY - 1))) == [(7, 2 * DAY, 3 * DAY, 1)]


def test_over_a_row_that_lasts_the_count_ramps_up_and_down() -> None:
    assert spans(S.window(3), lasting((5, 10, FAR))) == [
        (5, 10, 11, 1),
        (5, 11, 12, 2),
        (5, 12, FAR, 3),
        (5, FAR, FAR + 1, 2),
        (5, FAR + 1, FAR + 2, 1),
    ]


def test_over_a_row_that_lasts_a_long_slide_takes_few_steps() -> None:
    """At midnight of day 1 the last hour was there at all its instants; after day 2 nothing is."""
    assert spans(S.window(HOUR, slide=DAY), lasting((5, 7, DAY + 3))) == [(5, DAY, 2 * DAY, HOUR)]


def test_a_window_over_a_window_adds_up() -> None:
    """At 0 … 3 the inner window holds the row, so the outer one of two instants holds it once, then twice."""
    assert spans(S.window(4).window(2), raw((5, 0))) == [(5, 0, 1, 1), (5, 1, 4, 2), (5, 4, 5, 1)]


# Count windows -----------------------------------------------------------------------------------------------


def test_rows_that_are_far_apart() -> None:
    assert spans(S.rows(2), raw((5, 0), (7, 30 * DAY), (9, FAR))) == [
        (5, 0, FAR, 1),
        (7, 30 * DAY, FOREVER, 1),
        (9, FAR, FOREVER, 1),
    ]


def test_every_second_row_renews_the_window() -> None:
    assert spans(S.rows(1, slide=2), raw((5, 0), (7, DAY), (8, 2 * DAY), (9, FAR))) == [
        (7, DAY, FAR, 1),
        (9, FAR, FOREVER, 1),
    ]


def test_ties_leave_together() -> None:
    assert spans(S.rows(1, ties=True), raw((5, DAY), (7, DAY), (9, FAR))) == [
        (5, DAY, FAR, 1),
        (7, DAY, FAR, 1),
        (9, FAR, FOREVER, 1),
    ]


def test_a_row_that_lasts_fills_the_window_with_itself() -> None:
    for end in (FAR, FOREVER):
        assert spans(S.rows(3), lasting((5, 10, end))) == [(5, 10, 11, 1), (5, 11, 12, 2), (5, 12, FOREVER, 3)]


def test_a_row_that_lasts_pushes_out_what_was_before_and_gives_way_to_what_comes() -> None:
    assert spans(S.rows(2), lasting((9, 0, 1), (5, DAY, FAR), (7, FAR + DAY, FAR + DAY + 1))) == [
        (9, 0, DAY + 1, 1),
        (5, DAY, DAY + 1, 1),
        (5, DAY + 1, FAR + DAY, 2),
        (5, FAR + DAY, FOREVER, 1),
        (7, FAR + DAY, FOREVER, 1),
    ]


def test_each_group_has_its_own_rows() -> None:
    stream = RawStream(PAIRS.schema, [((1, 5), 0), ((2, 6), DAY), ((1, 7), FAR)])
    assert spans(PAIRS.rows(1, by=("k",)), stream) == [
        ((1, 5), 0, FAR, 1),
        ((2, 6), DAY, FOREVER, 1),
        ((1, 7), FAR, FOREVER, 1),
    ]


# Landmarks, and what comes and goes --------------------------------------------------------------------------


def test_a_landmark_every_midnight() -> None:
    assert spans(S.landmark(0, reset=DAY), raw((5, 3 * DAY + HOUR), (5, 3 * DAY + 2 * HOUR), (7, 9 * DAY))) == [
        (5, 3 * DAY + HOUR, 3 * DAY + 2 * HOUR, 1),
        (5, 3 * DAY + 2 * HOUR, 4 * DAY, 2),
        (7, 9 * DAY, 10 * DAY, 1),
    ]


def test_before_the_first_landmark_there_is_nothing() -> None:
    assert spans(S.landmark(FAR), raw((5, 0), (7, FAR), (9, FAR + DAY))) == [
        (7, FAR, FOREVER, 1),
        (9, FAR + DAY, FOREVER, 1),
    ]


def test_with_a_landmark_at_every_instant_a_row_that_lasts_counts_once() -> None:
    assert spans(S.landmark(DAY, reset=1), lasting((5, 0, FAR), (7, 2 * DAY, FOREVER))) == [
        (5, DAY, FAR, 1),
        (7, 2 * DAY, FOREVER, 1),
    ]


def test_a_row_leaves_when_its_window_ends() -> None:
    assert spans(S.window(30 * DAY).dstream(), raw((5, 7), (9, FAR))) == [
        (5, 7 + 30 * DAY, 8 + 30 * DAY, 1),
        (9, FAR + 30 * DAY, FAR + 30 * DAY + 1, 1),
    ]
    assert spans(S.window(30 * DAY).istream(), raw((5, 7))) == [(5, 7, 8, 1)]


def test_rstream_and_silence() -> None:
    assert spans(S.window(DAY).rstream(), raw((5, FAR))) == [(5, FAR, FAR + DAY, 1)]
    assert spans(S.window(DAY).aggregate(on_empty=True, n=count()), raw((5, FAR))) == [
        (0, 0, FAR, 1),
        (1, FAR, FAR + DAY, 1),
        (0, FAR + DAY, FOREVER, 1),
    ]


# Horizons and limits -----------------------------------------------------------------------------------------


def test_a_horizon_cuts_and_is_final() -> None:
    assert spans(S.window(30 * DAY), raw((5, 0), (7, 20 * DAY)), 20 * DAY) == [(5, 0, 20 * DAY, 1)]
    assert spans(S, raw((5, 0)), 0) == []
    assert spans(S.window(FOREVER), lasting((5, 10, FOREVER)), 12) == [(5, 10, 11, 1), (5, 11, 12, 2)]


WHY = ", since over a row that lasts every instant counts by itself"
REMEDY = "expected at most 1,000,000: take a nearer horizon or a higher limit"


@pytest.mark.parametrize(
    ("query", "stream", "message"),
    [
        (
            S.window(30 * DAY),
            lasting((5, 0, FOREVER)),
            f"TimeWindow(size=2592000000, slide=1) brings the plan to 2,592,000,000 changes or more{WHY}; {REMEDY}",
        ),
        (
            S.window(FOREVER),
            lasting((5, 0, FOREVER)),
            f"TimeWindow(size=inf, slide=1) brings the plan to changes without end{WHY}; {REMEDY}",
        ),
        (
            S.landmark(0, reset=DAY),
            lasting((5, 0, FAR)),
            f"LandmarkWindow(start=0, reset=86400000) brings the plan to {FAR + 1:,} changes or more{WHY}; {REMEDY}",
        ),
        (
            S.rows(3, slide=3),
            lasting((5, 0, FAR), (7, 0, FAR)),
            f"CountWindow(rows=3, slide=3, ties=False) brings the plan to {FAR:,} changes or more{WHY}; {REMEDY}",
        ),
        (
            S.rows(DAY, by=("x",)),
            lasting((5, 0, FAR), (7, 0, FAR)),
            "PartitionedWindow(keys=(0,), rows=86400000, slide=1, ties=False) brings the plan to "
            f"86,400,001 changes or more{WHY}; {REMEDY}",
        ),
    ],
)
def test_what_changes_too_often_is_refused_before_it_is_made(
    query: Planned, stream: IntervalStream, message: str
) -> None:
    with pytest.raises(TooManyChanges) as refused:
        evaluate_sparse(query, {"S": stream})
    assert str(refused.value) == f"evaluate_sparse: {message}"


def test_a_limit_holds_for_every_operator() -> None:
    both = S.window(10).product(S.window(10).rename(x="y"))
    stream = raw(*((x, 0) for x in range(10)))
    assert len(evaluate_sparse(both, {"S": stream}, limit=240).runs) == 100
    with pytest.raises(TooManyChanges, match="Product brings the plan to 140 changes or more; expected at most 139"):
        evaluate_sparse(both, {"S": stream}, limit=139)


def test_ramps_up_to_the_limit_are_exact() -> None:
    result = evaluate_sparse(S.window(50_000), {"S": lasting((5, 0, FAR))})
    assert [result.at(t)[5,] for t in (0, 1, 49_999, 50_000, FAR - 1, FAR, FAR + 49_998, FAR + 49_999)] == [
        1,
        2,
        50_000,
        50_000,
        50_000,
        49_999,
        1,
        0,
    ]


def test_many_copies_are_never_listed() -> None:
    """At the first boundary the row has been there at each of a day's instants; ROWS takes 10⁹ of their square."""
    daily = S.window(FOREVER, slide=DAY)
    many = daily.product(daily.rename(x="y"))
    assert spans(many, lasting((5, 1, FAR)), 2 * DAY) == [((5, 5), DAY, 2 * DAY, DAY * DAY)]
    assert spans(many.rows(10**9), lasting((5, 1, FAR)), 2 * DAY) == [((5, 5), DAY, 2 * DAY, 10**9)]


# Streams -----------------------------------------------------------------------------------------------------


def test_streams_become_sparse_and_tell_their_changes() -> None:
    stream = SparseStream.of(lasting((5, 3, FAR), (5, 8, FAR)))
    assert list(stream.changes()) == [
        (0, Multiset()),
        (3, Multiset([(5,)])),
        (8, Multiset([(5,), (5,)])),
        (FAR, Multiset()),
    ]
    assert stream.at(FAR - 1) == Multiset({(5,): 2})
    with pytest.raises(StreamError, match=r"^at: time must be before the horizon 10, got 10$"):
        SparseStream.of(raw((5, 3)), 10).at(10)


def test_touching_elements_are_one_run() -> None:
    assert SparseStream.of(lasting((5, 3, 8), (5, 8, FAR))) == SparseStream.of(lasting((5, 3, FAR)))


def test_first_difference() -> None:
    long, short = SparseStream.of(lasting((5, 3, FAR))), SparseStream.of(lasting((5, 3, FAR - 1)))
    assert first_difference(long, long) is None
    assert first_difference(long, short) == FAR - 1
    assert first_difference(short, long) == FAR - 1
    assert first_difference(long, SparseStream.of(lasting((5, 3, FAR), (5, 7, 8)))) == 7
    assert first_difference(long, SparseStream.of(lasting((5, 4, FAR)))) == 3
    assert first_difference(long, SparseStream.of(lasting((5, 3, FOREVER)), DAY)) is None
    assert first_difference(long, SparseStream.of(lasting((5, 3, FOREVER)))) == FAR
    with pytest.raises(StreamError, match=r"^first_difference: expected streams of the same types, got x INT"):
        first_difference(long, SparseStream.of(RawStream(Schema.of(s=str))))


def test_a_logical_stream_is_known_up_to_its_horizon() -> None:
    known = evaluate(S.window(2), {"S": raw((5, 0))}, 6)
    assert evaluate_sparse(S, {"S": known}, 6).runs == (((5,), Interval(0, 2), 1),)
    with pytest.raises(StreamError, match=r"^until: the stream is known up to horizon 6, got 7$"):
        evaluate_sparse(S, {"S": known}, 7)


def test_plans_that_mean_the_same_here_are_told_from_others() -> None:
    evaluation = SparseEvaluation({"S": raw((1, 0), (7, FAR))}, FOREVER)
    assert evaluation.same(S.window(DAY).plan, S.window(DAY).distinct().plan)
    assert not evaluation.same(S.window(DAY).plan, S.window(HOUR).plan)
    assert evaluation.of(S.window(DAY)) is evaluation.of(S.window(DAY))


def test_runs_that_overlap_are_added_up() -> None:
    runs = [((1,), Interval(0, FAR), 1), ((1,), Interval(DAY, 2 * DAY), 2), ((2,), Interval(3, FOREVER), 1)]
    made = SparseStream.of_runs(S.schema, runs, horizon=FAR)
    assert set(made.runs) == {
        ((1,), Interval(0, DAY), 1),
        ((1,), Interval(DAY, 2 * DAY), 3),
        ((1,), Interval(2 * DAY, FAR), 1),
        ((2,), Interval(3, FAR), 1),
    }


def test_sessions_and_over_among_far_instants() -> None:
    """Two rows a day apart are one session if the gap is longer, and LAG finds the row of the day before."""
    stream = {"S": raw((1, FAR), (2, FAR + DAY))}
    assert set(evaluate_sparse(S.session(DAY + 1), stream).runs) == {
        ((x, FAR, FAR + 2 * DAY + 1), Interval(FAR, FAR + 2 * DAY + 1), 1) for x in (1, 2)
    }
    touching = evaluate_sparse(S.session(DAY), stream)
    assert {row[1:] for row, _, _ in touching.runs} == {(FAR, FAR + DAY), (FAR + DAY, FAR + 2 * DAY)}
    over = evaluate_sparse(S.over(before=lag("x"), after=lead("x"), near=count().over(range_=DAY - 1)), stream)
    assert set(over.runs) == {
        ((1, None, 2, 1), Interval(FAR, FAR + 1), 1),
        ((2, 1, None, 1), Interval(FAR + DAY, FAR + DAY + 1), 1),
    }
