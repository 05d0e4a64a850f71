"""Wrong outputs get the name of their mistake, right ones none."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from equivalence.cases.choices import SeededChoices
from equivalence.deviations.catalogue import CATALOGUE, variants_for
from equivalence.deviations.deviation import Clue, applied
from equivalence.deviations.explain import explain
from equivalence.deviations.local_faults import rows_at
from equivalence.deviations.measure import score, wrongly_named
from equivalence.deviations.outcome import Outcomes, outcome
from equivalence.deviations.plant import plant, planted_pairs, recorded
from equivalence.deviations.random_situations import choose_situation
from equivalence.deviations.situation import Arrival, Input, Situation, situation_of, with_watermarks
from equivalence.recordings.recording import EveryInstant, LastInstants
from semantics import Interval, RawStream, Row, Schema, Value, parse, parse_plan
from semantics.sparse.row_steps import Counts, Steps

ROWS = RawStream(
    Schema.of(k=int, x=int),
    [((i % 3 if i % 7 else None, i % 5 if i % 4 else None), i + i // 5) for i in range(40)],
)
PANES = situation_of(
    parse_plan("S(k int, x int) | window(range 10) | group(k; count(*) as n, sum(x) as t)"),
    {"S": ROWS},
    LastInstants(10, 0, 60),
)


def by_hand(members: Callable[[int, int], bool]) -> Counts:
    """Panes computed without the reference: which rows are in the pane that ends at e."""
    counts: Counts = {}
    for end in range(10, 61, 10):
        groups: dict[Value, list[Value]] = {}
        for (k, x), t in ROWS.elements:
            if members(t, end):
                groups.setdefault(k, []).append(x)
        for k, values in groups.items():
            known = [value for value in values if isinstance(value, int)]
            row: Row = (k, len(values), sum(known) if known else None)
            counts = {**counts, row: [*counts.get(row, []), (end - 1, 1), (end, 0)]}
    return counts


def test_a_right_output_has_no_name() -> None:
    assert explain(PANES, by_hand(lambda t, e: e - 10 <= t < e)).differences == 0


@pytest.mark.parametrize(
    ("members", "name"),
    [
        (lambda t, e: e - 10 <= t <= e, "window end inclusive"),
        (lambda t, e: e - 10 < t < e, "window start exclusive"),
        (lambda t, e: e - 11 <= t < e, "window one instant too long"),
        (lambda t, e: e - 7 <= t < e, "evicted early"),
        (lambda t, e: t < e, "never evicted"),
    ],
)
def test_boundaries_that_are_wrong_are_named(members: Callable[[int, int], bool], name: str) -> None:
    diagnosis = explain(PANES, by_hand(members))
    assert diagnosis.best is not None
    assert diagnosis.best.names == (name,)
    assert diagnosis.best.exact


def test_the_sentence_says_what_the_engine_does() -> None:
    best = explain(PANES, by_hand(lambda t, e: e - 7 <= t < e)).best
    assert best is not None
    assert best.sentence == "rows leave the window 3 instants early"
    assert best.variants[0].parameters == {"instants": 3}


def test_single_panes_are_read_off() -> None:
    right = outcome(PANES)
    gone = {row: [step for step in steps if step[0] not in (19, 20)] for row, steps in right.items()}
    best = explain(PANES, {row: steps for row, steps in gone.items() if steps}).best
    assert best is not None
    assert best.names == ("some panes missing",)
    assert "instant 19" in best.sentence


def test_a_lost_retraction_is_read_off() -> None:
    situation = replace(PANES, judged=EveryInstant(60))
    right = outcome(situation)
    row = next(row for row, steps in sorted(right.items(), key=str) if len(steps) == 2 and steps[1][0] < 40)
    best = explain(situation, {**right, row: [right[row][0], (right[row][1][0] + 9, 0)]}).best
    assert best is not None
    assert best.names == ("some retractions lost",)


def test_what_no_deviation_does_gets_no_name() -> None:
    """A bug on no list: keys are taken modulo 2, and sums are squared."""
    got: Counts = {}
    for (k, n, t), steps in outcome(PANES).items():
        row = (int(k) % 2 if isinstance(k, int) else None, n, int(t) ** 2 if isinstance(t, int) else None)
        got = {**got, row: steps} if row not in got else got
    diagnosis = explain(PANES, got)
    assert not diagnosis.exact
    assert diagnosis.nearest is None or diagnosis.nearest.explained >= diagnosis.differences / 2


def engine_with_a_cache(situation: Situation) -> Counts:
    """Another bug on no list: a group that comes back has its first count."""
    first: dict[Value, Value] = {}
    got: Counts = {}
    for row, steps in sorted(outcome(situation).items(), key=lambda item: item[1]):
        known: Row = (row[0], first.setdefault(row[0], row[1]), row[2])
        got = {**got, known: sorted([*got.get(known, []), *steps])}
    return got


def test_a_name_always_explains_half() -> None:
    diagnosis = explain(PANES, engine_with_a_cache(PANES))
    best = diagnosis.best
    assert diagnosis.differences > 0
    assert best is None or 2 * best.explained >= best.of


def test_planted_deviations_are_found() -> None:
    names = {"NULL groups dropped", "padding missing", "difference as anti-join", "ties kept", "batch boundary shown"}
    names |= {"upsert read as append", "late rows dropped per row", "duplicate panes", "one place too many"}
    chosen = [deviation for deviation in CATALOGUE if deviation.name in names]
    planted = [plant(SeededChoices(f"test-{one.name}"), (one,), 36) for one in chosen]
    found = score([one for one in planted if one is not None])
    assert found.tried == len(names)
    assert found.first + found.among == found.tried, found.wrong
    assert found.share >= 0.8


def test_two_at_once() -> None:
    found = score(planted_pairs("test", 9, 30))
    assert found.tried >= 2
    assert found.first + found.among >= found.tried - 1, found.wrong


def test_deviations_can_be_combined_whatever_the_other_one_leaves() -> None:
    """A window that never ends has no size for panes to tumble by."""
    plan = parse_plan("S(x int) | window(range 10) | aggregate(count(*) as n)")
    panes = situation_of(plan, {"S": parse("raw(x int): (1)@3 (2)@14 (3)@26")}, LastInstants(5, horizon=40))
    by_name = {one.name: one for one in variants_for(panes, Clue())}
    both = applied((by_name["never evicted"], by_name["hop as tumble"]), panes)
    assert Outcomes().of(both) == Outcomes().of(by_name["never evicted"].applied(panes))


def test_a_watermark_without_its_delay_is_named() -> None:
    rows = [Arrival((i,), Interval(t, t + 1)) for i, t in enumerate((1, 12, 8, 14, 9, 25, 18, 36, 29, 47))]
    plan = parse_plan("S(x int) | window(range 10) | aggregate(count(*) as n, sum(x) as t)")
    marked = {"S": Input(plan.sources()["S"], with_watermarks(rows, 5))}
    right = Situation(plan, marked, LastInstants(10, horizon=60), "pane")
    eager = replace(right, inputs={"S": replace(marked["S"], arrivals=with_watermarks(rows, 0))})
    best = explain(right, Outcomes().of(eager)).best
    assert best is not None
    assert best.sentence == "the watermark is 5 instants ahead, so rows are late too soon"


def test_right_outputs_are_never_named() -> None:
    assert wrongly_named("test", 40, 36) == []


def test_oracle_the_engine_records_what_the_reference_says() -> None:
    for seed in range(12):
        situation = choose_situation(SeededChoices(f"recorded-{seed}"), 30)
        assert recorded(situation) == Outcomes().of(situation)


def delivered(change: Callable[[list[tuple[Row, int]]], list[tuple[Row, int]]]) -> Counts:
    """What is made of the rows after something happened to them on their way."""
    rows = change([*ROWS.elements])
    return outcome(situation_of(PANES.plan, {"S": RawStream(ROWS.schema, rows)}, PANES.judged))


@pytest.mark.parametrize(
    ("change", "name", "sentence"),
    [
        (
            lambda rows: [row for i, row in enumerate(rows) for _ in range(2 if 12 <= i < 18 else 1)],
            "a run of rows counted twice",
            "the input S rows 13 to 18 count twice",
        ),
        (lambda rows: rows[:20] + rows[29:], "a run of rows lost", "the input S rows 21 to 29 are lost"),
        (
            lambda rows: [row for row in rows if row[0][1] != 3],
            "rows with one value lost",
            "rows with S.x = 3 are lost",
        ),
    ],
)
def test_rows_lost_or_replayed_together_are_named(
    change: Callable[[list[tuple[Row, int]]], list[tuple[Row, int]]], name: str, sentence: str
) -> None:
    best = explain(PANES, delivered(change)).best
    assert best is not None
    assert (best.names, best.sentence) == ((name,), sentence)


def test_keys_that_go_but_are_not_deleted_are_named() -> None:
    plan = parse_plan("S(k int, x int) | window(range 9) | group(k; count(*) as n) | filter(n > 1)")
    situation = situation_of(plan, {"S": ROWS}, EveryInstant(60))
    right = outcome(situation)
    kept: dict[Value, Row] = {}
    counts: dict[Row, Steps] = {}
    for t in range(60):
        before, kept = kept, kept | {row[0]: row for row in rows_at(right, t)}
        for key in [key for key in kept if before.get(key) != kept[key]]:
            counts.setdefault(kept[key], []).append((t, 1))
            if key in before:
                counts[before[key]].append((t, 0))
    for row in kept.values():
        counts[row].append((60, 0))
    best = explain(situation, counts).best
    assert best is not None
    assert best.names == ("deletions not written",)


def test_a_mean_of_integers_as_floats_is_divided_in_integers_too() -> None:
    plan = parse_plan("S(k int, x int) | window(range 10) | group(k; avg(cast(x as float)) as a)")
    situation = situation_of(plan, {"S": ROWS}, LastInstants(10, 0, 60))
    cut: dict[Row, Steps] = {}
    for (k, a), steps in outcome(situation).items():
        row: Row = (k, float(int(a)) if isinstance(a, float) else a)
        cut[row] = sorted([*cut.get(row, []), *steps])
    best = explain(situation, cut).best
    assert best is not None
    assert best.names == ("AVG by integer division",)
