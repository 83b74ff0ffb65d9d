"""The words of a text with what stands between them, and how words are put beside others."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

#: Scripts that are written without spaces: Han, kana, and those of Thailand and its neighbours.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]"
)
_HAN = re.compile("[\u3400-\u9fff\uf900-\ufaff]")
_CONNECTORS = frozenset("-/'@_")


#: What a word is: all that kinds of edits ask of its part of speech.
CONTENT, FUNCTION, NAME, NUMBER, PUNCTUATION = (
    "content",
    "function",
    "name",
    "number",
    "punctuation",
)
#: Universal parts of speech, and Penn's tags, of words that are not content words.
_ROLES = {
    **dict.fromkeys("ADP AUX CCONJ SCONJ DET PART PRON".split(), FUNCTION),
    **dict.fromkeys("CC DT EX IN MD PDT POS PRP PRP$ RP TO WDT WP WP$ WRB".split(), FUNCTION),
    **dict.fromkeys("PROPN NNP NNPS".split(), NAME),
    **dict.fromkeys("NUM CD".split(), NUMBER),
}
#: Verbs of which tags do not always say whether they are auxiliaries, in five languages.
_AUXILIARIES = frozenset("be have do sein haben werden être avoir ser estar haber být".split())
#: Adverbs that are as light as auxiliaries.
_NEGATIONS = frozenset("not n't nicht ne pas no".split())
#: Signs that are read aloud.
_SIGNS = frozenset("%‰°&§+=")
#: Words of so few letters are taken for function words where no analyser knows better.
_SHORT = 3


@dataclass(frozen=True, slots=True)
class Word:
    """Characters ``start`` to ``end`` of a text; tag and lemma are there if an analyser knows them."""

    form: str
    start: int
    end: int
    lemma: str = ""
    tag: str = ""

    @property
    def role(self) -> str:
        """What it is: ``content``, ``function``, ``name``, ``number`` or ``punctuation``."""
        return _role(self.form, self.tag, self.lemma)


@lru_cache(maxsize=1 << 14)
def _role(form: str, tag: str, lemma: str) -> str:
    if not is_read(form):
        return PUNCTUATION
    if any(map(str.isdigit, form)):
        return NUMBER
    if tag.startswith("V") and lemma in _AUXILIARIES:
        return FUNCTION
    if tag in ("RB", "ADV", "PART") and lemma in _NEGATIONS:
        return FUNCTION
    if tag:
        return _ROLES.get(tag, CONTENT)
    most = 1 if _UNSPACED.match(form) else _SHORT
    return FUNCTION if len(form) <= most else CONTENT


@dataclass(frozen=True, slots=True)
class Side:
    """A text and its words."""

    text: str
    words: tuple[Word, ...]

    def gap(self, word: int) -> str:
        """What stands before a word: nothing or a space, whatever characters make it."""
        if word == 0:
            return ""
        return " " if self.words[word].start > self.words[word - 1].end else ""

    def phrase(self, start: int, end: int) -> str:
        """The text of the words ``start`` to ``end``."""
        return self.text[self.words[start].start : self.words[end - 1].end] if end > start else ""

    def glued_behind(self, word: int) -> bool:
        """Whether whatever follows would stand right behind it: an opening bracket, a currency."""
        form = self.words[word].form
        if _is_word(form) or word + 1 == len(self.words) or self.gap(word + 1):
            return False
        return form in _CONNECTORS or word == 0 or self.gap(word) != ""

    def glued_before(self, word: int) -> bool:
        """Whether it would stand right behind whatever precedes: a comma, the *n't* of *don't*."""
        return word > 0 and not self.gap(word) and not self.glued_behind(word - 1)


def gap_between(left: tuple[Side, int], right: tuple[Side, int]) -> str:
    """What stands between words of two texts, or between words that are no neighbours in theirs."""
    if left[0].glued_behind(left[1]) or right[0].glued_before(right[1]):
        return ""
    side, word = right
    unspaced = map(_UNSPACED.search, (left[0].words[left[1]].form[-1], side.words[word].form[0]))
    return "" if any(unspaced) else " "


def is_read(form: str) -> bool:
    """Whether a reader says it: a word, the *'s* of *it's*, a currency."""
    return form in _SIGNS or any(
        unicodedata.category(sign)[0] in "LMN" or sign in "€$£¥" for sign in form
    )


def _is_word(form: str) -> bool:
    return unicodedata.category(form[0])[0] in "LMN"


_TOKEN = re.compile(
    # Numbers with their separators, words with their apostrophes, single characters of unspaced scripts.
    rf"\d+(?:[.,:]\d+)*|{_UNSPACED.pattern}"
    rf"|(?:(?!{_UNSPACED.pattern})[^\W_])+(?:['’](?:(?!{_UNSPACED.pattern})[^\W\d_])+)*|\S"
)


def split(text: str) -> Side:
    """The words of a text of which no analyser knows the language."""
    return Side(text, tuple(Word(m[0], m.start(), m.end()) for m in _TOKEN.finditer(text)))


def is_unspaced(text: str) -> bool:
    """Whether it is of a script that has no spaces between words."""
    return _UNSPACED.search(text) is not None


def is_han(form: str) -> bool:
    """Whether it is one Chinese character."""
    return _HAN.fullmatch(form) is not None


def same_but_for_marks(one: str, other: str) -> bool:
    """Whether two words differ in accents and capitals alone: *Fenerbahçe*, *Fenerbahce*."""
    return one == other or plain(one) == plain(other)


def plain(form: str) -> str:
    """The word without accents and capitals."""
    if form.isascii():
        return form.lower()
    return "".join(
        sign
        for sign in unicodedata.normalize("NFD", form.lower())
        if not unicodedata.combining(sign)
    )
