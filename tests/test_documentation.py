"""Every Python block and every command in the documentation runs."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from pathlib import Path
from types import ModuleType

import pytest

from metaphrase.cli import main
from metaphrase.metrics import registry

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text("utf-8"), re.M | re.S)


@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p, "python")], ids=lambda p: p.name)
def test_python_blocks_run(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(registry, "_metrics", dict(registry.available()))
    shutil.copytree(ROOT / "examples", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    module = ModuleType("documentation")
    monkeypatch.setitem(sys.modules, module.__name__, module)  # dataclasses look it up there
    for block in blocks(page, "python"):
        exec(compile(block, str(page), "exec"), vars(module))
    capsys.readouterr()


@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p, "sh")], ids=lambda p: p.name)
def test_commands_run(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(ROOT / "examples", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    for block in blocks(page, "sh"):
        for line in block.splitlines():
            program, *arguments = shlex.split(line)
            assert program == "metaphrase"
            assert main(arguments) == 0, line
            assert capsys.readouterr().out


def test_links_between_pages_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\((?!http)([^)#]+)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
