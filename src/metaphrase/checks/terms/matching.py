"""Where the terms of a glossary stand in texts, in whichever form their words have there.

Where a language has an analyser, words are compared by lemma and by form; elsewhere by form and by their
beginning, as most languages inflect at the end. Where words are not divided by blanks, and for parts of
compounds (*Festplatten|fehler*), characters are compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from metaphrase.analysis.languages.codes import UNSPACED, base_language
from metaphrase.analysis.registry import LEMMATISED, shared

_WORD = re.compile(r"\w+(?:['’-]\w+)*")
#: Letters that the end of a word may differ in where no analyser knows its lemma, and that must remain.
_ENDING, _STEM = 3, 4
#: Shorter terms are found in too many longer words.
_COMPOUND = 5
_COMPOUNDING = frozenset({"da", "de", "et", "fi", "is", "nb", "nl", "nn", "no", "sv"})

Word = tuple[int, int, frozenset[str]]


@dataclass(frozen=True, slots=True)
class WordedText:
    """A text, the places of its words, and what each may be called: form and lemma, in small letters."""

    text: str
    words: tuple[Word, ...]


def worded(texts: Sequence[str], language: str) -> list[WordedText]:
    """The words of texts, by the analyser of the language if there is one."""
    base = base_language(language)
    if base in LEMMATISED:
        batch = shared(f"builtin:{base}").analyse(texts, ["lemma"])
        return [
            WordedText(
                sentence.text,
                tuple(
                    (start, end, frozenset({form.lower(), lemma.lower()}))
                    for form, lemma, start, end in zip(
                        sentence.form,
                        sentence.lemma or (),
                        sentence.start,
                        sentence.end,
                        strict=True,
                    )
                ),
            )
            for sentence in batch
        ]
    return [
        WordedText(
            text,
            tuple((m.start(), m.end(), frozenset({m[0].lower()})) for m in _WORD.finditer(text)),
        )
        for text in texts
    ]


@lru_cache(maxsize=65536)
def worded_term(term: str, language: str) -> WordedText:
    """A term as it is looked for; its words are analysed without a sentence around them."""
    (found,) = worded([term], language)
    return found


def places_of(
    term: str, text: WordedText, language: str, *, case_sensitive: bool = False
) -> Iterator[tuple[int, int]]:
    """Where a term stands in a text."""
    if base_language(language) in UNSPACED:
        yield from _substrings(term, text.text, case_sensitive)
        return
    wanted = worded_term(term, language).words
    if not wanted:
        yield from _substrings(term, text.text, case_sensitive)
        return
    lemmatised = base_language(language) in LEMMATISED
    for first in range(len(text.words) - len(wanted) + 1):
        window = text.words[first : first + len(wanted)]
        if all(_same(w[2], f[2], lemmatised) for w, f in zip(wanted, window, strict=True)):
            place = window[0][0], window[-1][1]
            if not case_sensitive or text.text[slice(*place)] == term:
                yield place


def has_in_compound(term: str, text: WordedText, language: str) -> bool:
    """Whether a word of the text may have the term as its part."""
    if base_language(language) not in _COMPOUNDING or len(term) < _COMPOUND:
        return False
    # The last letter may change inside a compound: Adresse, Adressbuch.
    stem = re.sub(r"\s+", "", term.lower())[:-1]
    return any(stem in re.sub(r"[\s-]+", "", form) for _, _, forms in text.words for form in forms)


def _same(wanted: frozenset[str], found: frozenset[str], lemmatised: bool) -> bool:
    if wanted & found:
        return True
    return any(
        _same_stem(one, other, 2 if lemmatised else _ENDING) for one in wanted for other in found
    )


def _same_stem(first: str, second: str, ending: int) -> bool:
    """Whether two words differ in their endings alone."""
    shared_letters = 0
    for one, other in zip(first, second, strict=False):
        if one != other:
            break
        shared_letters += 1
    longest = max(len(first), len(second))
    return shared_letters >= _STEM and longest - shared_letters <= ending


def _substrings(term: str, text: str, case_sensitive: bool) -> Iterator[tuple[int, int]]:
    flags = 0 if case_sensitive else re.IGNORECASE
    for match in re.finditer(re.escape(term), text, flags):
        yield match.span()
