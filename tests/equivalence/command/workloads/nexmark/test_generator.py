"""The auctions keep what is said of them."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from equivalence.command.workloads import nexmark
from equivalence.command.workloads.nexmark import LONGEST_AUCTION, Auctions
from tests.equivalence.command.command import snapeq
from tests.paths import ROOT


def rows(auctions: Auctions, name: str) -> list[tuple[Any, ...]]:
    frames = [frame for found, frame in auctions.frames() if found == name]
    return [row for frame in frames for row in zip(*(column.tolist() for column in frame.values()), strict=True)]


@pytest.fixture(params=[1, 7, 1000])
def auctions(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Auctions:
    monkeypatch.setattr(nexmark, "AUCTIONS_PER_CHUNK", 16)
    return Auctions(request.param, seed=3)


def test_there_are_as_many_bids_as_wanted(auctions: Auctions) -> None:
    assert len(rows(auctions, "Bid")) == auctions.bids


def test_streams_are_in_the_order_of_time(auctions: Auctions) -> None:
    for name in ("Bid", "OpenAuction", "ClosedAuction"):
        times = [row[-1] for row in rows(auctions, name)]
        assert times == sorted(times)


def test_bids_rise_while_an_auction_is_open_and_it_closes_within_two_days(auctions: Auctions) -> None:
    opened = {row[0]: row for row in rows(auctions, "OpenAuction")}
    closed = {row[0]: row for row in rows(auctions, "ClosedAuction")}
    assert opened.keys() == closed.keys()
    for item, (_, _, _, start) in opened.items():
        assert start < closed[item][2] < start + LONGEST_AUCTION
    price = {item: row[2] for item, row in opened.items()}
    last = dict.fromkeys(opened, -1)
    for item, bid, bidder, t in rows(auctions, "Bid"):
        assert opened[item][3] <= t <= closed[item][2]
        assert bid >= price[item]
        price[item], last[item] = bid, bidder
    assert {item: row[1] for item, row in closed.items()} == last


def test_the_same_seed_gives_the_same_files(tmp_path: Path) -> None:
    for folder, seed in (("a", "5"), ("b", "5"), ("c", "6")):
        assert snapeq("nexmark", "--size", "300", "--out", str(tmp_path / folder), "--seed", seed).code == 0
    first, again, other = ((tmp_path / folder / "Bid.csv").read_bytes() for folder in "abc")
    assert first == again != other


def test_declared_constraints_hold(tmp_path: Path) -> None:
    Auctions(500).write(tmp_path)
    schema = ROOT / "examples" / "nexmark" / "schema.sql"
    files = [part for name in ("Item", "Category") for part in ("--stream", f"{name}={tmp_path}/{name}.csv")]
    ran = snapeq(
        "run", "SELECT categoryID, COUNT(*) AS n FROM Item GROUP BY categoryID", "--catalog", str(schema), *files
    )
    assert (ran.code, ran.err) == (0, "")
    totals = Counter({line.split(",")[0]: int(line.split(",")[1]) for line in ran.out.splitlines()[1:]})
    assert totals.total() == 50
