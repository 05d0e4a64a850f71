"""Plans that differ only at large numbers: windows, thresholds and constants of any size, with default effort."""

import json
from pathlib import Path
from types import ModuleType

import pytest

from equivalence import check_engine, check_optimizer, check_plans
from equivalence.cases.search import FREE_CASES_FIRST, CaseOutcome, search
from equivalence.rules.instances import Instance
from equivalence.sampling.sample import compare_at_all_times
from equivalence.verdicts.counterexample import Counterexample
from physical.engines.interval.engine import IntervalEngine
from semantics import Multiset, Plan, parse, parse_plan, show
from semantics.plan import TimeWindow
from tests.equivalence.command.command import snapeq

GROUPED = "S(x int) | window(range 3600) | group(x; count(*) as n)"
PAIRS = [
    ("S(x int) | window(range 600)", "S(x int) | window(range 601)"),
    ("S(x int) | window(range 600)", "S(x int) | window(range 3600)"),
    ("S(x int) | window(range 12)", "S(x int) | window(range 13)"),
    ("S(x int) | window(range 600 slide 60)", "S(x int) | window(range 600 slide 61)"),
    ("S(x int) | window(range 600 slide 60)", "S(x int) | window(range 601 slide 60)"),
    ("S(x int) | window(landmark 0 reset 3600)", "S(x int) | window(landmark 0 reset 3601)"),
    ("S(x int) | window(landmark 86400)", "S(x int) | window(landmark 86401)"),
    ("S(x int) | window(rows 50)", "S(x int) | window(rows 51)"),
    ("S(x int) | window(rows 1000)", "S(x int) | window(rows 1001)"),
    ("S(x int) | window(range 2592000000) | distinct", "S(x int) | window(range 2592000001) | distinct"),
    ("S(x int) | window(range 4611686018427387904)", "S(x int) | window(range 4611686018427387903)"),
    ("S(e int) | filter(e > 50)", "S(e int) | filter(e > 500)"),
    ("S(e int)", "S(e int) | filter(e <> 29 or e is null)"),
    ("S(e int) | filter(e * 3 > 10000)", "S(e int) | filter(e * 3 > 10003)"),
    ("S(e float) | filter(e * 3 > 10000)", "S(e float) | filter(e * 3 > 10001)"),
    ("S(e int) | filter(e mod 100 = 37)", "S(e int) | filter(e mod 100 = 38)"),
    ("S(s str) | filter(s like 'error%')", "S(s str) | filter(s like 'errors%')"),
    ("S(e int) | filter(e in (100, 200, 300))", "S(e int) | filter(e in (100, 200, 301))"),
    (f"{GROUPED} | filter(n >= 50)", f"{GROUPED} | filter(n >= 51)"),
    (
        "S(x int) | window(range 60) | aggregate(count(distinct x) as n) | filter(n > 20)",
        "S(x int) | window(range 60) | aggregate(count(distinct x) as n) | filter(n > 21)",
    ),
    (
        "S(x int) | aggregate(sum(x) as s) | filter(s > 100000)",
        "S(x int) | aggregate(sum(x) as s) | filter(s > 100001)",
    ),
]


@pytest.mark.parametrize(("left", "right"), PAIRS)
def test_large_numbers_are_told_apart(left: str, right: str) -> None:
    verdict = check_plans(parse_plan(left), parse_plan(right))
    assert verdict.kind == "refuted"


SMALLEST = [
    (*PAIRS[0], "raw(x int): (0)@0", 600),
    (*PAIRS[6], "raw(x int): (0)@86400", 86400),
    (*PAIRS[11], "raw(e int): (51)@0", 0),
    (*PAIRS[12], "raw(e int): (29)@0", 0),
    (*PAIRS[13], "raw(e int): (3334)@0", 0),
]


@pytest.mark.parametrize(("left", "right", "stream", "instant"), SMALLEST)
def test_the_counterexample_is_as_small_as_can_be(left: str, right: str, stream: str, instant: int) -> None:
    found = check_plans(parse_plan(left), parse_plan(right)).counterexample
    assert isinstance(found, Counterexample)
    assert ([show(stream) for stream in found.streams.values()], found.instant) == ([stream], instant)


def test_the_evidence_counts_directed_cases() -> None:
    plan = parse_plan("S(x int) | window(range 600)")
    evidence = check_plans(plan, plan, examples=150).evidence
    assert (evidence["cases"], evidence["directed"]) == (150, 50)


def test_free_cases_are_those_of_a_search_without_directed_ones() -> None:
    free: list[tuple[int, ...]] = []
    mixed: list[tuple[int, ...]] = []

    def record(into: list[tuple[int, ...]]):  # type: ignore[no-untyped-def]  # a closure over a list
        def examine(choices):  # type: ignore[no-untyped-def]  # as above
            into.append(tuple(choices.below(1000) for _ in range(4)))
            return CaseOutcome.FIRED

        return examine

    search(record(free), 100, 7)
    search(record(mixed), 150, 7, directed=lambda _: CaseOutcome.FIRED)
    assert mixed == free
    assert FREE_CASES_FIRST == 50


