"""What is on disk is whole, whenever the server was killed."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

from metaphrase.errors import ResourceError
from metaphrase.serve.store import Record, Store, default_folder
from metaphrase.serve.submission import SentFile, Submission

SUBMISSION = Submission(
    "title", "en", ("chrf",), (SentFile("r.txt", b"a\n"),), (SentFile("s.txt", b"b\n"),)
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "state" / "serve"


def kept(folder: Path, state: str, *, results: bool = True) -> Record:
    store = Store(folder)
    record = store.create(SUBMISSION)
    record.state = state
    if results:
        (folder / record.id / "results").mkdir()
    store.update(record)
    store.close()
    return record


def recovered(folder: Path) -> list[Record]:
    store = Store(folder)
    try:
        return store.recover()
    finally:
        store.close()


def test_finished_evaluations_are_there_again(folder: Path) -> None:
    first, second = kept(folder, "done"), kept(folder, "cancelled", results=False)
    assert recovered(folder) == [first, second]


@pytest.mark.parametrize("state", ["queued", "running"])
def test_unfinished_ones_have_failed_with_a_code(folder: Path, state: str) -> None:
    kept(folder, state, results=False)
    for _ in range(2):
        (record,) = recovered(folder)
        assert record.state == "failed"
        assert record.error is not None
        assert record.error["code"] == "MP834"


def test_what_is_half_written_is_cleaned_away(folder: Path) -> None:
    record = kept(folder, "done")
    (folder / ".draft").mkdir()
    (folder / ("A" * 24)).mkdir()  # without a record
    broken = kept(folder, "done")
    (folder / broken.id / "record.json").write_text('{"id": ')
    lost = kept(folder, "done", results=False)
    (folder / record.id / ".metaphrase-0.tmp").write_text("")
    (folder / record.id / ".results").mkdir()
    assert recovered(folder) == [record]
    assert {path.name for path in folder.iterdir()} == {record.id, ".lock"}
    assert not (folder / lost.id).exists()
    assert not list((folder / record.id).glob(".*"))


def test_what_is_not_ours_is_left_alone(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "notes.txt").write_text("mine")
    (folder / "holiday photographs").mkdir()
    assert recovered(folder) == []
    assert {path.name for path in folder.iterdir()} == {".lock", "notes.txt", "holiday photographs"}


@pytest.mark.skipif(os.name != "posix", reason="needs file modes")
def test_nobody_else_may_look(folder: Path) -> None:
    record = kept(folder, "done")
    for path in (folder, folder / record.id, folder / record.id / "files"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o700


def test_ids_cannot_be_guessed_or_repeat(folder: Path) -> None:
    store = Store(folder)
    ids = {store.create(SUBMISSION).id for _ in range(20)}
    store.close()
    assert len(ids) == 20
    assert all(len(id) >= 24 for id in ids)


def test_two_servers_do_not_share_a_folder(folder: Path) -> None:
    pytest.importorskip("fcntl")
    store = Store(folder)
    with pytest.raises(ResourceError) as caught:
        Store(folder)
    assert caught.value.code == "MP822"
    store.close()
    Store(folder).close()


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ResourceError) as caught:
        Store(tmp_path / "file" / "serve")
    assert caught.value.code == "MP822"


def test_the_oldest_make_room_by_number_and_by_size(folder: Path) -> None:
    store = Store(folder)
    records = [store.create(SUBMISSION) for _ in range(4)]
    newest_first = records[::-1]
    assert list(store.surplus(newest_first, 3, 100)) == [records[0]]
    (store.path(records[2].id) / "large").write_bytes(b"0" * 2_000_000)
    assert list(store.surplus(newest_first, 100, 1)) == [records[2], records[1], records[0]]
    store.delete(records[0].id)
    assert not store.path(records[0].id).exists()
    store.delete(records[0].id)  # as often as one likes
    store.close()


def test_blocks_are_read_by_name(folder: Path) -> None:
    record = kept(folder, "done")
    results = folder / record.id / "results"
    (results / "blocks").write_bytes(b"firstsecond")
    (results / "blocks.json").write_text(json.dumps({"a/0": [0, 5], "b": [5, 6]}))
    store = Store(folder)
    assert store.block(record.id, "b") == b"second"
    store.close()


def test_the_default_folder_is_the_users_state(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    assert default_folder() == tmp_path / "metaphrase" / "serve"
