"""Installed distributions offer metrics by entry points, which nobody pays for who does not use them."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from metaphrase import create, load_metrics
from metaphrase.errors import MetaphraseError
from metaphrase.metrics import available, find, obstacle, registry, unusable
from metrics.installed_plugins import METRIC, install

LENGTH = METRIC.format(kind="Length", name="length")


@pytest.fixture(autouse=True)
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of packages, and what was imported from it forgotten afterwards."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.setattr(registry, "_metrics", dict(available()))
    monkeypatch.syspath_prepend(folder)
    for name in ("length_plugin", "broken_plugin"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return folder


@pytest.fixture
def length(site: Path) -> Path:
    install(site, "length-metric", {"length": "length_plugin:Length"}, length_plugin=LENGTH)
    return site


@pytest.mark.usefixtures("length")
class TestAnInstalledMetric:
    def test_is_found_by_name_and_takes_options(self) -> None:
        assert create("length:limit=3").sentence_score("abcdef", ["x"]).score == 3
        assert "length" in available()
        assert not unusable()

    def test_says_its_distribution_and_version(self) -> None:
        signature = str(create("length").signature(1))
        assert signature.endswith("|version:1.0.0|from:length-metric@1.2")
        assert str(find("length").origin) == "length-metric@1.2"

    def test_is_suggested(self) -> None:
        with pytest.raises(MetaphraseError, match=r"MP504.*'length'"):
            create("lenght")

    def test_is_imported_only_when_it_is_asked_for(self) -> None:
        create("bleu")
        find("cobalt")
        assert "length_plugin" not in sys.modules
        create("length")
        assert "length_plugin" in sys.modules

    def test_can_be_pickled(self) -> None:
        metric = create("length:limit=3")
        assert pickle.loads(pickle.dumps(metric)) == metric

    def test_keeps_its_name_from_files(self, tmp_path: Path) -> None:
        file = tmp_path / "mine.py"
        file.write_text(LENGTH)
        with pytest.raises(MetaphraseError, match=r"MP523.*length-metric@1\.2"):
            load_metrics(file)


def test_a_metric_may_have_been_loaded_from_a_file_before(site: Path, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(LENGTH)
    load_metrics(file)
    install(site, "length-metric", {"length": "length_plugin:Length"}, length_plugin=LENGTH)
    assert "of mine.py@" in str(unusable()["length"])
    assert str(find("length").origin).startswith("mine.py@")


@pytest.mark.parametrize(
    ("value", "text", "code", "words"),
    [
        ("length_plugin:Length", "1 / 0\n", "MP525", "ZeroDivisionError"),
        ("no_such_module:Length", LENGTH, "MP525", "no_such_module"),
        ("length_plugin:Width", LENGTH, "MP525", "Width"),
        ("length_plugin:np", LENGTH, "MP524", "no sub-class of metaphrase.Metric"),
        ("length_plugin:Length", LENGTH.replace('"length"', '"size"'), "MP524", "'size'"),
        (
            "length_plugin:Length",
            LENGTH.replace("def statistics", "def rows"),
            "MP524",
            "statistics",
        ),
    ],
)
def test_a_broken_one_harms_nobody_else(
    site: Path, value: str, text: str, code: str, words: str
) -> None:
    install(site, "length-metric", {"length": value}, length_plugin=text)
    assert "length" not in available()
    with pytest.raises(MetaphraseError, match=words) as caught:
        create("length")
    assert caught.value.code == code
    assert "length-metric@1.2" in str(caught.value)
    assert str(unusable()["length"]) == str(caught.value)
    assert create("bleu")


def test_ours_come_first_and_the_clash_is_told(site: Path) -> None:
    text = METRIC.format(kind="Length", name="bleu")
    install(site, "length-metric", {"bleu": "length_plugin:Length"}, length_plugin=text)
    assert create("bleu").origin is None
    assert "of metaphrase itself" in str(unusable()["bleu"])


def test_two_distributions_with_one_name_are_both_refused(site: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        point = {"length": "length_plugin:Length"}
        install(site, name, point, version="3", length_plugin=LENGTH)
    with pytest.raises(MetaphraseError, match=r"MP523.*one@3 and two@3"):
        create("length")


def test_what_it_lacks_is_told_even_if_it_does_not_know_our_errors(site: Path) -> None:
    text = LENGTH + "\n    def signed(self):\n        raise ValueError('no model')\n"
    install(site, "length-metric", {"length": "length_plugin:Length"}, length_plugin=text)
    found = obstacle("length")
    assert found is not None
    assert found.code == "MP526"
    assert "no model" in str(found)


def test_who_asks_for_one_of_ours_imports_none(length: Path) -> None:
    code = (
        "import sys, metaphrase; metaphrase.Ter().sentence_score('a', ['b'])\n"
        "print('length_plugin' in sys.modules)"
    )
    places = os.pathsep.join([str(length), *sys.path])
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": places},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "False\n"
