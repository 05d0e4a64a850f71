"""The conformance suite: what it says of right engines, of wrong ones, and of objects that are hardly engines."""

import json
from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from equivalence import check_engine, conform
from equivalence.cases.random_plans import OPERATORS
from equivalence.cases.search import CaseOutcome
from equivalence.conformance.known_gaps import GapError
from equivalence.conformance.matrix import Conformance
from equivalence.conformance.subject.in_process import NotAnEngine
from equivalence.conformance.subject.tolerance import close
from equivalence.mutants import MUTANTS
from equivalence.verdicts.counterexample import Counterexample
from equivalence.verdicts.fault_kind import FaultKind
from physical import run, to_arrow
from physical.columns.stream import PhysicalStream
from physical.engines.interval.engine import IntervalEngine
from semantics import Interval, Multiset, Plan, SnapeqError, Type, Unsupported, parse_plan
from semantics.plan import Distinct, Filter, Map, Source, TimeWindow, Union

FILTERED = parse_plan("A(x int) | filter(x > 0)")
ONE_ROUND = 520
"""So many cases see every cell of the matrix."""


class Made:
    """An engine made of one function of the right result."""

    name = "made"

    def __init__(self, function: Callable[..., Any], supports: Callable[[Plan], Any] = lambda _: True) -> None:
        self.function = function
        self.supports = supports

    def run(self, plan: Plan, sources: Mapping[str, Any], horizon: int) -> Any:
        return self.function(run(plan, sources, horizon))


def raising(error: BaseException) -> Callable[[object], None]:
    def fail(_: object) -> None:
        raise error

    return fail


def hang(_: object) -> None:
    while True:
        pass


def mutant(name: str) -> Any:
    return next(m.engine for m in MUTANTS if m.name == name)


def test_the_interval_engine_conforms() -> None:
    report = conform(IntervalEngine(), cases=ONE_ROUND)
    assert report.holds, str(report)
    assert report.cases == ONE_ROUND
    assert report.findings == ()
    assert set(report.verdicts.values()) == {"agreed"}


@pytest.mark.parametrize(
    ("engine", "name"),
    [
        (Made(raising(ValueError("no"))), FaultKind.RAISES),
        (Made(raising(SystemExit(1))), FaultKind.RAISES),
        (Made(raising(Unsupported("after all"))), FaultKind.RAISES),
        (Made(lambda s: s, supports=raising(KeyError("plan"))), FaultKind.RAISES),
        (Made(hang), FaultKind.HANGS),
        (Made(lambda _: None), FaultKind.WRONG_SCHEMA),
        (Made(lambda s: [(row, 1) for row, _ in s.to_interval().elements]), FaultKind.WRONG_SCHEMA),
        (Made(lambda s: [(("text",), i) for _, i in s.to_interval().elements]), FaultKind.WRONG_SCHEMA),
        (Made(lambda s: to_arrow(s).drop_columns(["_end"])), FaultKind.WRONG_SCHEMA),
        (mutant("output has other column names"), FaultKind.WRONG_SCHEMA),
        (mutant("integers become floats"), FaultKind.WRONG_SCHEMA),
        (Made(lambda s: reversed(s.to_interval().elements)), FaultKind.UNSORTED_OUTPUT),
        (mutant("output in reverse"), FaultKind.UNSORTED_OUTPUT),
        (Made(lambda s: to_arrow(s).sort_by([("_start", "descending")])), FaultKind.UNSORTED_OUTPUT),
        (Made(lambda s: [(row, i.start, i.start) for row, i in s.to_interval().elements]), FaultKind.INVALID_INTERVAL),
        (mutant("empty intervals"), FaultKind.INVALID_INTERVAL),
        (Made(lambda _: (((1,), t, t + 1) for t in count())), FaultKind.ENDLESS_OUTPUT),
        (mutant("takes a source away"), FaultKind.CHANGES_INPUTS),
        (mutant("overwrites its inputs"), FaultKind.CHANGES_INPUTS),
        (mutant("empties its inputs"), FaultKind.CHANGES_INPUTS),
        (mutant("repeats an element of the last output"), FaultKind.NONDETERMINISTIC),
        (mutant("filter keeps unknown"), FaultKind.WRONG_RESULT),
    ],
    ids=lambda value: value if isinstance(value, FaultKind) else "",
)
def test_what_is_wrong_has_a_name(engine: Any, name: FaultKind) -> None:
    verdict = check_engine(engine, FILTERED, examples=60, time_limit=0.3 if name is FaultKind.HANGS else 60)
    assert verdict.kind == "refuted"
    assert verdict.evidence["finding"] == name


def test_a_missed_overflow_has_a_name() -> None:
    plan = parse_plan("A(x int) | window(range 3) | aggregate(sum(x) as s)")
    verdict = check_engine(mutant("SUM wraps around"), plan, examples=2000)
    assert verdict.evidence["finding"] == FaultKind.MISSED_OVERFLOW


