"""Queries with inputs and expected rows from engines' own suites: right, or refused or deviating for a stated reason.

The cases lie beside the repository; where they are not there, the tests are skipped. No text of them is here.
"""

import re

import pytest

from semantics.sql.dialects.refusals import NotByEventTime, Refused
from semantics.sql.errors import SqlError
from tests.paths import ROOT
from tests.semantics.sql.dialects.engine_cases import EngineCase, cases_in, right

CASES = cases_in(ROOT.parent / "shared" / "cases")
NO_CASES = "the cases of engines' suites lie beside the repository, in ../shared/cases"

NOT_BY_EVENT_TIME = {
    "calc-current-timestamp": "CURRENT_TIMESTAMP",
    "expand": "FIRST_VALUE in the order of arrival",
    "group-window-aggregate-hop-proc-time": "processing time",
    "group-window-aggregate-session-proc-time": "processing time",
    "interval-join-proc-time": "processing time",
    "rank-n-test": "processing time",
}
FUNCTIONS_OF_USERS = re.compile(
    r"correlate-(join-filter|left-join)|group-aggregate-udf.*|over-aggregate-(un)?bounded-partitioned-.*"
)
CHANGELOG_FUNCTIONS = re.compile(r"(from|to)-changelog-.*")
REFUSED = {
    "session_window_with_column_gap": "durations in the text of rows",
}
DEVIATING = {
    "agg-with-state-ttl-hint": "the engine forgets rows after their time to live, which the query does not say",
    "session_window_in_qualify": "the engine adds the window as a first column, which the query does not select",
    "window_in_qualify": "the engine adds the window as a first column, which the query does not select",
}
"""docs/dialects.md lists them, too."""


def test_nine_of_ten_cases_about_windows_joins_aggregates_and_places_are_right() -> None:
    if not CASES:
        pytest.skip(NO_CASES)
    about = [c for c in CASES if not CHANGELOG_FUNCTIONS.fullmatch(c.folder.name) and _by_event_time(c)]
    expected = [case for case in about if _expected_to_be_right(case)]
    assert len(expected) >= 0.9 * len(about)


def _by_event_time(case: EngineCase) -> bool:
    return case.folder.name not in NOT_BY_EVENT_TIME and not FUNCTIONS_OF_USERS.fullmatch(case.folder.name)


def _expected_to_be_right(case: EngineCase) -> bool:
    return _by_event_time(case) and case.folder.name not in {**REFUSED, **DEVIATING} and not _is_changelog(case)


def expectation_of(case: EngineCase) -> str:
    """What is said of a case: right, refused by name, or a deviation of the engine."""
    name = case.folder.name
    if name in {**NOT_BY_EVENT_TIME, **REFUSED} or FUNCTIONS_OF_USERS.fullmatch(name) or _is_changelog(case):
        return "refused"
    return "deviating" if name in DEVIATING else "right"


def _is_changelog(case: EngineCase) -> bool:
    return CHANGELOG_FUNCTIONS.fullmatch(case.folder.name) is not None


@pytest.mark.parametrize("case", CASES or [None], ids=lambda case: case.folder.name if case else "none")
def test_a_case_of_an_engines_suite_is_right_or_not_for_a_stated_reason(case: EngineCase | None) -> None:
    if case is None:
        pytest.skip(NO_CASES)
    name = case.folder.name
    if name in NOT_BY_EVENT_TIME:
        with pytest.raises(NotByEventTime):
            right(case)
    elif name in REFUSED or FUNCTIONS_OF_USERS.fullmatch(name) or _is_changelog(case):
        with pytest.raises((Refused, SqlError), match="refused"):
            right(case)
    else:
        assert right(case) is (name not in DEVIATING)
        if name.endswith("_in_qualify"):
            assert right(case, surplus=1)
