"""Analysers by name."""

import re
import subprocess
import sys

import pytest

from metaphrase import analysis
from metaphrase.analysis import registry
from metaphrase.analysis.adapters.conllu import write_conllu
from metaphrase.analysis.sentence import BASE_COLUMNS, Batch, Sentence
from metaphrase.errors import CATALOGUE, OptionError, ResourceError
from metaphrase.extras import install_command


class Silent:
    """Finds no token in anything."""

    columns = frozenset(BASE_COLUMNS)

    def __init__(self, name="test:silent", *, loud=False):
        self.name = name
        self.loud = loud

    def fingerprint(self, columns):
        return "0"

    def analyse(self, texts, columns, *, threads=1):
        return Batch.pack([Sentence(text, (), (), ()) for text in texts], columns)


@pytest.fixture(autouse=True)
def _own_registry(monkeypatch):
    monkeypatch.setattr(registry, "_ENTRIES", dict(registry._ENTRIES))


def test_a_registered_analyser_is_loaded_with_its_options():
    registry.register("test:silent", Silent, needs="patience")
    assert registry.load("test:silent").loud is False  # type: ignore[attr-defined]
    assert registry.load("test:silent", loud=True).loud is True  # type: ignore[attr-defined]
    assert registry.available()["test:silent"] == "patience"


def test_a_kind_gets_what_follows_the_colon():
    registry.register("hush:", Silent)
    assert registry.load("hush:a:b", loud=True).name == "a:b"
    assert "hush:NAME" in registry.available()
    for incomplete in ("hush:", "hush"):
        with pytest.raises(OptionError, match="MP260"):
            registry.load(incomplete)


def test_a_complete_name_comes_before_its_kind():
    registry.register("hush:", Silent)
    registry.register("hush:loud", lambda: Silent(loud=True))
    assert registry.load("hush:loud").loud is True  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["builtin:en", "spacy:", "en", ""])
def test_a_name_is_given_once(name):
    with pytest.raises(OptionError, match="MP261"):
        registry.register(name, Silent)


def test_an_unknown_name_is_answered_with_what_exists():
    with pytest.raises(OptionError) as caught:
        registry.load("bultin:en")
    assert caught.value.code == "MP260"
    assert "Did you mean 'builtin:en'?" in caught.value.hint
    assert "spacy:NAME, conllu:PATH" in caught.value.hint


def test_an_unknown_option_is_named():
    registry.register("test:silent", Silent)
    with pytest.raises(OptionError, match=r"MP262.*'test:silent'.*'volume'"):
        registry.load("test:silent", volume=3)


def test_what_ships_is_listed_with_what_it_needs():
    names = analysis.available()
    assert names["builtin:en"] == "nothing"
    assert names["spacy:NAME"] == f"{install_command('spacy')} and a spaCy pipeline"
    assert "conllu:PATH" in names


def test_without_spacy_the_command_that_installs_it_is_given(monkeypatch):
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(ResourceError, match="MP970.*" + re.escape(install_command("spacy"))):
        registry.load("spacy:en_core_web_sm")


def test_spacy_is_not_imported_before_it_is_asked_for():
    script = "import sys, metaphrase.analysis as a; a.available(); sys.exit('spacy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_codes_of_the_registry_are_in_the_catalogue():
    assert {"MP260", "MP261", "MP262", "MP970"} <= CATALOGUE.keys()


def test_conllu_files_are_an_analyser_whose_name_is_not_the_files(tmp_path):
    rows = [Sentence(text, (text,), (0,), (1,), lemma=("L",)) for text in "ab"]
    paths = [tmp_path / f"{row.text}.conllu" for row in rows]
    for row, path in zip(rows, paths, strict=True):
        write_conllu([row], path)
    analyser = analysis.load("conllu:" + "\0".join(map(str, paths)))
    assert analyser.name == "conllu"
    assert list(analyser.analyse(["b", "a"], ["lemma"])) == rows[::-1]


def test_a_shared_analyser_is_loaded_once():
    assert analysis.shared("en") is analysis.shared("en")