@pytest.mark.parametrize(
    "form",
    [
        lambda s: s,
        lambda s: s.to_interval(),
        to_arrow,
        lambda s: iter(s.to_interval().elements),
        lambda s: [(row, i.start, None if i.end == float("inf") else i.end) for row, i in s.to_interval().elements],
        lambda s: s.to_logical(60),
    ],
)
def test_results_may_come_in_many_forms(form: Callable[..., Any]) -> None:
    assert check_engine(Made(form), FILTERED, examples=60).kind == "agreed"


def test_the_lowest_wrong_node_is_blamed() -> None:
    report = conform(mutant("distinct does nothing"), cases=ONE_ROUND)
    assert report.verdicts["Distinct"] == "refuted"
    (finding,) = report.findings
    assert finding.operator == "Distinct"
    assert isinstance(finding.counterexample, Counterexample)
    assert finding.counterexample.blamed is not None
    assert finding.counterexample.blamed.operator == "Distinct"
    assert [o for o, verdict in report.verdicts.items() if verdict == "refuted"] == ["Distinct"]
    assert len(finding.counterexample.left) + len(finding.counterexample.right) <= 3


class Only(IntervalEngine):
    """The interval engine for few operators."""

    def __init__(self, *kinds: type[Plan]) -> None:
        self.kinds = kinds

    def supports(self, plan: Plan) -> bool:
        return all(isinstance(node, self.kinds) for node in plan.walk())


def test_what_an_engine_does_not_support_is_no_failure() -> None:
    report = conform(Only(Source, Filter), cases=ONE_ROUND)
    assert report.holds, str(report)
    assert report.verdicts["Filter"] == "agreed"
    assert {report.verdicts[o.__name__] for o in OPERATORS if o is not Filter} == {"unsupported"}


def test_plans_that_an_engine_cannot_run_are_no_cases() -> None:
    report = conform(Only(Source, Distinct, Union), cases=100)
    assert report.cases == 100
    cells = [cell for operator in ("Distinct", "Union") for cell in report.matrix[operator].values()]
    assert sum(sum(cell.tally.values()) for cell in cells) == 100
    assert not any(cell.tally[CaseOutcome.UNSUPPORTED] for cell in cells)


def test_a_bug_in_an_engine_of_few_operators_is_found_soon() -> None:
    class Forgetful(Only):
        def run(self, plan: Plan, sources: Any, horizon: int | None = None) -> PhysicalStream:
            return super().run(plan.input if isinstance(plan, Distinct) else plan, sources, horizon)

    assert conform(Forgetful(Source, Distinct, Union), cases=100).verdicts["Distinct"] == "refuted"


def test_situations_that_an_engine_cannot_be_in_are_given_up() -> None:
    class WholeNumbers(Only):
        def supports(self, plan: Plan) -> bool:
            return super().supports(plan) and all(set(node.schema.types) == {Type.INT} for node in plan.walk())

    report = conform(WholeNumbers(Source, Filter), cases=100)
    verdicts = {situation: cell.verdict for situation, cell in report.matrix["Filter"].items()}
    assert (report.cases, verdicts["floats"], verdicts["neighbours"]) == (100, "unsupported", "agreed")


@pytest.mark.parametrize(
    ("engine", "why"),
    [
        (Only(), "engine interval does not support Source, in A(x int)"),
        (Only(Source), "engine interval does not support Filter, in A(x int) | filter(x > 0)"),
    ],
)
def test_unknown_says_what_is_not_supported(engine: Only, why: str) -> None:
    verdict = check_engine(engine, FILTERED, examples=10)
    assert (verdict.kind, verdict.evidence["why"]) == ("unknown", why)


def test_cells_in_which_nothing_happened_come_up_again() -> None:
    """A filter often lets nothing through; three rounds alone would leave some of its cells without a result."""
    report = conform(Only(Source, Filter, Map, TimeWindow), cases=3 * ONE_ROUND)
    assert "vacuous" not in {cell.verdict for cells in report.matrix.values() for cell in cells.values()}


def test_an_engine_that_supports_nothing_does_not_hold() -> None:
    report = conform(Only(), cases=ONE_ROUND)
    assert set(report.verdicts.values()) == {"unsupported"}
    assert not report.holds
    assert not conform(IntervalEngine(), cases=0).holds


