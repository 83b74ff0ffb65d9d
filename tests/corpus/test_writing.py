"""Files are there completely or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from metaphrase.corpus.writing import atomic_writer

Refused = Callable[..., AbstractContextManager[None]]


def test_the_file_appears_when_the_block_ends(tmp_path: Path) -> None:
    path = tmp_path / "out"
    with atomic_writer(path) as stream:
        stream.write(b"new")
        assert not path.exists()
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["out", "out.gz"])
def test_an_error_leaves_the_old_file(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"old")
    with pytest.raises(TypeError), atomic_writer(path) as stream:
        stream.writelines([b"new", None])  # type: ignore[list-item]
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_overwriting_is_refused_only_if_asked(tmp_path: Path, refused: Refused) -> None:
    path = tmp_path / "out"
    path.write_bytes(b"old")
    with refused("MP130", path=path), atomic_writer(path, overwrite=False):
        pass
    with atomic_writer(path) as stream:
        stream.write(b"new")
    assert path.read_bytes() == b"new"


def test_what_is_not_a_regular_file_is_never_replaced(tmp_path: Path, refused: Refused) -> None:
    with refused("MP132", "directory", path=tmp_path), atomic_writer(tmp_path):
        pass
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with refused("MP132", "not a regular file", path=pipe), atomic_writer(pipe):
        pass


def test_a_link_goes_on_pointing_to_its_file(tmp_path: Path) -> None:
    path, link = tmp_path / "out", tmp_path / "link"
    link.symlink_to(path)
    with atomic_writer(link) as stream:
        stream.write(b"new")
    assert link.is_symlink()
    assert path.read_bytes() == b"new"


def test_permissions_are_those_of_the_old_file_or_of_the_umask(tmp_path: Path) -> None:
    path = tmp_path / "out"
    before = os.umask(0o027)
    try:
        with atomic_writer(path):
            pass
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o640
    path.chmod(0o604)
    with atomic_writer(path):
        pass
    assert path.stat().st_mode & 0o777 == 0o604


def test_a_missing_directory_is_an_error(tmp_path: Path, refused: Refused) -> None:
    path = tmp_path / "none" / "out"
    with refused("MP132", "No such file", path=path), atomic_writer(path):
        pass


def test_nothing_is_written_to_a_dash_or_an_impossible_name(refused: Refused) -> None:
    with refused("MP108"), atomic_writer("-"):
        pass
    with refused("MP132", path="a\0b"), atomic_writer("a\0b"):
        pass
