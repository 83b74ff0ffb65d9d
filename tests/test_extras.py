"""The command that installs an extra works where the package came from."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from metaphrase.extras import install_command


@pytest.fixture
def installed_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Have pip's note say where this package came from."""
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "pip").write_text("#!/bin/sh\n")
    (programs / "pip").chmod(0o755)
    monkeypatch.setenv("PATH", str(programs))
    monkeypatch.setattr(sys, "executable", str(programs / "python"))

    def install(note: object) -> None:
        folder = tmp_path / "site" / "metaphrase-0.1.0.dist-info"
        folder.mkdir(parents=True)
        (folder / "METADATA").write_text(
            "Metadata-Version: 2.1\nName: metaphrase\nVersion: 0.1.0\n"
        )
        if note is not None:
            (folder / "direct_url.json").write_text(
                note if isinstance(note, str) else json.dumps(note)
            )
        monkeypatch.syspath_prepend(folder.parent)

    return install


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A folder whose name a shell and an address would each read otherwise."""
    path = tmp_path / "my clone's $HOME #1"
    for name in ("analysers", "czech", "pivots"):
        (path / "packages" / f"metaphrase-{name}").mkdir(parents=True)
    return path


def test_a_package_of_a_registry_is_named(installed_from: Any) -> None:
    installed_from(None)
    assert install_command("zh") == "pip install 'metaphrase[zh]'"
    assert install_command("pivots") == "pip install 'metaphrase[pivots]'"
    assert install_command("cs") == "pip install 'metaphrase[cs]'"
    assert install_command("analysers") == "pip install metaphrase-analysers"


def test_from_a_clone_its_folder_is_named(installed_from: Any, clone: Path) -> None:
    installed_from({"url": clone.as_uri(), "dir_info": {}})
    assert shlex.split(install_command("zh")) == ["pip", "install", f"{clone}[zh]"]


def test_what_is_used_in_place_stays_so(installed_from: Any, clone: Path) -> None:
    installed_from({"url": clone.as_uri(), "dir_info": {"editable": True}})
    assert shlex.split(install_command("zh"))[2:] == ["--editable", f"{clone}[zh]"]


@pytest.mark.parametrize(
    ("extra", "package"),
    [("pivots", "pivots"), ("cs", "czech"), ("analysers", "analysers")],
)
def test_packages_of_ours_are_folders_of_a_clone(
    installed_from: Any, clone: Path, extra: str, package: str
) -> None:
    installed_from({"url": clone.as_uri(), "dir_info": {"editable": True}})
    words = shlex.split(install_command(extra, "--force-reinstall"))
    assert words[1:] == ["install", "--force-reinstall", f"{clone}/packages/metaphrase-{package}"]


def test_a_wheel_is_named(installed_from: Any, clone: Path) -> None:
    wheel = clone / "dist" / "metaphrase-0.1.0-cp311-cp311-linux_x86_64.whl"
    wheel.parent.mkdir()
    wheel.touch()
    installed_from({"url": wheel.as_uri(), "archive_info": {}})
    assert shlex.split(install_command("zh")) == ["pip", "install", f"{wheel}[zh]"]
    assert shlex.split(install_command("pivots"))[2] == f"{clone}/packages/metaphrase-pivots"


@pytest.mark.parametrize(
    "note",
    [
        {"url": "file:///no/such/folder", "dir_info": {}},
        {"url": "https://example.org/metaphrase.git", "vcs_info": {"vcs": "git"}},
        {},
        "{",
    ],
)
def test_a_place_that_is_gone_or_elsewhere_is_not_named(installed_from: Any, note: object) -> None:
    installed_from(note)
    assert install_command("zh") == "pip install 'metaphrase[zh]'"


def test_the_pip_of_another_interpreter_is_not_named(
    installed_from: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed_from(None)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "elsewhere" / "python"))
    assert shlex.split(install_command("zh"))[:3] == [sys.executable, "-m", "pip"]
    monkeypatch.setenv("PATH", "")
    assert shlex.split(install_command("zh"))[:3] == [sys.executable, "-m", "pip"]
