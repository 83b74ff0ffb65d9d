"""Each malformed score file or tree ends in its own error, which names file and line; nothing is written."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.malformed_scores import SUBMISSIONS, TREES, BadSubmission, BadTree
from corpus.mtme_trees import write_tree
from metaphrase.corpus.formats.mtme.scores import read_score_file, write_score_file
from metaphrase.corpus.formats.mtme.test_set import read_mtme
from metaphrase.corpus.formats.mtme.writing import write_mtme
from metaphrase.corpus.formats.submissions.files import read_submission, write_submission
from metaphrase.errors import MetaphraseError


@pytest.mark.parametrize("case", SUBMISSIONS, ids=lambda case: case.fault)
def test_submissions(case: BadSubmission, tmp_path: Path) -> None:
    path = tmp_path / case.file
    path.write_bytes(case.data)
    out = tmp_path / "out"
    out.mkdir()
    with pytest.raises(MetaphraseError) as caught:
        write_submission(
            read_submission(
                path, layout=case.layout, systems=["A", "B", "C", ""], language_pair="de-en"
            ),
            out / case.file,
        )
    error = caught.value
    assert (error.code, error.line) == (case.code, case.line), str(error)
    if case.layout != "wmt99-seg":
        assert str(path) in str(error)
    assert len(str(error)) < 600 + len(str(path))
    assert list(out.iterdir()) == []


@pytest.mark.parametrize("case", TREES, ids=lambda case: case.fault)
def test_trees(case: BadTree, tmp_path: Path) -> None:
    root = write_tree(tmp_path)
    path = root / case.file
    if path.is_dir():
        shutil.rmtree(path)
    elif case.data is None:
        path.unlink()
    if case.data == "<file>":
        path.write_text("")
    elif isinstance(case.data, str):
        path.mkdir()
    elif case.data is not None:
        path.write_bytes(case.data)
    out = tmp_path / "out"
    out.mkdir()
    with pytest.raises(MetaphraseError) as caught:
        write_mtme(read_mtme(root), out / "tree")
    error = caught.value
    assert (error.code, error.path, error.line) == (case.code, str(path), case.line), str(error)
    assert list(out.iterdir()) == []


_SOUND = {
    "a.seg.score": b"A\t1\nA\t2\nB\t1\nB\tNone\n",
    "a.domain.score": b"n\tA\t1\nm\tA\t2\n",
    "b.seg.score": b"M\tde-en\tnt\tr\tA\td1\t1\t.5\nM\tde-en\tnt\tr\tA\td1\t2\t.5\n",
    "a.sys.score": b"M\tde-en\tnt\tA\t0.5\t1\t2\tensemble\tno\n",
}
_EDITS = [b"\r", b"\t", b"\n", b" ", b"1", b"-", b"\xc2\xa0", b"\xe2\x80\xa8", b"\x0b", b"\xff"]


@given(
    st.sampled_from(sorted(_SOUND)),
    st.lists(st.tuples(st.integers(0, 60), st.sampled_from(_EDITS)), max_size=3),
)
def test_whatever_stands_in_a_file_is_read_or_refused(
    name: str, edits: list[tuple[int, bytes]]
) -> None:
    """What is read can be written, and reads back the same."""
    data = bytearray(_SOUND[name])
    for place, edit in edits:
        data[place : place + 1] = edit
    with tempfile.TemporaryDirectory() as folder:
        path, copy = Path(folder) / name, Path(folder) / f"copy-{name}"
        path.write_bytes(data)
        for read, write in (
            (read_submission, write_submission),
            (read_score_file, write_score_file),
        ):
            try:
                found = read(path)
            except MetaphraseError:
                continue
            write(found, copy)
            assert read(copy) == found
