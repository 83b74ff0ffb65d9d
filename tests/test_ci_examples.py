"""The workflow and the hook of ``examples/ci`` do what they say, as far as that can be tried here."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from metaphrase.cli import main
from metaphrase.gate import load_rules

ROOT = Path(__file__).parents[1]
CI, FILES = ROOT / "examples" / "ci", ROOT / "examples" / "localisation"

Run = Callable[..., "subprocess.CompletedProcess[str]"]

pytestmark = pytest.mark.skipif(
    not all(map(shutil.which, ("git", "bash"))), reason="git and bash are not installed"
)


def steps(workflow: str) -> dict[str, str]:
    """The scripts of named steps. A script is what is indented more than ``run: |``, as YAML has it."""
    found = re.findall(
        r"^ +- name: (.+)\n(?: +(?!run).*\n)*?( +)run: \|\n((?:\2 +.*\n)+)", workflow, re.M
    )
    return {name: script for name, _, script in found}


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with translations, rules and a baseline, and a clone of it to work in."""
    programs = tmp_path / "bin"
    programs.mkdir()
    program = programs / "metaphrase"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m metaphrase "$@"\n')
    program.chmod(0o755)
    home = tmp_path / "home"
    home.mkdir()
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    for name, value in {
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "HOME": str(home),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "a",
        "GIT_AUTHOR_EMAIL": "a@b.c",
        "GIT_COMMITTER_NAME": "a",
        "GIT_COMMITTER_EMAIL": "a@b.c",
    }.items():
        monkeypatch.setenv(name, value)
    origin, clone = tmp_path / "origin", tmp_path / "clone"
    (origin / "locales").mkdir(parents=True)
    shutil.copy(FILES / "reviewed.de.xlf", origin / "locales")
    shutil.copy(FILES / "main.de.xlf", origin / "locales" / "app.de.xlf")
    shutil.copy(CI / "metaphrase-gate.toml", origin)
    monkeypatch.chdir(origin)
    texts = ["locales/reviewed.de.xlf", "-i", "app=locales/app.de.xlf"]
    assert main(["gate", *texts, "--write-baseline", "locales/baseline.de.json"]) == 0
    for command in (
        ["git", "init", "--quiet", "--initial-branch=main"],
        ["git", "add", "."],
        ["git", "commit", "--quiet", "--message=Begin"],
        ["git", "clone", "--quiet", str(origin), str(clone)],
    ):
        subprocess.run(command, check=True)
    monkeypatch.chdir(clone)
    return clone


def run(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, check=False, capture_output=True, encoding="utf-8", env=os.environ | environment
    )


def test_the_rules_are_rules() -> None:
    rules = load_rules(CI / "metaphrase-gate.toml")
    assert rules.limits("chrf", "de").min_score == 50
    assert rules.findings.new_major == 3


