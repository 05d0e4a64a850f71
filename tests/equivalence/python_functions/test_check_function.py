"""Functions that people write in Python are judged by a query: wrong ones are refuted, right ones are not."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from itertools import pairwise
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from equivalence.python_functions.check_function import check_function
from equivalence.verdicts.counterexample import Counterexample
from equivalence.verdicts.engine_fault import EngineFault
from equivalence.verdicts.verdict import Verdict
from semantics import SnapeqError, Unsupported
from semantics.constraint import elements_of

Rows = list[dict[str, Any]]
BIDS = "CREATE STREAM bids(item INT, price INT, ts BIGINT) ORDERED BY ts; "
PER_MINUTE = BIDS + "SELECT item, COUNT(*) AS n FROM bids WINDOW(RANGE 60) GROUP BY item"
RISES = BIDS + "SELECT item, price, ts, price - LAG(price) OVER (PARTITION BY item ORDER BY ts) AS rise FROM bids"
HOPPING = (
    BIDS
    + """
    SELECT item, SUM(price) AS total FROM bids WINDOW(RANGE 3600 SLIDE 600) GROUP BY item HAVING COUNT(*) >= 5
"""
)
MATCHED = """
    CREATE STREAM a(k INT, x INT, ts BIGINT) ORDERED BY ts;
    CREATE STREAM b(k INT, y INT, ts BIGINT) ORDERED BY ts;
    SELECT x, y FROM a, b WINDOW(RANGE 60) WHERE a.k = b.k
