"""Plans over basic windows inside factories: the engine against the reference, whatever is in the factories."""

import pytest

from equivalence import conform
from physical.engines.dataflow.engine import NetEngine
from physical.engines.dataflow.fragment import Split
from physical.engines.dataflow.query_net import QueryNet, Setting
from physical.engines.dataflow.sharing import STRATEGIES
from physical.engines.dataflow.window_algebra import Windows, algebra_for
from physical.engines.incremental import switching
from semantics import count, source

WINDOWS: tuple[Windows, ...] = ("incremental", "reevaluation", "switching")
GROUPED = source("S", x=int).window(60, slide=10).group_by("x").aggregate(n=count())


@pytest.mark.parametrize("windows", WINDOWS)
@pytest.mark.parametrize(("split", "strategy"), [*zip(("query", "reader", "operator"), STRATEGIES, strict=True)])
def test_oracle(windows: Windows, split: Split, strategy: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(switching.SwitchingEvaluator.__init__, "__defaults__", (3, 2))  # few rows make it change
    setting = Setting(strategy, split, batch=2, algebra=algebra_for(windows))  # type: ignore[arg-type]  # a strategy
    assert conform(NetEngine(setting), cases=130, seed=8).findings == ()


def test_a_factory_holds_a_stage_of_the_plan() -> None:
    graph = QueryNet(Setting(algebra=algebra_for("incremental")))
    graph.query(GROUPED.plan, frozenset("S"))
    assert graph.sources
    assert [factory.name for factory in graph.net.transitions[1:-1]] == ["TimeWindow.1", "Stage.2"]
