"""Files that are written completely or not at all, through links, and with the mode that they had."""

import os
from pathlib import Path
from threading import Thread

import pytest

from physical.files.errors import FileError
from physical.files.whole_file import whole_file, writable, writable_folder


def write(path: Path, text: bytes) -> None:
    with whole_file(path) as file:
        file.write(text)


def test_a_link_stays_a_link_and_the_file_keeps_its_mode(tmp_path: Path) -> None:
    target, link = tmp_path / "target.csv", tmp_path / "link.csv"
    target.write_bytes(b"old")
    target.chmod(0o640)
    link.symlink_to("target.csv")
    write(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    assert target.stat().st_mode & 0o7777 == 0o640
    assert sorted(os.listdir(tmp_path)) == ["link.csv", "target.csv"]


def test_a_link_to_nothing_yet_is_followed(tmp_path: Path) -> None:
    link = tmp_path / "link.csv"
    link.symlink_to("later.csv")
    write(link, b"new")
    assert link.is_symlink()
    assert (tmp_path / "later.csv").read_bytes() == b"new"


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    path.write_bytes(b"old")
    with pytest.raises(TypeError), whole_file(path) as file:
        file.writelines([b"half", "no bytes"])  # type: ignore[list-item]  # it fails in the middle
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["out.csv"]


def test_a_long_name_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / ("ä" * 125 + ".csv")
    write(path, b"x")
    assert path.read_bytes() == b"x"


def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe, heard = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = Thread(target=lambda: heard.append(pipe.read_bytes()))
    reader.start()
    write(pipe, b"through")
    reader.join()
    assert heard == [b"through"]
    assert pipe.is_fifo()


@pytest.mark.parametrize(
    ("name", "problem"), [("none/out.csv", "there is no folder"), (".", "this is a folder"), ("file/x", "no folder")]
)
def test_what_cannot_be_written_is_said(tmp_path: Path, name: str, problem: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match=problem):
        writable(tmp_path / name)


def test_a_folder_may_be_new_but_must_not_be_a_file(tmp_path: Path) -> None:
    assert writable_folder(tmp_path / "a" / "b") == (tmp_path / "a" / "b").resolve()
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="is a file; expected a folder"):
        writable_folder(tmp_path / "file" / "b")
