"""Stems as the Snowball stemmers gave them when METEOR 1.5 was built with them.

English and German are in the core. The other languages come from the package ``snowballstemmer`` (extra
``[stemmers]``), whose algorithms are younger; where that shows in more than one word form of a thousand,
what is different is undone here. French and Portuguese differ in 3 forms of 10,000, Finnish in fewer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from functools import cache
from importlib import import_module
from importlib.metadata import version
from types import MappingProxyType
from typing import Any

from metaphrase._core.alignment import stems as english_stems
from metaphrase._core.meteor_text import german_stems
from metaphrase.analysis.unusable_text import unusable_text
from metaphrase.errors import OptionError
from metaphrase.extras import not_installed

#: The languages that there is a stemmer for, as Snowball names them.
STEMMERS: Mapping[str, str] = MappingProxyType(
    {
        "da": "danish",
        "de": "german",
        "en": "english",
        "es": "spanish",
        "fi": "finnish",
        "fr": "french",
        "hu": "hungarian",
        "it": "italian",
        "nl": "dutch",
        "no": "norwegian",
        "pt": "portuguese",
        "ro": "romanian",
        "ru": "russian",
        "sv": "swedish",
        "tr": "turkish",
    }
)

_IN_THE_CORE: Mapping[str, Callable[[list[str]], list[str]]] = MappingProxyType(
    {"en": english_stems, "de": german_stems}
)

#: Letters that the stemmers of that time took for others, or for none: what is stemmed in their place.
#: Russian did not read ё as е; the Hungarian rules had õ and û where they have ő and ű now.
_READ_AS = {
    "ru": str.maketrans({"ё": "\ue000"}),
    "hu": str.maketrans({"ő": "\ue000", "ű": "\ue001", "õ": "ő", "û": "ű"}),
}


def stem(words: Sequence[str], lang: str) -> list[str]:
    """The stem of each word; words are in lower case."""
    forms = list(words)
    try:
        for form in forms:
            form.encode()
    except (AttributeError, UnicodeEncodeError):
        raise unusable_text(forms) from None
    if lang in _IN_THE_CORE:
        return _IN_THE_CORE[lang](forms)
    if lang not in STEMMERS:
        raise OptionError(
            "MP597",
            f"There is no stemmer for the language {lang!r}.",
            hint=f"There are stemmers for {', '.join(STEMMERS)}.",
        )
    stem_one = _stemmer(lang)
    stems = {form: stem_one(form) for form in set(forms)}
    return [stems[form] for form in forms]


def check_stemmer(lang: str) -> None:
    """Refuse a language whose stemmer is not installed; that of the core always is."""
    if lang not in _IN_THE_CORE:
        _prototype(lang)


def _stemmer(lang: str) -> Callable[[str], str]:
    # The stemmers of the package keep the word in themselves: threads must not share one.
    stemmer = copy(_prototype(lang))
    if lang not in _READ_AS:
        return lambda word: str(stemmer.stemWord(word))
    read = _READ_AS[lang]
    written = {ord(new): old for old, new in read.items()}
    return lambda word: str(stemmer.stemWord(word.translate(read))).translate(written)


@cache
def _prototype(lang: str) -> Any:
    name = STEMMERS[lang]
    try:
        if version("snowballstemmer").split(".")[0] != "2":  # version 3 stems otherwise
            raise ImportError
        # Not through snowballstemmer.stemmer(), which prefers PyStemmer of whatever version.
        module = import_module(f"snowballstemmer.{name}_stemmer")
        kind = getattr(module, f"{name.title()}Stemmer")
        return (_without_conditions(kind) if lang == "fi" else kind)()
    except (ImportError, AttributeError):
        raise not_installed(
            f"Stems of the language {lang!r} need the package snowballstemmer, version 2.",
            "stemmers",
        ) from None


def _without_conditions(kind: Any) -> Any:
    """Finds no ending that has a condition.

    The Java stemmer looks its conditions up by name among public methods, and they are private: it never
    finds these endings.
    """

    tables: dict[int, list[Any]] = {}  # by identity: those of the class live as long as it does

    def find_among_b(stemmer: Any, endings: list[Any]) -> Any:
        if id(endings) not in tables:
            tables[id(endings)] = [_never(ending) for ending in endings]
        return kind.find_among_b(stemmer, tables[id(endings)])

    return type(kind.__name__, (kind,), {"find_among_b": find_among_b, "never": lambda _: False})


def _never(ending: Any) -> Any:
    if ending.method is None:
        return ending
    changed = copy(ending)
    changed.method = "never"
    return changed
