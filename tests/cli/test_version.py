"""What a bug report needs, and nothing about who writes it."""

from __future__ import annotations

import getpass
import json
import platform
from pathlib import Path

import pytest

from metaphrase.cli import main, version
from metaphrase.version import __version__


def printed(capfd: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["--version", *arguments]) == 0
    return capfd.readouterr().out


def test_the_version_is_one_line(capfd: pytest.CaptureFixture[str]) -> None:
    assert printed(capfd) == f"metaphrase {__version__}\n"


def test_in_full_it_has_all_that_matters(capfd: pytest.CaptureFixture[str]) -> None:
    found = json.loads(printed(capfd, "--verbose", "--format", "json"))
    assert found["metaphrase"] == __version__
    assert found["python"]["version"] == platform.python_version()
    assert {"numpy", "sacrebleu", "rich"} <= set(found["packages"])
    assert found["core"]["compiler"].split()[0] in ("gcc", "clang", "unknown")
    assert isinstance(found["core"]["assertions"], bool)
    (name,) = (name for name in found["models"] if name.endswith("glove-en.bin"))
    digest, owner = found["models"][name].split()
    assert len(digest) == 12
    assert owner == "metaphrase"
    assert found["cache"]["bytes"] >= 0


def test_people_get_a_line_for_each_fact(capfd: pytest.CaptureFixture[str]) -> None:
    lines = printed(capfd, "--verbose").splitlines()
    assert lines[0] == f"metaphrase {__version__}"
    assert "models:" in lines
    assert any(line.startswith("  numpy ") for line in lines)


def test_it_names_neither_user_nor_machine(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(getpass, "getuser", lambda: "jane.doe")
    monkeypatch.setattr(platform, "node", lambda: "janes-laptop")
    monkeypatch.setattr(Path, "home", lambda: Path("/home/jane.doe"))
    monkeypatch.setenv("METAPHRASE_CACHE", "/home/jane.doe/cache")
    monkeypatch.setenv("METAPHRASE_MYTHES", "/data/jane.doe/janes-laptop")
    monkeypatch.setenv("METAPHRASE_TOKEN", "sesame")
    text = printed(capfd, "--verbose")
    for secret in ("jane.doe", "janes-laptop", "sesame"):
        assert secret not in text
    said = [line.split() for line in text.splitlines()]
    assert ["METAPHRASE_CACHE", "~/cache"] in said
    assert ["METAPHRASE_MYTHES", "/data/USER/HOST"] in said


def test_a_broken_part_does_not_hide_the_others(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        raise OSError("the disk is gone")

    monkeypatch.setattr(version, "_core", broken)
    found = json.loads(printed(capfd, "--verbose", "--format", "json"))
    assert found["core"] == {"error": "OSError: the disk is gone"}
    assert found["models"]


def test_verbose_alone_is_wrong_usage() -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["--verbose"])
    assert stopped.value.code == 2
