"""Files that ship are found in their packages, and whoever lacks one is told how to get it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from metaphrase import create
from metaphrase.analysis import registry
from metaphrase.analysis.builtin import analyser as builtin
from metaphrase.errors import ResourceError
from metaphrase.extras import install_command
from metaphrase.shipped import MODELS, is_installed, shipped_file


@pytest.fixture
def without_czech(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the package had never been installed, whatever was read before."""
    monkeypatch.setitem(sys.modules, "metaphrase_czech", None)
    # Their twins without a memory, so that what other tests hold stays what it is.
    monkeypatch.setattr(registry, "_shared", registry._shared.__wrapped__)
    monkeypatch.setattr(builtin, "_shipped", builtin._shipped.__wrapped__)


def test_what_is_free_of_conditions_is_here() -> None:
    assert shipped_file("wordnet-3.0.bin") == MODELS / "wordnet-3.0.bin"


def test_what_shares_alike_is_in_its_package() -> None:
    path = shipped_file("english.bin")
    assert path.is_file()
    assert path.parts[-3:-1] == ("metaphrase_analysers", "data")


def test_czech_is_in_its_own() -> None:
    pytest.importorskip("metaphrase_czech", reason="metaphrase-czech is not installed")
    assert is_installed("metaphrase_czech")
    assert shipped_file("czech.bin").parts[-3:-1] == ("metaphrase_czech", "data")


@pytest.mark.usefixtures("without_czech")
@pytest.mark.parametrize("metric", ["tesla-m:lang=cs", "accord:lang=cs"])
def test_czech_metrics_say_what_to_install(metric: str) -> None:
    with pytest.raises(ResourceError) as caught:
        create(metric).sentence_score("Děti šly do školy.", ["Děti šly domů."])
    assert caught.value.code == "MP970"
    assert "metaphrase-czech, which is for non-commercial use" in caught.value.message
    assert caught.value.hint == f"Run: {install_command('cs')}"


@pytest.mark.usefixtures("without_czech")
def test_checks_treat_czech_like_a_language_without_an_analyser() -> None:
    assert not registry.lemmatises("cs")
    assert registry.lemmatises("de")


def test_an_installation_without_analysers_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "metaphrase_analysers", None)
    with pytest.raises(ResourceError, match=r"MP970.*belongs to every installation") as caught:
        shipped_file("english.bin")
    assert caught.value.hint == f"Run: {install_command('analysers')}"


def test_a_file_that_is_gone_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(builtin, "shipped_file", lambda name: tmp_path / name)
    monkeypatch.setattr(builtin, "_shipped", builtin._shipped.__wrapped__)
    with pytest.raises(ResourceError, match=r"MP211.*german\.bin"):
        builtin.BuiltinAnalyser.shipped("de")
