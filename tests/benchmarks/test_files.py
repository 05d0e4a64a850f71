"""DuckDB and snapeq agree about files."""

import pytest

from benchmarks.harness.agree import compare
from benchmarks.harness.work import Work
from benchmarks.studies import engine
from benchmarks.works import files

WORKS = [
    files.selection(keys=3, values=200_000),
    files.join(keys=2, length=4, values=2),
    files.selection(keys=3, values=200_000, as_command=True),
    files.diff("alike", cut=False, rows=2, length=4),
    files.diff("pieces", cut=True, rows=2, length=4),
]


@pytest.mark.parametrize("size", [20, 200])
@pytest.mark.parametrize("work", WORKS, ids=lambda work: work.name)
def test_differential_files(work: Work, size: int) -> None:
    inputs = work.inputs(size)
    contestants = [engine.prepare(work.task, inputs), *(peer.prepare(inputs) for peer in work.peers)]
    ours, theirs = (contestant.read(contestant.run()) for contestant in contestants)
    assert compare(ours, theirs) is None
