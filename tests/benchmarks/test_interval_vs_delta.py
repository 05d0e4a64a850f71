"""The comparison of both approaches: its figures are counted, not written down, and it writes what it is asked to."""

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

import benchmarks.studies.interval_vs_delta as comparison
from benchmarks.approaches.edges import observed
from benchmarks.approaches.latency import latencies
from benchmarks.approaches.queries import QUERIES, streams
from benchmarks.approaches.throughput import Differ, throughput
from benchmarks.harness.chart import chart
from physical.columns.stream import PhysicalStream
from physical.engines.delta.algebra import delta_graph
from physical.engines.interval.algebra import interval_graph

WINDOW = next(query for query in QUERIES if query.name == "window")


def test_twice_the_elements_leave_a_window_that_holds_its_content() -> None:
    sources = {"S": streams(300, 1)["S"]}
    interval, delta = (observed(flow, WINDOW.plan(20), sources) for flow in (interval_graph, delta_graph))
    assert (interval.windows, delta.windows) == ((300,), (600,))
    assert interval.held == 0
    content = [int(((sources["S"].start > t - 20) & (sources["S"].start <= t)).sum()) for t in range(320)]
    assert 10 < delta.held <= max(content)


def test_an_aggregate_over_intervals_waits_for_the_next_arrival() -> None:
    query = next(query for query in QUERIES if query.name == "aggregation")
    signed, cut, whole = latencies(query.plan(10), {"S": streams(60, 1)["S"]}, query.end_unknown)
    assert signed.mean == 0 < min(cut.mean, whole.mean)


def test_every_table_has_a_line_for_every_query(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison, "ARRIVALS", 30)
    lines = list(comparison.tables(size=400, window=20, repeat=1))
    assert len(lines) == 3 * (2 + len(QUERIES))
    assert all(
        line.endswith(("agrees", "DISAGREES", "nothing published")) for line in lines if line.startswith("window ")
    )


def test_results_that_differ_are_not_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    empty = PhysicalStream.empty(WINDOW.plan(5).schema)
    monkeypatch.setattr("benchmarks.approaches.throughput.run", lambda *_: empty)
    with pytest.raises(Differ, match="differ at the instant"):
        throughput(WINDOW.plan(5), {"S": streams(20, 1)["S"]}, 1)


def test_the_plot_is_drawn_where_asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(comparison, "WINDOWS", (2, 20))
    monkeypatch.setattr(comparison, "PLOTTED", ("window",))
    monkeypatch.setattr(comparison, "ARRIVALS", 30)
    monkeypatch.setattr(comparison, "tables", lambda *_: iter(()))
    comparison.main(size=500, window=5, repeat=1, plot=tmp_path / "ratio.svg")
    picture = ElementTree.parse(tmp_path / "ratio.svg").getroot()
    assert len(picture.findall("{http://www.w3.org/2000/svg}circle")) == 6


def test_a_chart_escapes_what_it_writes_and_needs_positive_values_for_logarithms() -> None:
    assert "a &lt; b" in chart("a < b", "x", "y", {"s": [(1, 1), (10, 2)]}, log_x=True, log_y=True)
    with pytest.raises(ValueError, match="a logarithmic axis takes positive values, got 0"):
        chart("t", "x", "y", {"s": [(0, 1)]}, log_x=True)
