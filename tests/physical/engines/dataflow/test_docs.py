"""The page about the engine: its support table and its picture are those of the engine."""

import re

import pytest
from hypothesis import given, settings

from equivalence.cases.random_plans import OPERATORS
from equivalence.cases.strategies import plans_with_root
from physical.engine import ENGINES
from physical.engines.dataflow.net_picture import picture
from physical.engines.dataflow.query_net import Setting
from physical.engines.dataflow.sharing import SHARED
from semantics import Plan, col, source
from tests.paths import ROOT
from tests.physical.engines.dataflow.test_net import wired

DOCS = ROOT / "docs" / "engines"
TABLE = dict(re.findall(r"^\| (\w+) \| (yes|no) \|", (DOCS / "dataflow.md").read_text(encoding="utf-8"), re.M))


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: operator.__name__)
def test_the_table_says_what_is_supported(operator: type[Plan]) -> None:
    @settings(max_examples=5)
    @given(plans_with_root(operator, depth=1, awkward=True))
    def agree(plan: Plan) -> None:
        assert ENGINES["dataflow"].supports(plan) is (TABLE[operator.__name__] == "yes")

    agree()


def test_the_table_has_no_other_operator() -> None:
    assert set(TABLE) == {"Source", *(operator.__name__ for operator in OPERATORS)}


def test_the_picture_is_that_of_the_net() -> None:
    s = source("S", x=int)
    queries = (s.filter(col("x") < 3), s.filter(col("x") >= 6).window(5).distinct())
    drawn = picture(wired(Setting(SHARED, batch=3), *queries).net)
    assert (DOCS / "figures" / "dataflow-net.svg").read_text(encoding="utf-8") == drawn