class TestWorkflow:
    """Each script is run by bash as GitHub does: it stops at the first command that fails."""

    @pytest.fixture
    def pull_request(self, repository: Path, tmp_path: Path) -> Callable[[], dict[str, int]]:
        workflow = (CI / "gate.yml").read_text("utf-8")
        named = dict(re.findall(r"^      ([A-Z]+): (locales\S+)", workflow, re.M))
        assert set(named) == {"REVIEWED", "TRANSLATION", "BASELINE"}
        (tmp_path / "temp").mkdir()
        environment = named | {
            "GITHUB_BASE_REF": "main",
            "RUNNER_TEMP": str(tmp_path / "temp"),
            "GITHUB_STEP_SUMMARY": str(tmp_path / "step_summary"),
        }

        def tried() -> dict[str, int]:
            scripts = steps(workflow)
            assert scripts.pop("Install").split()[:2] == ["pip", "install"]
            assert list(scripts) == [
                "Take baseline and rules from the branch that is merged into",
                "Gate",
                "Summary",
            ]
            codes = {}
            for name, script in scripts.items():
                done = run("bash", "-e", "-o", "pipefail", "-c", script, **environment)
                assert "Traceback" not in done.stderr
                codes[name.split()[0]] = done.returncode
            return codes

        return tried

    def test_it_is_green_if_nothing_got_worse(
        self, pull_request: Callable[[], dict[str, int]], tmp_path: Path
    ) -> None:
        assert pull_request() == {"Take": 0, "Gate": 0, "Summary": 0}
        assert (tmp_path / "step_summary").read_text("utf-8").startswith("## 🟢 app: green")

    def test_it_is_red_if_something_did_whatever_the_baseline_of_the_branch_says(
        self, pull_request: Callable[[], dict[str, int]], repository: Path, tmp_path: Path
    ) -> None:
        shutil.copy(FILES / "change.de.xlf", repository / "locales" / "app.de.xlf")
        (repository / "metaphrase-gate.toml").write_text("[checks]\nnew_critical = false\n")
        run("git", "checkout", "--quiet", "-b", "change")
        run("git", "commit", "--quiet", "--all", "--message=Change")
        assert pull_request() == {"Take": 0, "Gate": 1, "Summary": 0}
        assert "12 has become 21." in (tmp_path / "step_summary").read_text("utf-8")
        assert ElementTree.parse(repository / "gate.xml").getroot().attrib["failures"] != "0"
        assert (repository / "gate.html").exists()
        assert (repository / "gate.sarif").exists()

    def test_it_is_yaml_whose_scripts_are_those_that_were_run(self) -> None:
        yaml = pytest.importorskip("yaml")
        text = (CI / "gate.yml").read_text("utf-8")
        (job,) = yaml.safe_load(text)["jobs"].values()
        read = {one["name"]: one["run"] for one in job["steps"] if "run" in one}
        mine = {
            name: re.sub(r"^ {10}", "", script, flags=re.M) for name, script in steps(text).items()
        }
        assert read == mine
        assert yaml.safe_load((CI / ".pre-commit-config.yaml").read_text("utf-8"))["repos"]

    def test_files_that_it_uploads_are_those_that_it_writes(self) -> None:
        workflow = (CI / "gate.yml").read_text("utf-8")
        for name in ("gate.html", "gate.xml", "gate.sarif", "summary.md"):
            assert workflow.count(name) >= 2
        assert "\t" not in workflow


class TestHook:
    @pytest.fixture
    def hooked(self, repository: Path) -> Path:
        hook = repository / ".git" / "hooks" / "pre-commit"
        hook.parent.mkdir(exist_ok=True)
        shutil.copy(CI / "translation-gate.sh", hook)
        hook.chmod(0o755)
        return repository

    def commit(self) -> subprocess.CompletedProcess[str]:
        return run("git", "commit", "--all", "--message=Change")

    def test_a_commit_that_makes_translations_worse_is_refused(self, hooked: Path) -> None:
        shutil.copy(FILES / "change.de.xlf", hooked / "locales" / "app.de.xlf")
        done = self.commit()
        assert done.returncode == 1
        assert "app: red" in done.stdout + done.stderr
        assert run("git", "log", "--oneline").stdout.count("\n") == 1

    def test_another_one_is_not(self, hooked: Path) -> None:
        shutil.copy(hooked / "locales" / "reviewed.de.xlf", hooked / "locales" / "app.de.xlf")
        assert self.commit().returncode == 0
        (hooked / "readme.txt").write_text("Nothing about translations.\n")
        run("git", "add", "readme.txt")
        assert self.commit().returncode == 0

    def test_what_is_staged_is_judged(self, hooked: Path) -> None:
        shutil.copy(FILES / "change.de.xlf", hooked / "locales" / "app.de.xlf")
        run("git", "add", "locales")
        shutil.copy(FILES / "main.de.xlf", hooked / "locales" / "app.de.xlf")
        assert run("git", "commit", "--message=Change").returncode == 1

    def test_pre_commit_names_the_files(self, repository: Path) -> None:
        config = (CI / ".pre-commit-config.yaml").read_text("utf-8")
        (pattern,) = re.findall(r"^ +files: (.+)$", config, re.M)
        assert re.search(pattern, "locales/app.de.xlf")
        assert not re.search(pattern, "locales/reviewed.de.xlf")
        (entry,) = re.findall(r"^ +entry: (.+)$", config, re.M)
        assert Path(entry).name == "translation-gate.sh"
        script = str(CI / "translation-gate.sh")
        assert run(script, "locales/app.de.xlf").returncode == 0

    def test_an_error_is_no_red_gate(self, hooked: Path) -> None:
        (hooked / "locales" / "app.de.xlf").write_text("<xliff>")
        done = self.commit()
        assert done.returncode != 0
        assert "[MP" in done.stderr
        assert "red" not in done.stdout
