"""What simplemma's dictionaries know of words: how each comes to its lemma, and the lemma itself.

A treebank of a hundred thousand words shows few of a language's forms. A dictionary shows most of them, and
the change from form to lemma ("-ého" to "-ý", "-uje" to "-ovat") nearly always tells the part of speech: the
tagger reads the number of that change. simplemma is needed for training only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from os.path import commonprefix

from simplemma.strategies.dictionaries.dictionary_factory import DefaultDictionaryFactory

#: Changes that fewer words undergo are told apart by the lemma's ending alone.
MIN_WORDS = 30


@cache
def lemmas(language: str) -> Mapping[str, str]:
    """Form to lemma, as simplemma has it."""
    return {
        form.replace("’", "'"): lemma.replace("’", "'")
        for form, lemma in DefaultDictionaryFactory().get_dictionary(language).items()
    }


def change(form: str, lemma: str) -> str:
    """The ending of the form, that of the lemma, and two characters of the lemma with its case."""
    same = len(commonprefix([form, lemma]))
    return f"{form[same:]}>{lemma[same:]}|{ending(lemma)}"


def ending(lemma: str) -> str:
    """The lemma's last two characters, and whether it begins with a capital."""
    return f"{lemma[-2:].lower()}{'A' if lemma[:1].isupper() else 'a'}"


def inflections(language: str, words: Iterable[str]) -> tuple[list[str], list[int]]:
    """The words that the dictionary has and the number of the change that each undergoes, from 1."""
    known = lemmas(language)
    counts = Counter(change(form, lemma) for form, lemma in known.items())
    numbers: dict[str, int] = {}
    found, inflection = [], []
    for word in sorted(set(words)):
        if word in known:
            way = change(word, known[word])
            way = way if counts[way] >= MIN_WORDS else ending(known[word])
            found.append(word)
            inflection.append(numbers.setdefault(way, len(numbers) + 1))
    if len(numbers) > 0xFFFF:
        raise ValueError("too many inflections for 16 bits")
    return found, inflection