"""
SENSED = "CREATE STREAM sensed(k TEXT, v FLOAT, ok BOOLEAN, at TIMESTAMP) ORDERED BY at; "
AVERAGE = SENSED + "SELECT k, AVG(v) AS m FROM sensed WINDOW(RANGE 20 SECONDS) GROUP BY k"


def per_minute(bids: Rows) -> Rows:
    counted = Counter((bid["ts"] // 60, bid["item"]) for bid in bids)
    return [{"window_start": w * 60, "window_end": w * 60 + 60, "item": i, "n": n} for (w, i), n in counted.items()]


def a_second_late(bids: Rows) -> Rows:
    return per_minute([{**bid, "ts": max(bid["ts"] - 1, 0)} for bid in bids])


def minutes_of_61_seconds(bids: Rows) -> Rows:
    borders = [{**bid, "ts": bid["ts"] - 1} for bid in bids if bid["ts"] and bid["ts"] % 60 == 0]
    return per_minute(bids + borders)


def fifty_to_a_minute(bids: Rows) -> Rows:
    return [row for row in per_minute(bids) if row["n"] <= 50]


def forgetful_rises(bids: Rows, memory: float = float("inf")) -> Rows:
    """How far a price is above the one before it, if that one is not forgotten."""
    known: dict[Any, tuple[int, Any]] = {}
    rises = []
    for bid in sorted(bids, key=lambda b: (b["ts"], *((b[c] is not None, b[c] or 0) for c in ("item", "price")))):
        since, price = known.get(bid["item"], (0, None))
        there = price is not None and bid["price"] is not None and bid["ts"] - since <= memory
        rises.append({**bid, "rise": bid["price"] - price if there else None})
        known[bid["item"]] = (bid["ts"], bid["price"])
    return rises


def rises(bids: Rows) -> Rows:
    return forgetful_rises(bids)


def rises_within_an_hour(bids: Rows) -> Rows:
    return forgetful_rises(bids, 3600)


def without_null_items(bids: Rows) -> Rows:
    return per_minute([bid for bid in bids if bid["item"] is not None])


def without_duplicates(bids: Rows) -> Rows:
    return per_minute([dict(bid) for bid in {tuple(bid.items()) for bid in bids}])


def forgetful(bids: Rows) -> Rows:
    """Keeps the latest forty rows: only a long input shows it."""
    return per_minute(bids[-40:])


def matched(until: Callable[[int, int], bool], null_matches: bool = False) -> Callable[[Rows, Rows], Rows]:
    def function(a: Rows, b: Rows) -> Rows:
        pairs = [(r, s) for r in a for s in b if r["k"] == s["k"] and (null_matches or r["k"] is not None)]
        meeting = [(r, s) for r, s in pairs if s["ts"] <= r["ts"] and until(r["ts"], s["ts"])]
        return [{"x": r["x"], "y": s["y"], "ts": r["ts"]} for r, s in meeting]

    return function


def hopping(enough: Callable[[int], bool], nothing: int | None = None) -> Callable[[Rows], Iterator[dict[str, Any]]]:
    """Panes of an hour every ten minutes; the sum over NULLs alone is `nothing`."""

    def function(bids: Rows) -> Iterator[dict[str, Any]]:
        panes: dict[tuple[int, Any], list[Any]] = defaultdict(list)
        for bid in bids:
            for end in range(bid["ts"] // 600 * 600 + 600, bid["ts"] + 3601, 600):
                panes[end, bid["item"]].append(bid["price"])
        for (end, item), prices in panes.items():
            known = [price for price in prices if price is not None]
            if enough(len(prices)):
                yield {"window_end": end, "item": item, "total": sum(known) if known else nothing}

    return function


def sliding(bids: Rows) -> Rows:
    """The same count at every instant, as intervals."""
    changes = sorted({t for bid in bids for t in (bid["ts"], bid["ts"] + 60)})
    found = []
    for start, end in pairwise(changes):
        counted = Counter(bid["item"] for bid in bids if bid["ts"] <= start < bid["ts"] + 60)
        found += [{"item": i, "n": n, "_start": start, "_end": end} for i, n in counted.items()]
    return found


def averaged_rows(sensed: Rows) -> Rows:
    known: dict[tuple[datetime, str], list[float]] = defaultdict(list)
    for row in sensed:
        begun = row["at"].replace(second=row["at"].second // 20 * 20)
        known[begun, row["k"]] += [] if row["v"] is None else [row["v"]]
    return [{"window_start": w, "k": k, "m": sum(v) / len(v) if v else None} for (w, k), v in known.items()]


def averaged_pandas(sensed: pd.DataFrame) -> pd.DataFrame:
    placed = sensed.assign(window_start=sensed["at"].dt.floor("20s"))
    return placed.groupby(["window_start", "k"], dropna=False).agg(m=("v", "mean")).reset_index()


def averaged_polars(sensed: pl.DataFrame) -> pl.DataFrame:
    return sensed.group_by(pl.col("at").dt.truncate("20s").alias("window_start"), "k").agg(m=pl.col("v").mean())


def averaged_lazily(sensed: pl.LazyFrame) -> pl.LazyFrame:
    return sensed.group_by(pl.col("at").dt.truncate("20s").alias("window_start"), "k").agg(m=pl.col("v").mean())


def averaged_arrow(sensed: pa.Table) -> pa.Table:
    floored = pc.floor_temporal(sensed["at"], multiple=20, unit="second")
    placed = sensed.append_column("window_start", floored)
    found = placed.group_by(["window_start", "k"]).aggregate([("v", "mean")])
    return found.rename_columns({"v_mean": "m"})


NAMED = "CREATE STREAM s(k INT, name TEXT, ts BIGINT) ORDERED BY ts; SELECT k, name FROM s WINDOW(RANGE 3600)"


def hourly(kept: Callable[[dict[str, Any]], bool], **changes: Callable[[Any], Any]) -> Callable[[Rows], Rows]:
    """The rows of each hour, some of them left out, and some values changed."""

    def hours(s: Rows) -> Rows:
        rows = ({**row, "window_start": row["ts"] // 3600 * 3600} for row in s if kept(row))
        changed = [{**row, **{c: None if row[c] is None else f(row[c]) for c, f in changes.items()}} for row in rows]
        return [{name: value for name, value in row.items() if name != "ts"} for row in changed]

    return hours


RIGHT = [
    (hourly(lambda _: True), NAMED, "rows", "panes"),
    (per_minute, PER_MINUTE, "rows", "panes"),
    (sliding, PER_MINUTE, "rows", "intervals"),
    (matched(lambda t, since: t < since + 60), MATCHED, "rows", "events"),
    (hopping(lambda n: n >= 5), HOPPING, "rows", "panes"),
    (averaged_rows, AVERAGE, "rows", "panes"),
    (averaged_pandas, AVERAGE, "pandas", "panes"),
    (averaged_polars, AVERAGE, "polars", "panes"),
    (averaged_lazily, AVERAGE, "polars-lazy", "panes"),
    (averaged_arrow, AVERAGE, "arrow", "panes"),
]
WRONG = [
    (a_second_late, PER_MINUTE, 1),
    (minutes_of_61_seconds, PER_MINUTE, 1),
    (without_null_items, PER_MINUTE, 1),
    (without_duplicates, PER_MINUTE, 2),
    (forgetful, PER_MINUTE, 41),
    (matched(lambda t, since: t <= since + 60), MATCHED, 2),
    (matched(lambda t, since: t < since + 59), MATCHED, 2),
    (matched(lambda t, since: t < since + 60, null_matches=True), MATCHED, 2),
    (hopping(lambda n: n > 5), HOPPING, 5),
    (hopping(lambda n: n >= 4), HOPPING, 4),
    (hopping(lambda n: n >= 5, nothing=0), HOPPING, 5),
    (hourly(lambda _: True, name=str.strip), NAMED, 1),
    (hourly(lambda _: True, name=str.lower), NAMED, 1),
    (hourly(lambda _: True, name=lambda name: name[:20]), NAMED, 1),
    (hourly(lambda _: True, k=lambda k: (k + 2**31) % 2**32 - 2**31), NAMED, 1),
    (hourly(lambda row: not 1000 <= row["ts"] % 3600 < 2000), NAMED, 1),
]


@pytest.mark.parametrize(("function", "sql", "taken", "given"), RIGHT)
def test_a_right_function_agrees_and_nothing_is_open(
    function: Callable[..., Any], sql: str, taken: str, given: str
) -> None:
    verdict = check_function(function, sql, examples=200)
    assert verdict.kind == "agreed", verdict
    assert (verdict.evidence["input"], verdict.evidence["output"]) == (taken, given)
    neighbours = verdict.evidence["neighbours"]
    assert isinstance(neighbours, Mapping)
    assert neighbours["open"] == []


@pytest.mark.parametrize(("function", "sql", "elements"), WRONG)
def test_a_wrong_function_is_refuted_by_the_smallest_case(
    function: Callable[..., Any], sql: str, elements: int
) -> None:
    verdict = check_function(function, sql)
    assert verdict.kind == "refuted", verdict
    found = verdict.counterexample
    assert isinstance(found, Counterexample)
    assert sum(len(elements_of(stream)) for stream in found.streams.values()) == elements


@pytest.mark.parametrize(
    ("function", "sql", "kind"),
    [(fifty_to_a_minute, PER_MINUTE, "refuted"), (rises_within_an_hour, RISES, "refuted"), (rises, RISES, "agreed")],
)
def test_large_panes_and_rows_that_are_days_apart_are_tried(function: Callable[..., Any], sql: str, kind: str) -> None:
    assert check_function(function, sql, examples=60).kind == kind


def test_pandas_drops_null_keys() -> None:
    def averaged(sensed: pd.DataFrame) -> pd.DataFrame:
        placed = sensed.assign(window_start=sensed["at"].dt.floor("20s"))
        return placed.groupby(["window_start", "k"]).agg(m=("v", "mean")).reset_index()

    for kind in ("pandas", "pandas-nullable"):
        verdict = check_function(averaged, AVERAGE, streams=kind)
        assert verdict.kind == "refuted"
        assert isinstance(verdict.counterexample, Counterexample)
        [(row, _)] = elements_of(verdict.counterexample.streams["sensed"])
        assert row[0] is None


def test_an_error_is_a_finding_with_its_input() -> None:
    verdict = check_function(lambda bids: per_minute(bids[:1] if max(b["item"] for b in bids) else bids), PER_MINUTE)
    assert verdict.kind == "refuted"
    assert isinstance(verdict.counterexample, EngineFault)
    assert verdict.counterexample.fault == "Raises"
    assert "test_check_function.py, line" in verdict.counterexample.message
    assert not elements_of(verdict.counterexample.streams["bids"])


def test_tables_keep_their_keys() -> None:
    sql = """
        CREATE TABLE items(id INT PRIMARY KEY, kind TEXT);
        CREATE STREAM sold(id INT, ts BIGINT) ORDERED BY ts;
        SELECT sold.id AS id, kind FROM sold LEFT JOIN items ON sold.id = items.id
    """

    def looked_up(given: Mapping[str, Rows]) -> Rows:
        kinds = {item["id"]: item["kind"] for item in given["items"]}
        return [{**sale, "kind": kinds.get(sale["id"])} for sale in given["sold"]]

    def inner(items: Rows, sold: Rows) -> Rows:
        return [row for row in looked_up({"items": items, "sold": sold}) if row["kind"] is not None]

    assert check_function(looked_up, sql).kind == "agreed"
    assert check_function(inner, sql).kind == "refuted"


def test_examples_declare_streams_and_come_first() -> None:
    def unlucky(bids: Any) -> Rows:
        return [bid for bid in per_event(bids) if bid["price"] != 4711]

    def per_event(bids: Any) -> Rows:
        rows: Rows = bids if isinstance(bids, list) else bids.to_dict("records")
        return [bid for bid in rows if bid["price"] > 10]

    sql = "SELECT item, price FROM bids WHERE price > 10"
    example = [{"item": 1, "price": 4711, "ts": 3}]
    verdict = check_function(unlucky, sql, streams={"bids": example}, time="ts")
    assert (verdict.kind, verdict.evidence["cases"]) == ("refuted", 0)
    for given in (example, pd.DataFrame(example)):
        assert check_function(
            lambda bids: per_event_known(bids, per_event), sql, streams={"Bids": given}, time="ts"
        ).holds


def per_event_known(bids: Any, function: Callable[[Any], Rows]) -> Rows:
    known = [bid for bid in bids if bid["price"] is not None] if isinstance(bids, list) else bids.dropna(subset="price")
    return function(known)


def test_awkward_values_are_tried_on_request() -> None:
    sql = SENSED + "SELECT v FROM sensed WHERE v = v"

    def comparable(sensed: Rows) -> Rows:
        return [{"v": row["v"], "at": row["at"]} for row in sensed if row["v"] is not None and row["v"] == row["v"]]

    assert check_function(comparable, sql).kind == "agreed"
    verdict = check_function(comparable, sql, awkward=True)
    assert verdict.kind == "refuted", "NaN equals itself in a query, but not in Python"


def test_bad_calls_are_named() -> None:
    for options, problem in (
        ({"tolerance": -1}, "the tolerance must not be negative, got -1"),
        ({"examples": 0}, "expected at least one example, got 0"),
        ({"output": "rows"}, "output 'rows': expected one of: intervals, panes, events"),
        ({"streams": "spark"}, "'spark' is no kind of rows; expected one of: rows, pandas"),
        ({"streams": {"asks": []}}, "the example of asks has no rows, so it declares nothing; expected CREATE STREAM"),
        ({"streams": {"asks": [{"x": 1}]}}, "the example of asks does not tell its time; say which column it is"),
        (
            {"streams": {"asks": [{"x": 1, "ts": 1}]}, "time": "ts"},
            "the query does not use asks; expected some of: bids",
        ),
        ({"streams": {"bids": 7}}, "bids is int; expected rows, or a kind of rows"),
    ):
        with pytest.raises(SnapeqError, match=problem):
            check_function(per_minute, PER_MINUTE, **options)


@pytest.mark.parametrize(
    ("function", "problem"),
    [
        (lambda _: 7, "the function gave int; expected a list of dicts"),
        (lambda _: [1], "the function gave rows of int"),
        (
            lambda _: [{"item": 1, "n": 1}],
            "output has no time; expected one of _start, window_end, ts; there are: item, n",
        ),
        (lambda _: [{"item": 1, "n": 1, "more": 2, "ts": 1}], "a column more that the query has not"),
        (lambda _a, _b: [], "the function takes 2 arguments; expected one for each of bids, or one mapping"),
    ],
)
def test_outputs_that_cannot_be_read_are_named(function: Callable[..., Any], problem: str) -> None:
    with pytest.raises(SnapeqError, match=problem):
        check_function(function, PER_MINUTE, examples=5)


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"item": "a"}, "column item is 'a' \\(str\\); expected INT or None"),
        ({"n": 2.5}, "column n is 2.5"),
        ({"window_end": 61}, "a pane that ends at 61; expected an end at a multiple of 60"),
        ({"window_start": 30}, "a pane from 30 to 60; expected panes of 60 instants"),
        ({"window_end": 0}, "valid from -1 on"),
        ({"window_end": None}, "column window_end is NULL; expected a time"),
        ({"window_end": "soon"}, "no ISO 8601 text"),
    ],
)
def test_rows_that_cannot_be_right_are_findings(row: dict[str, Any], problem: str) -> None:
    given = {"item": 1, "n": 1, "window_end": 60, **row}
    verdict = check_function(lambda _: [given], PER_MINUTE, examples=5)
    assert verdict.kind == "refuted"
    with pytest.raises(AssertionError, match=problem):
        raise AssertionError(str(verdict.counterexample))


def test_a_column_that_is_in_the_index_is_named() -> None:
    def grouped(bids: pd.DataFrame) -> pd.DataFrame:
        return bids.assign(window_end=60).groupby("item").agg(n=("ts", "size"), window_end=("window_end", "max"))

    verdict = check_function(grouped, PER_MINUTE, examples=20)
    assert "has no column item; item is in the index, which is not read: reset_index()" in str(verdict.counterexample)


def test_panes_need_windows_that_end() -> None:
    unbounded = BIDS + "SELECT item, COUNT(*) AS n FROM bids WINDOW(RANGE UNBOUNDED) GROUP BY item"
    with pytest.raises(Unsupported, match="a window without an end has none"):
        check_function(per_minute, unbounded, examples=20)


def test_the_fixture_fails_a_test_with_the_case(snapeq_check_function: Callable[..., Verdict]) -> None:
    assert snapeq_check_function(per_minute, PER_MINUTE, examples=100).holds
    with pytest.raises(pytest.fail.Exception) as failed:
        snapeq_check_function(without_null_items, PER_MINUTE)
    said = str(failed.value)
    assert "REFUTED (by samples; function without_null_items, input rows, output panes" in said
    assert "let bids = raw(item int, price int): (null, 0)@0" in said
    assert "wrong " in said
