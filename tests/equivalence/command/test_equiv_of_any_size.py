"""`snapeq equiv --by prove` and `--by exhaust` on long windows, NULL, constants and numbers of thousands of digits."""

from pathlib import Path
from typing import Final

import pytest

from tests.equivalence.command.command import snapeq

LONG: Final = "S(x int) | window(range 600)"
MANY_DIGITS: Final = "7" * 5000
DECLARED: Final = """
CREATE STREAM S(e INT, f INT, ts BIGINT) ORDERED BY ts;
CREATE STREAM T(e INT, ts BIGINT) ORDERED BY ts;
"""


@pytest.fixture
def catalogue(tmp_path: Path) -> str:
    file = tmp_path / "catalogue.sql"
    file.write_text(DECLARED)
    return str(file)


@pytest.mark.parametrize("by", ["prove", "exhaust"])
def test_long_windows_are_told_apart_with_a_picture(by: str) -> None:
    ran = snapeq("equiv", LONG, "S(x int) | window(range 601)", "--by", by)
    assert ran.code == 1
    assert "at instant 600 the left holds  {}" in ran.out


@pytest.mark.parametrize("by", ["prove", "exhaust"])
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("SELECT COUNT(*) AS n FROM S WINDOW(RANGE 9)", "SELECT COUNT(e) AS n FROM S WINDOW(RANGE 9)"),
        (
            "SELECT f FROM S WHERE e NOT IN (SELECT e FROM T)",
            "SELECT f FROM S WHERE NOT EXISTS (SELECT * FROM T WHERE T.e = S.e)",
        ),
        ("SELECT f FROM S WHERE e > 50", "SELECT f FROM S WHERE e > 500"),
    ],
    ids=["COUNT", "NOT IN", "constant"],
)
def test_null_and_constants_are_among_the_values(by: str, one: str, other: str, catalogue: str) -> None:
    ran = snapeq("equiv", one, other, "--by", by, "--catalog", catalogue)
    assert (ran.code, ran.out.split()[0]) == (1, "REFUTED")


def test_the_text_says_what_was_exhausted() -> None:
    ran = snapeq(
        "equiv", f"{LONG} | filter(x > 50)", "S(x int) | filter(x > 50) | window(range 600)", "--by", "exhaust"
    )
    assert ran.code == 0
    headline, small, *few = ran.out.splitlines()
    assert headline.startswith("AGREED (on all small cases; ")
    assert small.endswith(" cases: S: up to 4 of each of (0), (51), (null) at instants 0, 1, 600")
    assert few[0].endswith("at instants 0, 1, 599, 600, 601, 1200; S: 8 rows, x in {0, 51, null, 1, 2, -1, 50, 49}")
    assert len(few) == 4


@pytest.mark.parametrize(
    ("by", "one", "other", "reason"),
    [
        ("exhaust", "window(rows 50000)", "window(rows 50001)", "no case fills a window of 50,000 rows"),
        (
            "exhaust",
            "window(range 600) | window(range 90)",
            "window(range 600) | window(range 91)",
            "the windows do not fit",
        ),
        ("prove", "aggregate(var_pop(x) as v)", "aggregate(var_pop(0 - x) as v)", "outside the fragment: VarPop"),
    ],
    ids=["rows", "windows of windows", "variances"],
)
def test_unknown_says_why(by: str, one: str, other: str, reason: str) -> None:
    ran = snapeq("equiv", f"S(x int) | {one}", f"S(x int) | {other}", "--by", by)
    assert (ran.code, ran.out.split()[0]) == (3, "UNKNOWN")
    assert ran.out.splitlines()[1].startswith(reason)


@pytest.mark.parametrize("by", ["prove", "exhaust", "sample"])
@pytest.mark.parametrize(
    "query",
    [
        f"SELECT e FROM S WHERE e > {MANY_DIGITS}",
        f"SELECT e FROM S WINDOW(RANGE {MANY_DIGITS})",
        f"SELECT e FROM S WINDOW(ROWS {MANY_DIGITS})",
        f"SELECT e FROM S WHERE e > 1e{MANY_DIGITS}",
        f"S(e int) | filter(e > {MANY_DIGITS})",
        f"S(e int) | window(range {MANY_DIGITS})",
        f"S(e int) | window(rows {MANY_DIGITS})",
    ],
    ids=["constant", "RANGE", "ROWS", "exponent", "filter", "range", "rows"],
)
def test_thousands_of_digits_are_one_line(by: str, query: str, catalogue: str) -> None:
    ran = snapeq("equiv", query, "SELECT e FROM S", "--by", by, "--catalog", catalogue)
    assert (ran.code, ran.out, len(ran.err.splitlines())) == (2, "", 1)
    assert len(ran.err) < 500


def test_sources_may_have_line_breaks_and_bars_in_their_names() -> None:
    plan = '"a|b\\nc"(x int) | window(range 2)'
    ran = snapeq("equiv", plan, f"{plan} | distinct", "--by", "prove")
    assert (ran.code, ran.out.split()[0]) == (1, "REFUTED")
