"""What is on disk is whole, whenever the server was killed."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

from metaphrase.errors import ResourceError
from metaphrase.serve.evaluation_request import EvaluationRequest, SentFile
from metaphrase.serve.store import EvaluationStore, Record, default_folder

SUBMISSION = EvaluationRequest(
    "title", "en", ("chrf",), (SentFile("r.txt", b"a\n"),), (SentFile("s.txt", b"b\n"),)
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "state" / "serve"


def kept(folder: Path, state: str, *, results: bool = True) -> Record:
    store = EvaluationStore(folder)
    record = store.create(SUBMISSION)
    record.state = state
    if results:
        (store.path(record.id) / "results").mkdir()
    store.update(record)
    store.close()
    return record


def recovered(folder: Path) -> list[Record]:
    store = EvaluationStore(folder)
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
    evaluations = folder / "evaluations"
    for number, content in enumerate(["metaphrase-serve.txt", None]):
        draft = evaluations / f".draft-{number}{'A' * 23}"
        draft.mkdir()
        if content is not None:
            (draft / content).write_text("")
            (draft / "files").mkdir()
            (draft / "files" / "text").write_text("half")
    inside = evaluations / record.id
    (inside / f".metaphrase-{'0' * 16}.tmp").write_text("")
    (inside / ".results").mkdir()
    (inside / ".results" / "blocks").write_text("half")
    assert recovered(folder) == [record]
    assert [path.name for path in evaluations.iterdir()] == [record.id]
    assert not list(inside.glob(".*"))


@pytest.mark.parametrize("state", ["queued", "running"])
def test_one_whose_results_are_there_is_done_though_nobody_could_note_it(
    folder: Path, state: str
) -> None:
    """The disk was full when the record was to be written; the sender was told that it was done."""
    kept(folder, state)
    for _ in range(2):
        (record,) = recovered(folder)
        assert (record.state, record.error) == ("done", None)


def test_one_whose_results_are_gone_has_failed(folder: Path) -> None:
    kept(folder, "done", results=False)
    (record,) = recovered(folder)
    assert record.state == "failed"


def everything(folder: Path) -> dict[str, str | None]:
    return {
        str(path.relative_to(folder)): path.read_text() if path.is_file() else None
        for path in folder.rglob("*")
    }


def test_a_folder_of_somebody_elses_is_refused_and_left_as_it_is(folder: Path) -> None:
    for name in (".git", ".ssh", "experiment-2026-november", "A" * 24, ".draft-" + "A" * 24):
        (folder / name).mkdir(parents=True)
        (folder / name / "mine").write_text("mine")
    before = everything(folder)
    with pytest.raises(ResourceError) as caught:
        EvaluationStore(folder)
    assert caught.value.code == "MP822"
    assert everything(folder) == before


def test_what_is_not_ours_is_left_alone_in_our_folder_too(folder: Path, tmp_path: Path) -> None:
    record = kept(folder, "done")
    damaged = kept(folder, "done")
    evaluations = folder / "evaluations"
    (evaluations / damaged.id / "record.json").write_text('{"id": ')
    (evaluations / record.id / ".keepme").mkdir()
    for place in (folder, evaluations):
        (place / "notes.txt").write_text("mine")
        for name in (".git", "holiday photographs", "B" * 24, ".draft-" + "B" * 24):
            (place / name).mkdir()
            (place / name / "mine").write_text("mine")
    before = everything(folder)
    assert recovered(folder) == [record]
    assert everything(folder) == before


def test_links_are_not_followed(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    record = kept(other, "running", results=False)
    draft = other / "evaluations" / record.id / ".results"
    draft.mkdir()
    EvaluationStore(folder).close()
    for name in (record.id, f".draft-{record.id}"):
        (folder / "evaluations" / name).symlink_to(other / "evaluations" / record.id)
    before = everything(other)
    assert recovered(folder) == []
    assert everything(other) == before
    elsewhere = tmp_path / "elsewhere"
    EvaluationStore(elsewhere).close()
    (elsewhere / "evaluations").rmdir()
    (elsewhere / "evaluations").symlink_to(other / "evaluations")
    with pytest.raises(ResourceError) as caught:
        EvaluationStore(elsewhere)
    assert caught.value.code == "MP822"
    assert everything(other) == before


@pytest.mark.skipif(os.name != "posix", reason="needs file modes")
def test_nobody_else_may_look(folder: Path) -> None:
    record = kept(folder, "done")
    inside = folder / "evaluations" / record.id
    for path in (folder, folder / "evaluations", inside, inside / "files"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o700


def test_ids_cannot_be_guessed_or_repeat(folder: Path) -> None:
    store = EvaluationStore(folder)
    ids = {store.create(SUBMISSION).id for _ in range(20)}
    store.close()
    assert len(ids) == 20
    assert all(len(id) >= 24 for id in ids)


def test_two_servers_do_not_share_a_folder(folder: Path) -> None:
    pytest.importorskip("fcntl")
    store = EvaluationStore(folder)
    with pytest.raises(ResourceError) as caught:
        EvaluationStore(folder)
    assert caught.value.code == "MP822"
    store.close()
    EvaluationStore(folder).close()


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ResourceError) as caught:
        EvaluationStore(tmp_path / "file" / "serve")
    assert caught.value.code == "MP822"


def test_the_oldest_make_room_by_number_and_by_size(folder: Path) -> None:
    store = EvaluationStore(folder)
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
    results = folder / "evaluations" / record.id / "results"
    (results / "blocks").write_bytes(b"firstsecond")
    (results / "blocks.json").write_text(json.dumps({"a/0": [0, 5], "b": [5, 6]}))
    store = EvaluationStore(folder)
    assert store.block(record.id, "b") == b"second"
    store.close()


def test_the_default_folder_is_the_users_state(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    assert default_folder() == tmp_path / "metaphrase" / "serve"
