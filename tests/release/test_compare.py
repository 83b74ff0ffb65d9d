"""Two builds are the same, or it is said where they differ."""

from __future__ import annotations

import tarfile
from pathlib import Path
from zipfile import ZipFile, ZipInfo

import pytest

compare = pytest.importorskip("release.compare", reason="a source distribution has no release/")


def wheel(path: Path, members: dict[str, str], year: int = 2020) -> Path:
    path.parent.mkdir(exist_ok=True)
    with ZipFile(path, "w") as archive:
        for name, text in members.items():
            archive.writestr(ZipInfo(name, (year, 1, 1, 0, 0, 0)), text)
    return path


def test_the_same_bytes_have_no_difference(tmp_path: Path) -> None:
    one, other = (wheel(tmp_path / n / "a.whl", {"a.py": "1"}) for n in "xy")
    assert list(compare.differences(one, other)) == []
    assert compare.main(str(one.parent), str(other.parent)) == 0


def test_a_member_that_differs_is_named(tmp_path: Path) -> None:
    one = wheel(tmp_path / "x" / "a.whl", {"a.py": "1", "b.py": "1", "c.py": "1"})
    other = wheel(tmp_path / "y" / "a.whl", {"a.py": "2", "c.py": "1", "d.py": "1"})
    found = list(compare.differences(one, other))
    assert found == ["a.py differs", f"b.py is only in {one}", f"d.py is only in {other}"]
    assert compare.main(str(one.parent), str(other.parent)) == 1


def test_dates_are_a_difference_too(tmp_path: Path) -> None:
    one = wheel(tmp_path / "x" / "a.whl", {"a.py": "1"}, 2020)
    other = wheel(tmp_path / "y" / "a.whl", {"a.py": "1"}, 2021)
    (found,) = compare.differences(one, other)
    assert "packed otherwise" in found


def test_a_file_that_one_build_lacks_is_a_difference(tmp_path: Path) -> None:
    wheel(tmp_path / "x" / "a.whl", {"a.py": "1"})
    wheel(tmp_path / "y" / "b.whl", {"a.py": "1"})
    assert compare.main(str(tmp_path / "x"), str(tmp_path / "y")) == 1


def test_no_build_at_all_is_not_the_same_build(tmp_path: Path) -> None:
    assert compare.main(str(tmp_path), str(tmp_path)) == 1


def test_source_distributions_are_read_too(tmp_path: Path) -> None:
    for folder, text in (("x", "1"), ("y", "2")):
        (tmp_path / folder).mkdir()
        (tmp_path / f"{folder}.py").write_text(text, encoding="utf-8")
        with tarfile.open(tmp_path / folder / "a.tar.gz", "w:gz") as archive:
            archive.add(tmp_path / f"{folder}.py", "a/a.py")
    pair = (tmp_path / folder / "a.tar.gz" for folder in "xy")
    assert list(compare.differences(*pair)) == ["a/a.py differs"]
