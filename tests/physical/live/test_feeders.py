"""Files as sources: what is said when one is not what it was."""

from pathlib import Path
from threading import Event

import pytest

from physical.live.feeders import FileFeeder
from semantics import SnapeqError
from tests.physical.live.systems import new_system

BIDS = "item,price,ts\n1,1,0\n"


def test_a_file_that_is_gone_is_reported_once_and_followed_when_it_is_back(tmp_path: Path) -> None:
    system, said = new_system(), list[Exception]()
    path = tmp_path / "bids.csv"
    feeder = FileFeeder(system, "Bid", path, Event(), said.append)
    assert not feeder.step()
    assert said == []  # it need not be there yet
    path.write_text(BIDS)
    assert feeder.step()
    path.rename(tmp_path / "elsewhere")
    assert [feeder.step(), feeder.step()] == [False, False]
    assert [str(error) for error in said] == [
        f"{path}: it is gone; expected a file that only grows; waiting for it",
    ]
    (tmp_path / "elsewhere").rename(path)
    path.write_text(BIDS + "2,2,1\n")
    assert feeder.step()
    assert system.core.streams["Bid"].elements == 2
    path.unlink()
    feeder.step()
    assert len(said) == 2


def test_a_file_that_becomes_shorter_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "bids.csv"
    feeder = FileFeeder(new_system(), "Bid", path, Event(), lambda _: None)
    path.write_text(BIDS)
    feeder.step()
    path.write_text(BIDS[:5])
    with pytest.raises(SnapeqError, match="it has become shorter; expected a file that only grows"):
        feeder.step()
