"""The six queries of Section 3 over files: by hand on a few auctions, and against the reference on drawn ones.

Instants are minutes here, so that the reference can look at every one of them.
"""

import json
from pathlib import Path

import pytest

from equivalence.command.workloads.nexmark import Auctions
from tests.equivalence.command.command import snapeq
from tests.paths import ROOT

EXAMPLES = ROOT / "examples" / "nexmark"
STREAMS = ("Bid", "OpenAuction", "ClosedAuction")
FUNCTIONS = """
from semantics import ScalarFunction, Type
half = ScalarFunction("DolToEuro", (Type.FLOAT,), Type.FLOAT, lambda dollars: dollars / 2)
"""
FEW = {
    "OpenAuction": "itemID,sellerID,start_price,timestamp\n1,7,10,1970-01-01T00:00\n2,8,50,1970-01-01T01:00\n",
    "ClosedAuction": "itemID,buyerID,timestamp\n1,5,1970-01-01T02:00\n2,,1970-01-01T07:00\n",
    "Bid": (
        "itemID,bid_price,bidderID,timestamp\n"
        "1,15,5,1970-01-01T00:10\n1,12,6,1970-01-01T00:15\n1007,3,5,1970-01-01T00:30\n"
    ),
}
BY_HAND = {
    "currency_conversion": [[1, 7.5, 5, 10, 11, 1], [1, 6.0, 6, 15, 16, 1], [1007, 1.5, 5, 30, 31, 1]],
    "selection": [[1007, 3.0, 5, 30, 31, 1]],
    "short_auctions": [[1, 7, 10.0, 120, 121, 1]],
    "closing_price": [[1, 7, 15.0, 120, 121, 1], [2, 8, 50.0, 420, 421, 1]],
    "highest_bid": [[1, 15.0, 5, 10, 20, 1], [1, 12.0, 6, 20, 25, 1], [1007, 3.0, 5, 30, 40, 1]],
    "hot_item": [[1, 10, 75, 1], [1007, 70, 90, 1]],
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    Path("rates_for_nexmark.py").write_text(FUNCTIONS)
    Path("schema.sql").write_text("SET TIME UNIT MINUTE;\n" + (EXAMPLES / "schema.sql").read_text())
    return tmp_path


def run(query: str, *more: str, ending: str = "csv") -> str:
    streams = [part for name in STREAMS for part in ("--stream", f"{name}={name}.{ending}")]
    fixed = ("--catalog", "schema.sql", "--functions", "rates_for_nexmark")
    ran = snapeq("run", str(EXAMPLES / f"{query}.sql"), *fixed, *streams, *more)
    assert (ran.code, ran.err) == (0, "")
    return ran.out


@pytest.mark.parametrize(("query", "rows"), BY_HAND.items())
@pytest.mark.usefixtures("folder")
def test_by_hand(query: str, rows: list[list[object]]) -> None:
    for name, text in FEW.items():
        Path(f"{name}.csv").write_text(text)
    assert json.loads(run(query, "--json"))["rows"] == rows


@pytest.mark.parametrize("query", BY_HAND)
def test_differential_reference_and_interval_engine(query: str, folder: Path) -> None:
    horizon = "3000"
    Auctions(120, seed=5, start=0, tick=60, gap=1800).write(folder, "parquet")
    run(query, "--out", "interval.arrow", "--horizon", horizon, ending="parquet")
    run(query, "--out", "reference.csv", "--engine", "reference", "--horizon", horizon, ending="parquet")
    compared = snapeq("diff", "interval.arrow", "reference.csv")
    assert compared.code == 0, compared.out
    assert len(Path("reference.csv").read_text().splitlines()) > 1
