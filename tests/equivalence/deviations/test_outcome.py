"""oracle: what situations show, against the definitions of the reference."""

from collections.abc import Iterator

import pytest

from equivalence.cases.choices import SeededChoices
from equivalence.cases.random_cases import choose_case
from equivalence.cases.random_plans import choose_plan
from equivalence.deviations.judged_counts import clipped, sampled
from equivalence.deviations.local_faults import rows_at
from equivalence.deviations.odd_operators import LooseWindow, odd
from equivalence.deviations.outcome import Outcomes, outcome
from equivalence.deviations.situation import Arrival, Input, Situation, situation_of, with_watermarks
from equivalence.recordings.recording import EveryInstant, LastInstants
from semantics import Interval, Multiset, Plan, RawStream, Schema, SnapeqError, evaluate, parse, parse_plan
from semantics.sparse.row_steps import Counts

HORIZON = 12


def shown(counts: Counts, t: int) -> Multiset:
    return Multiset(rows_at(counts, t))


def random_situations(number: int) -> Iterator[Situation]:
    for seed in range(number):
        choices = SeededChoices(f"outcome-{seed}")
        plan = choose_plan(choices, depth=2, awkward=False)
        yield situation_of(plan, choose_case(choices, plan.sources(), awkward=False), EveryInstant(HORIZON))


def test_oracle_a_situation_shows_what_its_plan_means() -> None:
    compared = 0
    for situation in random_situations(60):
        streams = {name: given.stream() for name, given in situation.inputs.items()}
        try:
            right, ours = evaluate(situation.plan, streams, HORIZON), Outcomes(exact=True).of(situation)
        except SnapeqError:
            continue
        compared += 1
        assert all(shown(ours, t) == right.at(t) for t in range(HORIZON))
    assert compared > 40


@pytest.mark.parametrize(("size", "slide", "ahead", "phase"), [(4, 1, 1, 0), (3, 1, 0, 0), (6, 3, 0, 2), (5, 4, 2, 1)])
def test_oracle_a_loose_window_holds_the_rows_of_its_definition(size: int, slide: int, ahead: int, phase: int) -> None:
    source = parse_plan("S(x int)")
    stream = parse("raw(x int): (0)@0 (1)@1 (5)@5 (6)@6 (6)@6 (11)@11")
    window = odd(LooseWindow(source, size, slide, ahead, phase))
    ours = outcome(situation_of(window, {"S": stream}, EveryInstant(20)))
    for t in range(20):
        boundary = slide * ((t - phase) // slide) + phase
        wanted = Multiset(row for row, at in stream.elements if boundary - size < at <= boundary + ahead)
        assert shown(ours, t) == wanted


def test_oracle_panes_are_the_snapshots_at_their_last_instants() -> None:
    plan = parse_plan("S(x int) | window(range 4) | group(x; count(*) as n)")
    stream = parse("raw(x int): (1)@0 (1)@3 (2)@4 (2)@4 (1)@9")
    panes = outcome(situation_of(plan, {"S": stream}, LastInstants(2, 1, 12)))
    right = evaluate(plan, {"S": stream}, 12)
    for t in range(12):
        assert shown(panes, t) == (right.at(t) if (t + 1 - 1) % 2 == 0 else Multiset())


def late(lateness: str, closes_early: bool = False) -> Counts:
    """Three rows of panes of 4: the last one comes when the watermark is at 5."""
    arrivals = with_watermarks([Arrival((i,), Interval(t, t + 1)) for i, t in enumerate((1, 7, 3))], 2)
    situation = Situation(
        parse_plan("S(x int) | window(range 4)"),
        {"S": Input(Schema.of(x=int), arrivals)},
        LastInstants(2, 0, 12),
        lateness,  # type: ignore[arg-type]
        closes_early,
    )
    return outcome(situation)


def test_a_late_row_has_a_shorter_validity() -> None:
    assert late("keep")[(2,)] == [(3, 1), (4, 0), (5, 1), (6, 0)]
    assert late("pane")[(2,)] == [(5, 1), (6, 0)]
    assert (2,) not in late("pane", closes_early=True)
    assert (2,) not in late("row")
    assert (2,) not in late("bin")
    assert late("key") == late("keep"), "no other row has its key"


def test_clipping_keeps_what_is_inside() -> None:
    counts: Counts = {(1,): [(2, 1), (5, 3), (9, 0)], (2,): [(0, 1), (3, 0)]}
    assert clipped(counts, 4, 7) == {(1,): [(4, 1), (5, 3), (7, 0)]}
    assert sampled(counts, LastInstants(3, 0, 9)) == {
        (1,): [(2, 1), (3, 0), (5, 3), (6, 0), (8, 3), (9, 0)],
        (2,): [(2, 1), (3, 0)],
    }


def test_plans_over_the_same_rows_share_their_inputs() -> None:
    plans: list[Plan] = [parse_plan(f"S(x int) | window(range {n})") for n in (2, 3)]
    first = situation_of(plans[0], {"S": RawStream(Schema.of(x=int), [((1,), 0)])}, EveryInstant(9))
    outcomes = Outcomes()
    shares = [outcomes.of(Situation(plan, first.inputs, first.judged)) for plan in plans]
    assert [steps[-1][0] for counts in shares for steps in counts.values()] == [2, 3]


def test_what_asks_for_now_is_looked_at_where_it_is_judged() -> None:
    """An hour has 3,600,000 instants, and only the last one of each is judged."""
    hour = 3_600_000
    panes = f"S(x int) | window(range {hour}) | filter((now + 1) mod {hour} <= 0)"
    plan = parse_plan(f"{panes} | map(x as x, now + 1 as e)")
    rows = parse(f"raw(x int): (5)@3 (6)@{hour}")
    judged = LastInstants(hour, horizon=3 * hour)
    first, second = (5, hour), (6, 2 * hour)
    assert outcome(situation_of(plan, {"S": rows}, judged)) == {
        first: [(hour - 1, 1), (hour, 0)],
        second: [(2 * hour - 1, 1), (2 * hour, 0)],
    }
