"""The notebooks of the gallery run from top to bottom and show what was committed."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

GALLERY = Path(__file__).parents[1] / "docs" / "notebooks"
NOTEBOOKS = sorted(GALLERY.glob("*.ipynb"))


@pytest.fixture(scope="module")
def run() -> ModuleType:
    """What refreshes them."""
    specification = importlib.util.spec_from_file_location("run", GALLERY / "run.py")
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_what_was_committed(run: ModuleType, path: Path) -> None:
    assert run.changes(path) == "", "If that is right: python docs/notebooks/run.py"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_says_nothing_about_who_ran_it(run: ModuleType, path: Path) -> None:
    notebook = run.read(path)
    assert path.read_text("utf-8") == run.written(run.kept(notebook))
    assert notebook["metadata"] == run.METADATA
    assert not re.search(r"/home/|/tmp/|/work/|site-packages| at 0x", path.read_text("utf-8"))


def test_every_notebook_is_in_the_gallery() -> None:
    page = (GALLERY / "index.md").read_text("utf-8")
    assert len(NOTEBOOKS) == 5
    for path in NOTEBOOKS:
        assert f"]({path.name})" in page
        assert f"\n{path.stem}\n" in page.partition("{toctree}")[2]


def test_a_cell_that_fails_is_named(run: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "wrong.ipynb"
    source = ["x = 1\n", "x.nothing"]
    cell = {"cell_type": "code", "id": "a", "metadata": {}, "source": source, "outputs": []}
    path.write_text(run.written({"cells": [cell]}), "utf-8")
    with pytest.raises(RuntimeError, match=r"wrong\.ipynb(?s:.*)cell 1(?s:.*)nothing"):
        run.executed(path)


def test_what_a_cell_prints_and_what_it_is_worth_are_its_outputs(
    run: ModuleType, tmp_path: Path
) -> None:
    path = tmp_path / "right.ipynb"
    sources = [["print('é')\n", "[1, 2]"], ["x = 7"], ["x;"]]
    cells = [
        {"cell_type": "code", "id": str(i), "metadata": {}, "source": source, "outputs": []}
        for i, source in enumerate(sources)
    ]
    path.write_text(run.written({"cells": cells}), "utf-8")
    first, second, third = (cell["outputs"] for cell in run.executed(path)["cells"])
    assert first[0]["text"] == ["é\n"]
    assert first[1]["data"] == {"text/plain": ["[1, 2]"]}
    assert second == third == []
