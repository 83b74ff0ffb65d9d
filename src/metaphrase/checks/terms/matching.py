"""Where the terms of a glossary stand in texts, in whichever form their words have there.

Where a language has an analyser, words are compared by lemma and by form; elsewhere by form and by their
beginning, as most languages inflect at the end. Where words are not divided by blanks, and for parts of
compounds (*Festplatten|fehler*), characters are compared.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from metaphrase.analysis.languages.codes import UNSPACED, base_language
from metaphrase.analysis.registry import lemmatises, shared

_WORD = re.compile(r"\w+(?:['’-]\w+)*")
#: Letters that the end of a word may differ in, and that must remain.
_ENDING, _STEM = 3, 4
#: With lemmas only mistakes of the analyser have to be forgiven.
_LEMMA_ENDING = 2
#: Shorter terms are found in too many longer words.
_COMPOUND = 5
_COMPOUNDING = frozenset({"da", "de", "et", "fi", "is", "nl", "nn", "no", "sv"})

Word = tuple[int, int, frozenset[str]]


@dataclass(frozen=True)
class WordedText:
    """A text, the places of its words, and what each may be called: form and lemma, in small letters."""

    text: str
    words: tuple[Word, ...]

    @cached_property
    def index(self) -> dict[str, list[int]]:
        """The words that may be called so, or begin so."""
        found: dict[str, list[int]] = defaultdict(list)
        for number, (_, _, names) in enumerate(self.words):
            for key in keys_of(names):
                found[key].append(number)
        return found


def keys_of(names: frozenset[str]) -> set[str]:
    """What a word is looked up by: its names, and their first letters, marked by a blank."""
    return {*names, *(f"{name[:_STEM]} " for name in names if len(name) >= _STEM)}


def worded(texts: Sequence[str], language: str) -> list[WordedText]:
    """The words of texts, by the analyser of the language if there is one."""
    base = base_language(language)
    if not lemmatises(base):
        return [
            WordedText(
                text,
                tuple(
                    (m.start(), m.end(), frozenset({m[0].lower()})) for m in _WORD.finditer(text)
                ),
            )
            for text in texts
        ]
    batch = shared(f"builtin:{base}").analyse(texts, ["lemma"])
    return [
        WordedText(
            sentence.text,
            tuple(
                (start, end, frozenset({form.lower(), lemma.lower()}))
                for form, lemma, start, end in zip(
                    sentence.form, sentence.lemma or (), sentence.start, sentence.end, strict=True
                )
            ),
        )
        for sentence in batch
    ]


@lru_cache(maxsize=65536)
def worded_term(term: str, language: str) -> WordedText:
    """A term as it is looked for; its words are analysed without a sentence around them."""
    (found,) = worded([term], language)
    return found


def is_by_characters(term: str, language: str) -> bool:
    """Whether a term is looked for as a string: no blanks in the language, or no words in the term."""
    return base_language(language) in UNSPACED or not worded_term(term, language).words


def places_of(
    term: str,
    text: WordedText,
    language: str,
    *,
    case_sensitive: bool = False,
    loosely: bool = False,
) -> Iterator[tuple[int, int]]:
    """Where a term stands in a text; ``loosely`` forgives an analyser that does not know a form."""
    if is_by_characters(term, language):
        yield from _substrings(term, text.text, case_sensitive)
        return
    wanted = worded_term(term, language).words
    ending = _ENDING
    if lemmatises(base_language(language)):
        ending = _LEMMA_ENDING if loosely else 0
    begins = {place for key in keys_of(wanted[0][2]) for place in text.index.get(key, ())}
    for first in sorted(begins):
        window = text.words[first : first + len(wanted)]
        if len(window) == len(wanted) and all(
            _same(one[2], other[2], ending) for one, other in zip(wanted, window, strict=True)
        ):
            place = window[0][0], window[-1][1]
            if not case_sensitive or text.text[slice(*place)] == term:
                yield place


def has_in_compound(term: str, text: WordedText, language: str) -> bool:
    """Whether a word of the text may have the term as its part."""
    if base_language(language) not in _COMPOUNDING or len(term) < _COMPOUND:
        return False
    # The last letter may change inside a compound: Adresse, Adressbuch.
    stem = re.sub(r"\s+", "", term.lower())[:-1]
    if stem in text.text.lower():
        return True
    return any(stem in form.replace("-", "") for _, _, forms in text.words for form in forms)


def _same(wanted: frozenset[str], found: frozenset[str], ending: int) -> bool:
    if not wanted.isdisjoint(found):
        return True
    return ending > 0 and any(_same_stem(one, other, ending) for one in wanted for other in found)


def _same_stem(first: str, second: str, ending: int) -> bool:
    """Whether two words differ in their endings alone."""
    longest = max(len(first), len(second))
    stem = max(longest - ending, _STEM)
    return first[:stem] == second[:stem] and min(len(first), len(second)) >= stem


def _substrings(term: str, text: str, case_sensitive: bool) -> Iterator[tuple[int, int]]:
    flags = 0 if case_sensitive else re.IGNORECASE
    for match in re.finditer(re.escape(term), text, flags):
        yield match.span()