def test_sets_are_compared_as_sets_at_all_times() -> None:
    twice = Instance(
        parse_plan("union(S(x int), S(x int)) | window(range 600)"), parse_plan("S(x int) | window(range 600)")
    )
    case = {"S": parse("raw(x int): (0)@1000")}
    assert compare_at_all_times(twice, case, "snapshot-set") is CaseOutcome.FIRED
    found = compare_at_all_times(twice, case)
    assert isinstance(found, Counterexample)
    assert (found.instant, found.left, found.right) == (1000, Multiset({(0,): 2}), Multiset({(0,): 1}))


def test_what_changes_too_often_is_no_agreement() -> None:
    nested = parse_plan("S(x int) | window(range 100000) | window(range 100000)")
    outcome = compare_at_all_times(Instance(nested, nested), {"S": parse("raw(x int): (0)@0")})
    assert outcome is CaseOutcome.TOO_DENSE
    verdict = check_plans(nested, nested, examples=200)
    assert verdict.kind == "unknown"
    why = str(verdict.evidence["why"])
    assert "change too often to be compared" in why or "nothing tried would have noticed RANGE 99999" in why


def longer(plan: Plan) -> Plan:
    """Every long window one instant longer."""
    inner = plan.with_inputs(*map(longer, plan.inputs)) if plan.inputs else plan
    return TimeWindow(inner.input, inner.size + 1) if isinstance(inner, TimeWindow) and inner.size > 20 else inner


class LongWindows(IntervalEngine):
    """An engine whose long windows are one instant too long."""

    def run(self, plan, sources, horizon=None):  # type: ignore[no-untyped-def]  # as in the engine
        return super().run(longer(plan), sources, horizon)


@pytest.mark.parametrize("size", [60, 600, 60_000, 3_600_000, 2**45])
def test_an_engine_with_long_windows_is_caught(size: int) -> None:
    plan = parse_plan(f"S(x int) | window(range {size})")
    verdict = check_engine(LongWindows(), plan)
    assert verdict.kind == "refuted"
    assert isinstance(verdict.counterexample, Counterexample)
    assert (show(verdict.counterexample.streams["S"]), verdict.counterexample.instant) == ("raw(x int): (0)@0", size)
    agreed = check_engine(IntervalEngine(), plan, examples=200)
    assert agreed.kind == "agreed"
    assert agreed.evidence["neighbours"] == {"told_apart": 3, "of": 3, "proved": 0, "open": []}


def test_an_optimizer_that_changes_large_numbers_is_caught() -> None:
    plan = parse_plan("S(x int) | window(range 3600) | distinct")
    verdict = check_optimizer(longer, generate=lambda _: Instance(plan, plan))
    assert verdict.kind == "refuted"


LATE = ("S(x int) | window(range 1000000000000)", "S(x int) | window(range 1000000000001)")


def test_a_late_instant_is_drawn_saved_and_replayed(tmp_path: Path) -> None:
    case, test = tmp_path / "case.json", tmp_path / "test_late.py"
    ran = snapeq("equiv", *LATE, "--save", str(case), "--test", str(test))
    assert ran.code == 1
    assert ran.out.splitlines()[1:] == [
        "let S = raw(x int): (0)@0",
        f"plan {LATE[0]}",
        f"plan {LATE[1]}",
        "at instant 1000000000000 the left holds  {}",
        "                         the right holds {(0)}",
        "",
        "instant    0              1             ⋯999999999999   1000000000000  1000000000001",
        "wrong                                                   ▼",
        "S (0)      ■",
        "left (0)   ■━━━━━━━━━━━━━━■┅┅┅┅┅┅┅┅┅┅┅┅┅┅■",
        "right (0)  ■━━━━━━━━━━━━━━■┅┅┅┅┅┅┅┅┅┅┅┅┅┅■━━━━━━━━━━━━━━■",
    ]
    again = snapeq("replay", str(case), "--json")
    assert (again.code, json.loads(again.out)["counterexample"]["instant"]) == (1, 10**12)
    module = ModuleType("late")
    exec(test.read_text(), module.__dict__)
    with pytest.raises(AssertionError):
        module.test_counterexample()


def test_a_replay_says_when_a_late_difference_is_gone(tmp_path: Path) -> None:
    case = tmp_path / "case.json"
    snapeq("equiv", *LATE, "--save", str(case))
    case.write_text(case.read_text().replace("1000000000001", "1000000000000"))
    ran = snapeq("replay", str(case))
    assert ran.code == 0
    assert ran.out.startswith("AGREED (when run again; snapshots ")
