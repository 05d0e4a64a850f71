"""Panes that grow until a reset, updates of panes that are over, and rows that are late for their key."""

from pathlib import Path

import pytest

from equivalence.deviations.explain import explain
from equivalence.deviations.situation import situation_of
from equivalence.recordings.check_recording import check_recording
from equivalence.recordings.key_times import KeyTimes
from equivalence.recordings.recording import LastInstants
from semantics import SnapeqError, parse, parse_plan
from semantics.sparse.row_steps import Counts
from tests.equivalence.command.command import snapeq

STREAM = "CREATE STREAM Bid(item TEXT, ts BIGINT) ORDERED BY ts; SELECT item, COUNT(*) AS cnt FROM Bid "
CUMULATE = STREAM + "WINDOW(LANDMARK 0 RESET 20) GROUP BY item"
PANES = STREAM + "WINDOW(RANGE 10) GROUP BY item"
GROWING = (
    "window_start,window_end,item,cnt\n"
    "0,5,A,1\n0,10,A,{}\n0,15,A,2\n0,20,A,3\n20,25,A,1\n20,30,A,1\n20,35,A,1\n20,40,A,1\n"
)


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def written(name: str, text: str) -> str:
    Path(name).write_text(text)
    return name


def bids(*times: int) -> dict[str, str]:
    return {"Bid": written("bids.csv", "item,ts\n" + "".join(f"A,{t}\n" for t in times))}


def test_panes_of_a_landmark_window_are_sampled_at_every_step() -> None:
    right, wrong = written("right.csv", GROWING.format(2)), written("wrong.csv", GROWING.format(1))
    assert check_recording(CUMULATE, bids(1, 7, 18, 23), right, "panes", step=5).holds
    verdict = check_recording(CUMULATE, bids(1, 7, 18, 23), wrong, "panes", step=5)
    assert verdict.difference is not None
    assert verdict.difference.instant == 9


def test_a_late_row_is_lost_for_the_steps_that_are_over() -> None:
    early = written("early.csv", GROWING.format(1))
    right = written("right.csv", GROWING.format(1).replace("0,15,A,2", "0,15,A,3"))
    flink = {"watermarks": ["ts - 1"], "policy": "flink", "step": 5}
    assert check_recording(CUMULATE, bids(1, 12, 7, 23), right, "panes", **flink).holds  # type: ignore[arg-type]
    assert not check_recording(CUMULATE, bids(1, 12, 7, 23), early, "panes", **flink).holds  # type: ignore[arg-type]


def test_a_pane_that_starts_at_no_landmark_is_unaligned() -> None:
    odd = written("odd.csv", GROWING.format(2).replace("20,25,", "15,25,"))
    [anomaly] = check_recording(CUMULATE, bids(1, 7, 18, 23), odd, "panes", step=5).anomalies
    assert str(anomaly) == "odd.csv, line 6: unaligned pane: [15, 25) is no pane of the query"


@pytest.mark.parametrize(
    ("query", "step", "message"),
    [
        (CUMULATE, None, "grow step by step; expected --step N"),
        (CUMULATE, 3, "--step 3: expected a step that divides the reset, 20"),
        (PANES, 5, "--step 5: the query's windows say their step"),
    ],
)
def test_a_step_that_does_not_fit(query: str, step: int | None, message: str) -> None:
    with pytest.raises(SnapeqError) as error:
        check_recording(query, bids(1), written("o.csv", GROWING.format(2)), "panes", step=step)
    assert message in str(error.value)


VERSIONS = "window_end,item,cnt,watermark\n10,A,1,1\n10,A,2,11\n20,A,1,11\n"
LATER = VERSIONS + "10,A,3,11\n"


def test_an_update_after_a_pane_was_closed_and_written_is_an_anomaly() -> None:
    policy = {"watermarks": ["ts - 1"], "policy": "flink"}
    assert check_recording(PANES, bids(1, 5, 12, 7), written("v.csv", VERSIONS), "updates", **policy).holds  # type: ignore[arg-type]
    verdict = check_recording(PANES, bids(1, 5, 12, 7), written("v.csv", LATER), "updates", **policy)  # type: ignore[arg-type]
    assert [str(a) for a in verdict.anomalies] == [
        "v.csv, line 5: update after close: ('A') in the pane that ends at 10"
    ]


def test_where_late_rows_update_panes_none_is_closed() -> None:
    late = {"watermarks": ["ts - 1"], "late": "update"}
    assert check_recording(PANES, bids(1, 5, 12, 7), written("v.csv", LATER), "updates", **late).holds  # type: ignore[arg-type]


def test_an_update_after_close_in_a_retract_log_of_panes() -> None:
    log = "op,window_end,item,cnt,watermark\n+I,10,A,2,11\n+I,20,A,1,11\n-U,10,A,2,11\n+U,10,A,2,11\n"
    verdict = check_recording(PANES, bids(1, 5, 12), written("log.csv", log), "retract")
    assert verdict.difference is None
    assert verdict.anomaly_counts == {"update after close": 2}


def test_a_key_takes_what_is_after_its_last_row_that_the_watermark_has_reached() -> None:
    a, b = ("A",), ("B",)
    arrivals = [(a, 10, -1), (a, 8, 5), (a, 12, 9), (a, 8, 9), (a, 10, 11), (b, 3, 11), (a, 11, 11)]
    keys, times, marks = (list(part) for part in zip(*arrivals, strict=True))
    assert KeyTimes().accepted(keys, times, marks).tolist() == [True, True, True, False, False, True, True]


def test_a_key_that_was_forgotten_takes_anything() -> None:
    one = [()] * 3
    assert KeyTimes(None).accepted(one, [10, 9, 9], [-1, 14, 30]).tolist() == [True, False, False]
    assert KeyTimes(4).accepted(one, [10, 9, 9], [-1, 14, 30]).tolist() == [True, False, True]


def test_rows_that_are_late_for_their_key_are_lost() -> None:
    files = written("bids.csv", "item,ts\nA,1\nA,9\nB,3\nA,9\nA,12\n")
    policy = ("--watermark", "ts", "--policy", "flink-over")
    ran = snapeq("run", STREAM + "WINDOW(RANGE 3) GROUP BY item", "--stream", f"Bid={files}", *policy)
    assert ran.out.splitlines()[1:] == ['"A",1,1,4,1', '"B",1,3,6,1', '"A",1,9,15,1']


def test_floats_within_the_tolerance_do_not_hide_the_name() -> None:
    plan = parse_plan("S(x float) | window(range 10) | aggregate(avg(x) as m)")
    rows = parse("raw(x float): (1.0)@1 (4.0)@10 (2.0)@12 (3.0)@29")
    panes = situation_of(plan, {"S": rows}, LastInstants(10, horizon=40))
    wrong: Counts = {(2.5001,): [(9, 1), (10, 0)], (3.0002,): [(19, 1), (20, 0), (29, 1), (30, 0)]}
    assert not explain(panes, wrong).exact
    named = explain(panes, wrong, tolerance=0.001)
    assert named.exact
    assert named.exact[0].names == ("window end inclusive",)