def test_known_gaps_are_no_failures_and_stale_ones_are_told(tmp_path: Path) -> None:
    path = tmp_path / "gaps.toml"
    path.write_text('[gaps]\n"Distinct" = "multisets only"\n"Join/nulls" = "mended"\n', encoding="utf-8")
    report = conform(mutant("distinct does nothing"), cases=ONE_ROUND, gaps=path)
    assert report.holds, str(report)
    assert report.verdicts["Distinct"] != "refuted"
    assert [(f.name, f.operator, f.situation) for f in report.findings if f.name is FaultKind.STALE_GAP] == [
        (FaultKind.STALE_GAP, "Join", "nulls")
    ]
    assert [f.message for f in report.findings if f.name is FaultKind.KNOWN_GAP] == ["multisets only"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("gaps.toml", "[gaps]\nJoin = 3"),
        ("gaps.toml", "[gaps"),
        ("gaps.toml", "Join = 'why'"),
        ("gaps.toml", "[gaps]\nJoyn = 'why'"),
        ("gaps.toml", "[gaps]\n'Join/noise' = 'why'"),
        ("gaps.json", "[" * 100_000),
        ("gaps.json", '["Join"]'),
    ],
)
def test_a_bad_file_of_gaps_is_an_error(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(GapError, match="gaps: "):
        conform(IntervalEngine(), cases=1, gaps=path)


def test_a_missing_file_of_gaps_is_an_error() -> None:
    with pytest.raises(GapError, match="cannot be read"):
        conform(IntervalEngine(), cases=1, gaps="no such file.toml")


def test_what_is_no_engine_is_refused() -> None:
    with pytest.raises(NotAnEngine, match="has no name"):
        conform(Interval(0, 1))  # type: ignore[arg-type]  # that is the point


def test_a_tolerance_is_used_and_told() -> None:
    plan = parse_plan("A(f float) | window(range 4) | aggregate(avg(f) as m)")
    slightly_off = Made(lambda s: s.with_columns(s.schema, [_scaled(c) for c in s.columns]))
    assert check_engine(slightly_off, plan, examples=100).kind == "refuted"
    verdict = check_engine(slightly_off, plan, examples=100, tolerance=1e-6)
    assert (verdict.kind, verdict.evidence["tolerance"]) == ("agreed", 1e-6)


def _scaled(column: Any) -> Any:
    return type(column)(column.type, column.values * (1 + 1e-9), column.valid)


def test_rows_are_close_only_if_they_can_be_paired() -> None:
    nan = float("nan")
    assert close(Multiset([(1.0, "a"), (1.1, "a"), (nan, "b")]), Multiset([(1.1, "a"), (1.01, "a"), (nan, "b")]), 0.02)
    assert not close(Multiset([(1.0, "a")]), Multiset([(1.0, "b")]), 0.02)
    assert not close(Multiset([(1.0,)]), Multiset([(1.0,), (1.0,)]), 0.02)
    assert not close(Multiset([(None,)]), Multiset([(0.0,)]), 0.02)


def test_the_document_is_as_promised() -> None:
    report = conform(mutant("union forgets the right"), cases=ONE_ROUND)
    document = json.loads(json.dumps(report.to_json()))
    assert {"engine", "matrix", "cases", "findings"} <= set(document)
    assert document["engine"] == "union forgets the right"
    assert document["matrix"]["Union"] == "refuted"
    assert document["holds"] is False
    (finding,) = document["findings"]
    assert finding["name"] == "WrongResult"
    assert finding["counterexample"]["plans"] == [finding["plan"]]


def test_the_same_seed_gives_the_same_report() -> None:
    reports: list[Conformance] = [conform(mutant("union forgets the right"), cases=120, seed=5) for _ in range(2)]
    assert reports[0].to_json() == reports[1].to_json()
    assert str(reports[0]) == str(reports[1])


def test_an_engine_without_a_horizon_gets_only_what_can_be_written_down() -> None:
    class Whole:
        name = "whole"

        def supports(self, plan: Plan) -> bool:  # noqa: ARG002
            return True

        def run(self, plan: Plan, sources: Mapping[str, Any]) -> Any:
            return run(plan, sources)

    verdict = check_engine(Whole(), parse_plan("A(x int) | window(range unbounded)"), examples=200)
    assert verdict.kind == "agreed"
    assert isinstance(verdict.evidence["unmet"], int)


@pytest.mark.parametrize("tolerance", [-1e-9, -1.0, float("nan"), float("inf")])
def test_a_tolerance_is_a_number_from_0_on(tolerance: float) -> None:
    class Tolerant(IntervalEngine):
        pass

    Tolerant.tolerance = tolerance  # type: ignore[attr-defined]  # an engine may have it
    for engine, given in ((IntervalEngine(), tolerance), ("interval", tolerance), (Tolerant(), None)):
        with pytest.raises(SnapeqError, match="tolerance: expected a number ≥ 0"):
            check_engine(engine, FILTERED, examples=10, tolerance=given)
        with pytest.raises(SnapeqError, match="tolerance: expected a number ≥ 0"):
            conform(engine, cases=10, tolerance=given)


def test_neighbours_are_measured_operator_by_operator() -> None:
    report = conform(IntervalEngine(), cases=2 * ONE_ROUND)
    measured = report.neighbours["TimeWindow"]
    told_apart, of = measured["told_apart"], measured["of"]
    assert isinstance(told_apart, int)
    assert isinstance(of, int)
    assert 0 < told_apart < of
    assert measured["open"] == []
    assert "Product" not in report.neighbours  # it has no parameter that could be another one
    assert report.to_json()["neighbours"] == report.neighbours
    (line,) = [text for operator, _, text in report.lines if operator == "TimeWindow"]
    assert line == f"{told_apart} of {of} neighbours told apart"


def test_what_was_wrong_is_no_evidence_of_what_cases_notice() -> None:
    report = conform(mutant("distinct does nothing"), cases=ONE_ROUND)
    sound = conform(IntervalEngine(), cases=ONE_ROUND)
    assert int(str(report.neighbours["Distinct"]["of"])) < int(str(sound.neighbours["Distinct"]["of"]))
