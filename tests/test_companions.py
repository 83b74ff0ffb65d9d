"""A clone takes the packages that it depends on from its folders, a release by their versions."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

PROVIDER = Path(__file__).parents[1] / "packages" / "companions.py"
WANTED = {
    "dependencies": ["metaphrase-analysers>=1,<2", "numpy>=1.24"],
    "optional-dependencies": {"cs": ["metaphrase-czech>=1,<2"]},
}


@pytest.fixture
def located(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """What is required by a clone that has one of the two packages."""
    for name in ("METAPHRASE_RELEASE", "CIBUILDWHEEL"):
        monkeypatch.delenv(name, raising=False)
    folder = tmp_path / "my clone"
    (folder / "metaphrase-analysers").mkdir(parents=True)
    (folder / "metaphrase-analysers" / "pyproject.toml").touch()
    spec = spec_from_file_location("companions", PROVIDER)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "_HERE", folder)

    def locate(state: str = "wheel") -> Any:
        companions = module.Companions()
        companions.build_state(state)
        return companions.dynamic_metadata(WANTED, {})

    return locate


@pytest.mark.parametrize("state", ["wheel", "editable", "metadata_wheel", "metadata_editable"])
def test_a_clone_names_its_folders(located: Any, tmp_path: Path, state: str) -> None:
    place = (tmp_path / "my clone" / "metaphrase-analysers").as_uri()
    assert located(state) == {
        "dependencies": [f"metaphrase-analysers @ {place}", "numpy>=1.24"],
        "optional-dependencies": {"cs": ["metaphrase-czech>=1,<2"]},
    }


def test_a_source_distribution_names_versions(located: Any) -> None:
    assert located("sdist") == WANTED


@pytest.mark.parametrize("name", ["METAPHRASE_RELEASE", "CIBUILDWHEEL"])
def test_a_release_names_versions(located: Any, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, "1")
    assert located() == WANTED
    monkeypatch.setenv(name, "0")
    assert located() != WANTED
