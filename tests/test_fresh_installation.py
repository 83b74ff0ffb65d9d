"""What works in a fresh environment: no module is there that an extra brings, or that only tests need."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from metaphrase.trained.accord_model import AccordModel

#: Runs the command line where only modules can be found that the package requires, and what these require.
ALONE = """
import re, sys
from importlib.machinery import PathFinder
from importlib.metadata import PackageNotFoundError, packages_distributions, requires

def installed(name, known):
    name = re.sub(r"[-_.]+", "-", name).lower()
    try:
        needed = requires(name) or [] if name not in known else []
    except PackageNotFoundError:  # for another Python
        return known
    known.add(name)
    for line in needed:
        if "extra ==" not in line:
            installed(re.match(r"[\\w.-]+", line)[0], known)
    return known

ours = installed("metaphrase", set())
lacking = {
    module
    for module, names in packages_distributions().items()
    if ours.isdisjoint(re.sub(r"[-_.]+", "-", name).lower() for name in names)
}

class Installed(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name.partition(".")[0] in lacking else super().find_spec(name, path, target)

sys.meta_path = [Installed if finder is PathFinder else finder for finder in sys.meta_path]
from metaphrase.cli import main
sys.exit(main(sys.argv[1:]))
"""
TEXTS = {
    "en": ("He slept well.", "He did not sleep well."),
    "de": ("Der Hund bellt.", "Die Hunde bellten laut."),
    "fr": ("Le chien aboie.", "Les chiens ont aboyé."),
    "es": ("El perro ladra.", "Los perros ladraron."),
    "cs": ("Pes štěká.", "Psi štěkali."),
    "zh": ("政府周二宣布了新计划。", "政府在星期二公布了一项新计划。"),
    "sv": ("Hunden skäller.", "Hundarna skällde."),
}


def alone(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", ALONE, *command],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        encoding="utf-8",
    )


def test_the_demo_runs(tmp_path: Path) -> None:
    found = alone(tmp_path, "demo", str(tmp_path / "demo"))
    assert found.returncode == 0, found.stderr
    assert "Everything on one page" in found.stdout


def test_every_language_with_a_model_is_tried() -> None:
    assert {name.partition("+")[0] for name in AccordModel.shipped()} - {"any"} <= TEXTS.keys()


@pytest.mark.parametrize("lang", TEXTS)
def test_every_language_is_explained(tmp_path: Path, lang: str) -> None:
    # Czech analysers are an extra, and so are the words of Chinese, which accord does not ask for.
    metrics = ("chrf", "bleu") if lang == "cs" else ("accord", "chrf", "bleu")
    hypothesis, reference = TEXTS[lang]
    texts = ("--hypothesis", hypothesis, "--reference", reference, "-l", lang)
    found = alone(tmp_path, "explain", *texts, "-m", *metrics, "--details")
    assert found.returncode == 0, found.stderr
    for metric in metrics:
        assert f"{metric} " in found.stdout


def test_what_an_extra_brings_is_asked_for_by_name(tmp_path: Path) -> None:
    texts = ("--hypothesis", "Pes.", "--reference", "Psi.", "-l", "cs")
    found = alone(tmp_path, "explain", *texts, "-m", "accord")
    assert found.returncode != 0
    assert "MP970" in found.stderr
