"""Half-written files have an end: with their block, or with the process that holds them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from metaphrase.corpus import drafts
from metaphrase.corpus.drafts import is_draft, new_draft, new_draft_folder, sweep
from metaphrase.corpus.writing import atomic_folder, atomic_writer

pytestmark = pytest.mark.skipif(os.name != "posix", reason="there are no such locks")


@pytest.fixture(autouse=True)
def forgetful(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if each test were another process."""
    monkeypatch.setattr(drafts, "_swept", set())


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def abandoned(folder: Path) -> None:
    """What a process leaves that is killed while it writes a file and a folder."""
    code = (
        "import os, sys; from metaphrase.corpus.writing import atomic_folder, atomic_writer\n"
        "with atomic_writer('a') as stream, atomic_folder('b') as folder:\n"
        "    (folder / 'c').write_text('half'); os.kill(os.getpid(), 9)"
    )
    path = os.pathsep.join(place for place in sys.path if place)
    subprocess.run([sys.executable, "-c", code], cwd=folder, env=os.environ | {"PYTHONPATH": path})
    assert len(names(folder)) == 2
    assert all(is_draft(name) for name in names(folder))


def test_who_writes_next_removes_what_nobody_holds(tmp_path: Path) -> None:
    abandoned(tmp_path)
    with atomic_writer(tmp_path / "a") as stream:
        stream.write(b"whole")
    assert names(tmp_path) == ["a"]


def test_who_makes_a_folder_does_so_too(tmp_path: Path) -> None:
    abandoned(tmp_path)
    with atomic_folder(tmp_path / "b"):
        pass
    assert names(tmp_path) == ["b"]


def test_what_somebody_works_on_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with atomic_writer(tmp_path / "a") as stream, atomic_folder(tmp_path / "b"):
        before = names(tmp_path)
        monkeypatch.setattr(drafts, "_swept", set())
        sweep(tmp_path)
        assert names(tmp_path) == before
        stream.write(b"whole")
    assert names(tmp_path) == ["a", "b"]


def test_what_is_not_ours_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files of other names, links, and drafts of other machines, whose locks nobody sees."""
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(drafts, "_machine", lambda: "01234567")
        (tmp_path / drafts.draft_name()).write_text("of another machine")
    (tmp_path / ".metaphrase-0123456789abcdef.tmp").write_text("of another version")
    (tmp_path / "target").write_text("linked")
    (tmp_path / drafts.draft_name()).symlink_to(tmp_path / "target")
    before = names(tmp_path)
    sweep(tmp_path)
    assert names(tmp_path) == before


def test_a_draft_that_was_swept_before_it_was_locked_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = drafts._locked
    quicker = [True]

    def locked(descriptor: int, *, wait: bool) -> bool:
        if quicker:
            quicker.clear()
            for path in tmp_path.iterdir():
                path.rmdir() if path.is_dir() else path.unlink()
        return lock(descriptor, wait=wait)

    monkeypatch.setattr(drafts, "_locked", locked)
    with new_draft(tmp_path) as (draft, descriptor):
        os.close(descriptor)
        assert draft.is_file()
    quicker.append(True)
    with new_draft_folder(tmp_path) as draft:
        assert draft.is_dir()
    assert names(tmp_path) == []


def test_drafts_do_not_make_a_folder_full(tmp_path: Path) -> None:
    folder = tmp_path / "b"
    folder.mkdir()
    abandoned(folder)
    with atomic_folder(folder) as draft:
        (draft / "c").write_text("whole")
    assert names(folder) == ["c"]
