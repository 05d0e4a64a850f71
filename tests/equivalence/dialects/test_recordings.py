"""The dialect of an engine that nobody can ask, by what it wrote."""

from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from equivalence.deviations.outcome import Outcomes
from equivalence.deviations.recorded_situation import RecordedSituation
from equivalence.deviations.situation import situation_of
from equivalence.dialects.infer import dialect_of_recordings
from equivalence.dialects.profile import Dialect
from equivalence.dialects.properties import PROPERTIES
from equivalence.dialects.property import Alternative, Property, changed
from equivalence.dialects.recorded_probe import RecordedProbe
from equivalence.recordings.recording import EveryInstant
from semantics import FOREVER, SnapeqError, parse, parse_plan
from tests.equivalence.command.command import snapeq

ROWS = (
    ("raw(k int, v int): (1, 5)@1 (1, 5)@1 (null, 4)@2 (2, null)@3 (1, 7)@6 (2, -7)@9 (null, null)@11 (1, 2)@15",) * 2,
    (
        "raw(k int, v int): (3, 1)@0 (1, -3)@4 (1, 8)@4 (1, 8)@5 (null, 8)@5 (2, 1)@12 (2, null)@14",
        "raw(k int, v int): ",
    ),
)
QUERIES = (
    "S(k int, v int) | window(range 4) | group(k; count(*) as n, count(v) as m, sum(v) as s)",
    "S(k int, v int) | window(range 4 slide 4) | group(k; avg(v) as a)",
    "S(k int, v int) | window(rows 2)",
    "S(k int, v int) | filter(v < 6) | distinct",
    "S(k int, v int) | aggregate(count(*) as n) with empty",
    "union(S(k int, v int), T(k int, v int))",
    "difference(S(k int, v int), T(k int, v int) | filter(v > 4) | distinct)",
    "S(k int, v int) | map(v / 2 as half, v mod 3 as rest)",
)
WHOLE = [one for one in PROPERTIES if one.name not in ("reports", "late rows", "what is late")]
PLANTED = [(one, alternative) for one in WHOLE for alternative in one.alternatives[1:]]
PAIRS = [(a, b) for a, b in combinations(PLANTED, 2) if a[0] is not b[0]]
Planted = tuple[Property, Alternative]


def recorded(query: str, rows: tuple[str, str], number: int, planted: tuple[Planted, ...]) -> RecordedProbe:
    """What an engine writes for which this holds."""
    plan = parse_plan(query)
    streams = {name: parse(text) for name, text in zip("ST", rows, strict=True) if name in plan.sources()}
    situation = situation_of(plan, streams, EveryInstant(40))
    got = Outcomes().of(changed(situation, [alternative for _, alternative in planted]))
    return RecordedProbe(query, f"recording {number}", RecordedSituation(situation, got, True, FOREVER))


def dialect_with(*planted: Planted) -> Dialect:
    found = []
    for number, query in enumerate(QUERIES * len(ROWS)):
        try:
            found.append(recorded(query, ROWS[number // len(QUERIES)], number, planted))
        except SnapeqError:  # an engine that fails writes nothing
            continue
    return dialect_of_recordings("engine", found)


@pytest.mark.parametrize("pair", Random(21).sample(PAIRS, 10), ids=lambda pair: " + ".join(a.name for _, a in pair))
def test_what_holds_is_never_excluded(pair: tuple[Planted, Planted]) -> None:
    dialect = dialect_with(*pair)
    truth = dict(pair)
    for one in dialect.meanings:
        assert truth.get(one.about, one.about.alternatives[0]) in one.possible, one.about.name
    assert not dialect.unforeseen


SHOWN = ("NULL groups dropped", "SUM of nothing is 0", "window end inclusive", "COUNT(*) for COUNT(x)")


@pytest.mark.parametrize("name", SHOWN)
def test_what_shows_is_decided(name: str) -> None:
    planted = next((one, alternative) for one, alternative in PLANTED if alternative.name == name)
    assert dialect_with(planted).meaning(planted[0].name).possible == (planted[1],)


def test_files_are_read_as_by_check(tmp_path: Path) -> None:
    folder = tmp_path / "theirs" / "sums"
    folder.mkdir(parents=True)
    (folder / "query.sql").write_text(
        "CREATE STREAM S(x INT, y INT, t INT) ORDERED BY t;\nSELECT x, SUM(y) AS s FROM S WINDOW(RANGE 3) GROUP BY x"
    )
    (folder / "S.csv").write_text("t,x,y\n1,1,\n1,2,5\n1,,6\n")
    (folder / "output.csv").write_text("x,s,_start,_end\n1,0,1,4\n2,5,1,4\n")
    result = snapeq("dialect", "--recordings", str(tmp_path / "theirs"))
    assert result.code == 0, result.err
    assert "! NULL groups     rows with NULL in a group column are lost" in result.out
    assert "! SUM and NULL    the sum of no value is 0, not NULL" in result.out
    assert "answer:   (1, 0)@[1, 4) (2, 5)@[1, 4)" in result.out


def test_a_recording_that_lacks_a_file_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "query.sql").write_text("CREATE STREAM S(x INT, t INT) ORDERED BY t;\nSELECT x FROM S")
    result = snapeq("dialect", "--recordings", str(tmp_path))
    assert result.code == 2
    assert "expected one file output, such as output.csv, got none" in result.err
