"""Which lexical resources there are, by the names that options use."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from metaphrase.corpus.lines import file_state
from metaphrase.errors import OptionError
from metaphrase.languages import find_language
from metaphrase.lexicon.cilin import Cilin
from metaphrase.lexicon.mythes import MyThes, find
from metaphrase.lexicon.paraphrases import NoParaphrases, ParaphraseTable
from metaphrase.lexicon.relation import ParaphraseSource, SynonymSource, VectorSource
from metaphrase.lexicon.synonym_sets import SynonymSets
from metaphrase.lexicon.vectors import NoVectors, WordVectors
from metaphrase.lexicon.wordnet import WordNet, WordNetAsWritten

#: What is a language and no path after ``mythes:``.
_LANGUAGE = re.compile("[a-z]{2,3}(_[A-Z]{2})?")


def load(name: str, *, fold_case: bool = True) -> SynonymSource:
    """``wordnet``, ``none``, ``file:PATH`` (a synonym set a line, tab-separated), ``cilin`` (installed),
    ``cilin:PATH``, ``mythes:LANGUAGE`` (a thesaurus that the system has) or ``mythes:PATH``.

    ``fold_case`` says whether WordNet finds words whatever their case.
    """
    kind, colon, path = name.partition(":")
    if name == "wordnet":
        return WordNet.default() if fold_case else WordNetAsWritten(WordNet.default())
    if name == "none":
        return _NOTHING
    if name == "cilin":
        return Cilin.installed()
    if kind in _READERS and path:
        return _read(kind, path, file_state(path))
    if kind == "mythes" and colon:
        language = _thesaurus_language(path)
        if language is not None:
            found = str(find(language))
            return _read_thesaurus(found, f"mythes:{language}", file_state(found))
        return _read_thesaurus(path, None, file_state(path))
    raise OptionError(
        "MP310",
        f"there is no lexicon called {name!r}.",
        hint="Choose wordnet, none, file:PATH, cilin, cilin:PATH, mythes:LANGUAGE or mythes:PATH.",
    )


def _thesaurus_language(text: str) -> str | None:
    """``de``, or ``de_AT`` where a country is named, for any code or name; nothing for a path."""
    found = None if set(text) & set("./\\") else find_language(text)
    if found is None or found.base == "und":  # perhaps a code that only thesauri have
        return text if _LANGUAGE.fullmatch(text) else None
    return f"{found.base}_{found.region}" if found.region else found.base


#: One for all, so that what is made of it can be kept.
_NOTHING = SynonymSets()
_READERS: dict[str, Callable[[str], SynonymSource]] = {
    "cilin": Cilin.read,
    "file": SynonymSets.read,
}


def load_paraphrases(name: str) -> ParaphraseSource:
    """``paraphrases`` (shipped), ``none``, ``meteor``, ``file:PATH``, ``ppdb:PATH`` or ``meteor:PATH``.

    ``file:PATH`` has two or three tab-separated columns: phrase, paraphrase and perhaps a probability.
    """
    kind, colon, path = name.partition(":")
    if name == "paraphrases":
        return ParaphraseTable.default()
    if name == "none":
        return NoParaphrases()
    if name == "meteor":
        return _meteor_paraphrases()
    if kind in ("file", "ppdb", "meteor") and colon:
        return _read_paraphrases(path, kind, file_state(path))
    raise OptionError(
        "MP344",
        f"there are no paraphrases called {name!r}.",
        hint="Choose paraphrases, none, meteor, file:PATH, ppdb:PATH or meteor:PATH.",
    )


def load_vectors(name: str) -> VectorSource:
    """``glove`` (shipped, English), ``none``, ``spacy:NAME`` for those of a pipeline, or ``file:PATH``.

    A file is word2vec's text (also of GloVe and fastText, gzip or not) or binary form, or a matrix
    ``NAME.npy`` with the words in ``NAME.txt`` beside it.
    """
    kind, colon, rest = name.partition(":")
    if name == "glove":
        return WordVectors.default()
    if name == "none":
        return NoVectors()
    if kind == "spacy" and rest:
        return _spacy_vectors(rest)
    if kind == "file" and colon:
        return _read_vectors(rest, file_state(rest))
    raise OptionError(
        "MP360",
        f"there are no word vectors called {name!r}.",
        hint="Choose glove, none, spacy:NAME or file:PATH.",
    )


@lru_cache(maxsize=1)
def _meteor_paraphrases() -> ParaphraseTable:
    return ParaphraseTable.meteor()


@lru_cache(maxsize=4)
def _read_paraphrases(path: str, form: str, state: tuple[int, int]) -> ParaphraseTable:
    return ParaphraseTable.read(path, form)


@lru_cache(maxsize=4)
def _read_vectors(path: str, state: tuple[int, int]) -> WordVectors:
    return WordVectors.read(path)


@lru_cache(maxsize=4)
def _spacy_vectors(pipeline: str) -> WordVectors:
    return WordVectors.from_spacy(pipeline)


@lru_cache(maxsize=16)
def _read(kind: str, path: str, state: tuple[int, int]) -> SynonymSource:
    return _READERS[kind](path)


@lru_cache(maxsize=4)
def _read_thesaurus(path: str, name: str | None, state: tuple[int, int]) -> MyThes:
    return MyThes(path, name=name)
