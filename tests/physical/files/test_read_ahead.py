"""Reading ahead changes nothing but the time that it takes."""

from collections.abc import Iterator
from pathlib import Path
from threading import active_count

import pytest

from physical.files import reader
from physical.files.layout import Layout
from physical.files.read_ahead import AHEAD, ReadAhead
from physical.files.reader import FileReader
from semantics import Schema


def test_an_error_comes_at_its_place() -> None:
    def read() -> Iterator[int]:
        yield from range(9)
        raise ValueError("here")

    items = ReadAhead(read).items()
    assert [next(items) for _ in range(9)] == list(range(9))
    with pytest.raises(ValueError, match="here"):
        next(items)


def test_who_stops_in_the_middle_ends_the_thread_and_reads_little() -> None:
    taken = []

    def read() -> Iterator[int]:
        for i in range(10**6):
            taken.append(i)
            yield i

    before, items = active_count(), ReadAhead(read).items()
    assert next(items) == 0
    items.close()  # type: ignore[attr-defined]  # it is a generator
    assert active_count() == before
    assert len(taken) < 5 * AHEAD


@pytest.fixture(name="file")
def _file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FileReader:
    """A file that counts as large."""
    monkeypatch.setattr(reader, "TEXT_BYTES_AT_ONCE", 100)
    monkeypatch.setenv("SNAPEQ_THREADS", "2")
    path = tmp_path / "S.csv"
    path.write_text("x,_start,_end\n" + "".join(f"{i},{i},{i + 1}\n" for i in range(500)), encoding="utf-8")
    return FileReader(path, Layout(Schema.of(x=int), "_start", "_end"))


def rows(file: FileReader) -> list[int]:
    return [int(start) for batch in file.batches() for start in batch.elements.start]


def test_a_file_that_was_begun_is_read_once_and_may_be_read_again(file: FileReader) -> None:
    before = active_count()
    with file.begun():
        assert len(file.beginnings) == 1
        assert rows(file) == rows(file) == list(range(500))
        assert not file.beginnings
    assert active_count() == before


def test_what_was_begun_and_not_wanted_ends(file: FileReader) -> None:
    before = active_count()
    with file.begun():
        pass
    assert active_count() == before
    assert not file.beginnings
    assert rows(file) == list(range(500))


def test_one_thread_reads_nothing_ahead(file: FileReader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SNAPEQ_THREADS", "1")
    with file.begun():
        assert not file.beginnings
        assert rows(file) == list(range(500))
