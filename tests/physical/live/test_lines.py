"""Lines as elements, and bad lines with their reasons."""

import pytest

from physical.files.errors import FileError
from physical.live.lines import LineCutter, LineReader
from tests.physical.live.systems import BID_COLUMNS, new_system

READER = LineReader.of("Bid", new_system().around.declared.layout("Bid"), max_bytes=60)


def test_csv_and_json_give_the_same_elements() -> None:
    by_csv, _, _ = READER.sift(b"1,9.5,3\n,,4\n", BID_COLUMNS)
    by_json, _, _ = READER.sift(b'{"ts": 3, "item": 1, "price": 9.5}\n\n{"ts": 4}\n', None)
    assert by_csv.to_interval() == by_json.to_interval()
    assert len(by_csv) == 2


BAD_CSV = [
    (b"x,1,2", "column item: 'x' does not fit; expected INT"),
    (b"1,1", "2 fields for 3 columns"),
    (b"1,1,", "column ts: there is no time"),
    (b"1,1,-4", "column ts: -4 is before instant 0"),
    (b'1,1,"3', "expected"),
    (b"\xff,1,2", "UTF-8"),
    (b"1," + b"9" * 60 + b",2", "a line of 64 bytes; expected lines of at most 60 bytes"),
]


@pytest.mark.parametrize(("line", "reason"), BAD_CSV)
def test_a_bad_line_of_csv_is_set_aside_and_its_neighbours_are_not(line: bytes, reason: str) -> None:
    elements, _, bad = READER.sift(b"1,1,0\n" + line + b"\n2,2,1\n", BID_COLUMNS)
    assert elements.start.tolist() == [0, 1]
    assert len(bad) == 1
    assert reason in bad[0].reason


BAD_JSON = [
    (b'{"item": 1.5, "ts": 2}', "column item: 1.5 does not fit"),
    (b'{"item": true, "ts": 2}', "column item: True does not fit"),
    (b'{"item": 1}', "column ts: there is no time"),
    (b"[1, 2]", "[1, 2] is no object"),
    (b"null", "None is no object"),
    (b'{"item": ', "not JSON"),
    (b"\xff", "not JSON"),
]


@pytest.mark.parametrize(("line", "reason"), BAD_JSON)
def test_a_bad_line_of_json_is_set_aside_and_its_neighbours_are_not(line: bytes, reason: str) -> None:
    elements, _, bad = READER.sift(b'{"ts": 0}\n' + line + b'\n{"ts": 1}\n', None)
    assert elements.start.tolist() == [0, 1]
    assert [reason in line.reason for line in bad] == [True]


def test_a_header_must_name_all_columns() -> None:
    assert READER.header(b"ts,price,item,more\r\n") == ("ts", "price", "item", "more")
    assert READER.header(b' {"ts": 1}') is None
    with pytest.raises(FileError, match="there is no column price"):
        READER.header(b"item,ts")
    with pytest.raises(FileError, match="two columns have one name"):
        READER.header(b"item,price,ts,ts")
    for no_csv in (b"\x07\rgarbage\xff\r\x00", b"x" * 200_000):
        with pytest.raises(FileError, match=r"there is no column item, price, ts; the first line is .*expected a line"):
            READER.header(no_csv)


def test_lines_are_cut_however_they_arrive() -> None:
    cutter = LineCutter(8)
    assert [cutter.feed(piece) for piece in (b"ab", b"c\nde", b"f\n\ng")] == [
        (b"", b""),
        (b"abc\n", b""),
        (b"def\n\n", b""),
    ]
    assert cutter.end() == b"g\n"


def test_a_line_that_is_too_long_is_dropped_as_it_comes() -> None:
    cutter = LineCutter(8)
    assert cutter.feed(b"ok\n123456789") == (b"ok\n", b"123456789")
    assert cutter.feed(b"more of it") == (b"", b"")
    assert cutter.feed(b"end\nnext\n") == (b"next\n", b"")
