"""Each malformed score file or tree ends in its own error, which names file and line; nothing is written."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from corpus.malformed_scores import SUBMISSIONS, TREES, BadSubmission, BadTree
from corpus.mtme_trees import write_tree
from metaphrase.corpus.mtme import read_mtme
from metaphrase.corpus.mtme_writing import write_mtme
from metaphrase.corpus.submissions import read_submission, write_submission
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
