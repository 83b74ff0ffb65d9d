"""What simplemma's dictionaries know of words: how each comes to its lemma, and the lemma itself.

A treebank of a hundred thousand words shows few of a language's forms. A dictionary shows most of them, and
the change from form to lemma ("-ého" to "-ý", "-uje" to "-ovat") nearly always tells the part of speech: the
tagger reads the number of that change. simplemma is needed for training only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache

from simplemma.strategies.dictionaries.dictionary_factory import DefaultDictionaryFactory
from training.english.treebank import TaggedSentence

#: Changes that fewer words undergo are told apart by the lemma's ending alone.
MIN_WORDS = 30
#: Dictionaries of more words than this are used only as far as raw text shows their words.
LARGEST_DICTIONARY = 400_000
#: A tag that found forms with the same change bear more rarely is not given to other forms.
MIN_SHARE = 0.2
#: Parts of speech whose words no treebank can list. Names are left alone: dictionaries know few of them.
OPEN_CLASSES = frozenset({"NOUN", "VERB", "ADJ", "ADV"})


@cache
def lemmas(language: str) -> Mapping[str, str]:
    """Form to lemma, as simplemma has it."""
    return {
        form.replace("’", "'"): lemma.replace("’", "'")
        for form, lemma in DefaultDictionaryFactory().get_dictionary(language).items()
    }


def is_used_whole(language: str) -> bool:
    """Otherwise only words that raw text shows count, or the model would be too large."""
    return len(lemmas(language)) <= LARGEST_DICTIONARY


def change(form: str, lemma: str) -> str:
    """The ending of the form, that of the lemma, and two characters of the lemma with its case."""
    same = 0
    while form[same : same + 1] == lemma[same : same + 1] != "":
        same += 1
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


def known_lemmas(
    language: str, sentences: list[TaggedSentence], found: Mapping[tuple[str, str], int]
) -> list[tuple[str, str, str]]:
    """Tag, form and lemma of the dictionary's words.

    The dictionary tells no tags. ``found`` says how often a tagger gave which tag to which form in raw text;
    forms that it did not find have the tags of found forms that come to their lemma the same way. A lemma
    counts under a tag only if words of the treebank with that tag have lemmas with the same ending.
    """
    endings: dict[str, Counter[str]] = {}
    for sentence in sentences:
        for tag, upos, lemma in zip(sentence.tags, sentence.upos, sentence.lemmas, strict=True):
            if upos in OPEN_CLASSES:
                endings.setdefault(tag, Counter())[ending(lemma)] += 1
    known = lemmas(language)
    entries, seen, tags_of = [], set(), {}
    for (form, tag), count in sorted(found.items()):
        lemma = known.get(form) or known.get(form.lower())
        if lemma and tag in endings and endings[tag][ending(lemma)] > 1:
            entries.append((tag, form, lemma))
            seen.add(form)
            tags_of.setdefault(change(form, lemma), Counter())[tag] += count
    for form, lemma in sorted(known.items()) if is_used_whole(language) else ():
        tags = tags_of.get(change(form, lemma)) if form not in seen and form.isalpha() else None
        for tag in sorted(tags or ()):
            if tags[tag] >= MIN_SHARE * tags.total() and endings[tag][ending(lemma)] > 1:
                entries.append((tag, form, lemma))
    return entries
