"""SQL engines that others wrote give what the golden cases say, and refuse what they have no words for."""

import math

import pytest

from equivalence.conformance.subject.load import run_engine
from equivalence.conformance.subject.tolerance import close
from equivalence.reference_checks.golden import GoldenCase
from physical.adapters.environments import ENVIRONMENTS, Environment
from physical.adapters.sql.remote_engine import RemoteSqlEngine
from physical.adapters.sql.sql_engine import SqlEngine
from physical.adapters.sqlite_engine import SqliteEngine
from physical.adapters.worker_process import EngineFailed
from physical.engine import OTHERS
from semantics import SnapeqError, parse, parse_plan, show
from semantics.stream import RawStream
from tests.golden_corpus import golden_corpus

DRIVEN = {name: engine for name, engine in OTHERS.items() if isinstance(engine, SqlEngine)}
ENGINES = {name: engine for name, engine in DRIVEN.items() if not getattr(engine, "lifts", False)}
"""Those whose runs are quick; the others have tests of their own."""
CORPUS = golden_corpus()
NOT_EXACT = {"aggregate_float_sum_is_exact"}
"""A sum in which large numbers cancel out: no engine keeps the small one."""


ON_RECORD = {"daft": {"expression_case", "aggregate_variance_far_from_zero"}}
"""Golden cases that an engine is wrong about, as a page of docs/findings says."""
FEWER = {"daft": 60, "polars-frames": 100}
"""Engines with fewer words than most have fewer golden cases."""


def installed(name: str) -> SqlEngine:
    own = getattr(DRIVEN[name], "environment", "") or name
    if own in ENVIRONMENTS and not ENVIRONMENTS[own].is_installed:
        pytest.skip(f"{name} is not installed: snapeq engines install {own}")
    return DRIVEN[name]


def is_tame(case: GoldenCase) -> bool:
    """Without NaN and infinities, which some engines have not, and not too many instants for a table of all."""
    texts = [show(stream) for stream in (*case.streams.values(), case.expected)]
    return case.expected.horizon <= SqlEngine.latest and not any("nan" in text or "inf" in text for text in texts)


@pytest.mark.parametrize("name", ENGINES)
def test_golden_cases_have_their_snapshots(name: str) -> None:
    engine = installed(name)
    left_out = NOT_EXACT | ON_RECORD.get(name, set())
    tried = [case for case in CORPUS if is_tame(case) and engine.supports(case.plan) and case.name not in left_out]
    assert len(tried) > FEWER.get(name, 100)
    for case in tried:
        found = run_engine(engine, case.plan, case.streams, case.expected.horizon)
        pairs = zip(case.expected.snapshots, found.snapshots, strict=True)
        assert all(close(expected, got, engine.tolerance) for expected, got in pairs), case.title


@pytest.mark.parametrize("name", ENGINES)
def test_it_says_which_version_it_is(name: str) -> None:
    assert installed(name).version[0].isdigit()  # type: ignore[attr-defined]  # every one of them has a version


def test_what_sql_has_no_words_for_is_not_supported() -> None:
    assert not SqliteEngine().supports(parse_plan("S(x float) | aggregate(median(x) as m)"))
    assert not SqliteEngine().supports(parse_plan("S(x float) | filter(x < inf)"))
    assert SqliteEngine().supports(parse_plan("S(x float) | window(rows 3) | filter(x < 1.5)"))


class CrashingEngine(RemoteSqlEngine):
    name = "duckdb"
    dialect = SqliteEngine.dialect
    database = f"{__name__}:Crashing"


class Crashing:
    version = "1"

    def ask(self, tables: object, sql: str) -> list[tuple[object, ...]]:  # noqa: ARG002  # it crashes anyway
        import os

        os.abort()


def test_a_crash_is_one_sentence_and_the_next_query_starts_it_again() -> None:
    installed("duckdb")
    engine, plan = CrashingEngine(), parse_plan("S(x int) | distinct")
    stream = parse("raw(x int): (7)@0")
    assert isinstance(stream, RawStream)
    for _ in range(2):
        with pytest.raises(EngineFailed, match=r"the process of duckdb has ended \(exit code -6\)"):
            engine.run(plan, {"S": stream}, 3)


def test_an_engine_that_is_not_there_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    missing = Environment("duckdb", ("duckdb==0",), 60)
    monkeypatch.setitem(ENVIRONMENTS, "duckdb", missing)
    with pytest.raises(SnapeqError, match="not installed: snapeq engines install duckdb"):
        CrashingEngine().run(parse_plan("S(x int)"), {"S": parse("raw(x int): (7)@0")}, 3)


def test_not_a_number_is_a_value_to_most() -> None:
    plan, stream = parse_plan("S(x float) | distinct"), parse("raw(x float): (nan)@0 (nan)@0")
    assert isinstance(stream, RawStream)
    (row,) = run_engine(installed("duckdb"), plan, {"S": stream}, 1).at(0).support
    assert math.isnan(row[0])  # type: ignore[arg-type]  # it is a float


@pytest.mark.parametrize("name", ENGINES)
def test_without_an_order_all_rows_are_peers(name: str) -> None:
    plan, stream = parse_plan("S(x int) | limit(1 with ties)"), parse("raw(x int): (7)@0 (8)@0")
    assert isinstance(stream, RawStream)
    engine = installed(name)
    if name in ("daft", "polars-frames"):
        assert not engine.supports(plan)
    else:
        assert len(run_engine(engine, plan, {"S": stream}, 1).at(0).support) == 2
